# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The widest settings that are accepted: for longer than every watchdog's patience the only CPU
# samples without a sleep, and the rest of the system goes on.
#
# kernel: stock rt backports
# modules: hadal_hwlat
# timeout: 600

knobs=/sys/kernel/hadal_hwlat

# seconds: since boot.
seconds() {
	cut -d. -f1 /proc/uptime
}

control_done
modprobe hadal_hwlat
echo 18446744073709551615 >$knobs/window
echo 18446744073709551614 >$knobs/width
echo 1 >$knobs/enable
start=$(seconds)
# Waiting for RCU needs every CPU to pass a quiescent state; making an instance waits for it.
for _ in $(seq 7); do
	sleep 10
	mkdir /sys/kernel/tracing/instances/other
	rmdir /sys/kernel/tracing/instances/other
done
between "seconds" $(($(seconds) - start)) 70 200
end=$(seconds)
echo 0 >$knobs/enable
between "seconds to stop it" $(($(seconds) - end)) 0 1
# A slice ends after 4 ms with interrupts off, so that nobody waits longer for this CPU.
window=$(grep hwlat_window: /sys/kernel/tracing/instances/hadal/trace)
note "$window"
slices=$(echo "$window" | sed -n 's/.* slices=\([0-9]*\) .*/\1/p')
watched=$(echo "$window" | sed -n 's/.* watched_ns=\([0-9]*\) .*/\1/p')
between "ns of one slice" $((watched / slices)) 4000000 4001000
ok "unload" rmmod hadal_hwlat
ok "the kernel's log is clean" kernel_clean
