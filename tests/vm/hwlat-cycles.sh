# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# A thousand runs begun and ended by hand, on four CPUs.
#
# kernel: stock rt backports
# modules: hadal_hwlat
# cpus: 4
# clock: 4
# timeout: 900

knobs=/sys/kernel/hadal_hwlat

control_done
modprobe hadal_hwlat
echo 300000 >$knobs/width
i=0
while [ $i -lt 1000 ]; do
	case $((i % 3)) in
	0) echo none >$knobs/mode ;;
	1) echo round-robin >$knobs/mode ;;
	2) echo per-cpu >$knobs/mode ;;
	esac
	echo 1 >$knobs/enable || break
	echo 0 >$knobs/enable || break
	i=$((i + 1))
	[ $((i % 100)) -ne 0 ] || note "$i at $(cut -d' ' -f1 /proc/uptime) s"
done
equal "enabled and disabled" $i 1000
equal "no thread is left" "$(cat /proc/[0-9]*/comm 2>/dev/null | grep '^hadal_hwlat')" ""
equal "settings as they were" "$(cat $knobs/tracing_thresh $knobs/width $knobs/window | tr '\n' ' ')" \
	"0 300000 1000000 "
ok "unload" rmmod hadal_hwlat
ok "the kernel's log is clean" kernel_clean
