# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# 64 processes that add, open, list, read back and remove at once for 30 s, one that keeps trying to
# unload, calls at random; then nothing is left.
#
# kernel: stock backports
# modules: hadal_oa drm
# programs: oa_crowd oa_fuzz
# clock: free
# cpus: 2
# timeout: 600

modprobe drm
control_done
modprobe hadal_oa
metrics=/sys/class/drm/card0/metrics

exec 9<>/dev/dri/card0
while [ ! -e /tmp/done ]; do
	rmmod hadal_oa 2>/dev/null && echo unloaded >>/tmp/unloaded
	sleep 1
done &
oa_crowd 64 30 >/tmp/crowd
verdict $? "64 processes at once"
cat /tmp/crowd
touch /tmp/done
wait
equal "no set is left" "$(ls $metrics)" ""
equal "never unloaded while in use" "$(cat /tmp/unloaded 2>/dev/null)" ""

i=1
while [ $i -le 4 ]; do
	oa_fuzz $i 50000 >/tmp/fuzz$i &
	i=$((i + 1))
done
wait
cat /tmp/fuzz*
equal "four fuzzers came to their end" "$(grep -c '^# calls 50000 ' /tmp/fuzz1 /tmp/fuzz2 /tmp/fuzz3 /tmp/fuzz4 | cut -d: -f2 | tr '\n' ' ')" "1 1 1 1 "
equal "no set is left" "$(ls $metrics)" ""

note "a set, then unloading"
oa_crowd 1 1 >/dev/null
exec 9>&-
ok "unload" rmmod hadal_oa
equal "no sysctl is left" "$(ls -d /proc/sys/dev/i915 2>/dev/null)" ""
ok "load again" modprobe hadal_oa
device=$(basename "$(readlink -f /sys/class/drm/card0/device)")
note "taken away by hand, with a set in it and an open file"
oa_fuzz 9 2000 >/dev/null
exec 9<>/dev/dri/renderD128
echo "$device" >/sys/bus/pci/drivers/hadal_oa/unbind
equal "no card is left" "$(ls -d /sys/class/drm/card* 2>/dev/null)" ""
exec 9>&-
ok "unload" rmmod hadal_oa
ok "the kernel's log is clean" kernel_clean "$(oa_lines)"
