# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The virtual OA device next to the real i915, which loads without any hardware: whichever is loaded
# or unloaded first, i915 has its sysctls. (Without a GPU it takes no oa_max_sample_rate but 0.)
#
# kernel: stock backports
# modules: hadal_oa i915
# clock: free
# timeout: 500

sysctls=/proc/sys/dev/i915

# values TEXT WANTED: of perf_stream_paranoid and oa_max_sample_rate.
values() {
	equal "$1" "$(cat $sysctls/perf_stream_paranoid $sysctls/oa_max_sample_rate 2>&1 | tr '\n' ' ')" "$2"
}

note "what i915 says by itself"
modprobe i915
values "i915's own" "1 100000 "
rmmod i915
equal "gone with it" "$(ls -d $sysctls 2>/dev/null)" ""
control_done

for parent in pci platform; do
	note "i915 first, ours on $parent"
	modprobe i915
	echo 0 >$sysctls/perf_stream_paranoid
	ok "load" modprobe hadal_oa parent=$parent
	values "still i915's" "0 100000 "
	equal "our device is not i915's" "$(basename "$(readlink /sys/class/drm/card0/device/driver)")" hadal_oa
	rmmod hadal_oa
	values "still i915's when ours is gone" "0 100000 "

	note "i915 goes first"
	modprobe hadal_oa parent=$parent
	rmmod i915
	values "ours take their place" "1 100000 "
	echo 0 >$sysctls/perf_stream_paranoid

	note "i915 comes again, after ours"
	modprobe i915
	values "i915's, and new" "1 100000 "
	echo 0 >$sysctls/perf_stream_paranoid
	rmmod hadal_oa
	values "i915's when ours is gone" "0 100000 "
	rmmod i915
	equal "gone with it" "$(ls -d $sysctls 2>/dev/null)" ""
done
ok "the kernel's log is clean" kernel_clean "$(oa_lines)"
