# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The virtual OA device by raw calls: every row of the error tables, on both parents, with the rules
# of Skylake and of Haswell; built-in sets; refusals to load.
#
# kernel: stock backports
# modules: hadal_oa drm
# programs: oa_configs oa_queries oa_streams
# clock: free
# timeout: 500

# all_ok TEXT COMMAND...: a program that prints TAP itself.
all_ok() {
	label=$1
	shift
	"$@" >/tmp/tap
	verdict $? "$label"
	sed 's/^/# /' /tmp/tap
}

modprobe drm
control_done

note "refusals"
fails "a GPU that is none" modprobe hadal_oa gen=z80
fails "a parent that is none" modprobe hadal_oa parent=usb
fails "a revision that is none" modprobe hadal_oa perf_revision=8

for parent in pci platform; do
	note "Skylake on $parent"
	ok "load" modprobe hadal_oa parent=$parent
	equal "vendor" "$(cat /sys/class/drm/renderD128/device/vendor)" 0x8086
	equal "device" "$(cat /sys/class/drm/renderD128/device/device)" 0x1912
	equal "no set of its own" "$(ls /sys/class/drm/card0/metrics)" ""
	equal "the log is empty" "$(cat /sys/kernel/debug/hadal_oa_registers)" ""
	all_ok "adding and removing" oa_configs
	all_ok "queries" oa_queries
	all_ok "streams" oa_streams
	ok "unload" rmmod hadal_oa
	equal "no sysctl is left" "$(ls -d /proc/sys/dev/i915 2>/dev/null)" ""
	equal "no card is left" "$(ls /dev/dri 2>/dev/null)" ""
done

note "Haswell"
modprobe hadal_oa gen=hsw
all_ok "no flex registers" oa_configs hsw
rmmod hadal_oa

note "every GPU loads and unloads"
for gen in bdw chv bxt kbl glk cfl icl ehl tgl rkl dg1 adl dg2 mtl; do
	modprobe hadal_oa gen=$gen builtin=1
	verdict $? "$gen, $(ls /sys/class/drm/card0/metrics | wc -l) sets"
	rmmod hadal_oa
done

note "built-in sets"
modprobe hadal_oa gen=bdw builtin=1
equal "RenderBasic of Broadwell" \
	"$(cat /sys/class/drm/card0/metrics/b541bd57-0e0f-4154-b4c0-5858010a2bf7/id)" 1
equal "ids are 1 to 24" "$(cat /sys/class/drm/card0/metrics/*/id | sort -n | tr '\n' ' ')" \
	"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 "
rmmod hadal_oa
ok "the kernel's log is clean" kernel_clean "$(oa_lines)"
