# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# A machine so slow that every step of the loop is longer than the threshold: records are dropped
# and counted, the windows still come, nothing stalls.
#
# kernel: stock
# modules: hadal_hwlat
# programs: hwlat_read
# clock: 7
# timeout: 600

knobs=/sys/kernel/hadal_hwlat

# total FIELD: over the window records.
total() {
	sed -n "s/^window .* $1=\([0-9]*\).*/\1/p" /tmp/records | awk '{ n += $1 } END { print n + 0 }'
}

control_done
modprobe hadal_hwlat
hwlat_read 3000 window=200000 width=100000 tracing_thresh=1 >/tmp/records
cp /tmp/records /results/
between "the floor says so, ns" "$(cat $knobs/floor)" 1001 2000
gaps=$(grep -c '^gap' /tmp/records)
between "windows" "$(grep -c '^window' /tmp/records)" 5 20
between "gaps kept" "$gaps" 1000 60000
between "gaps dropped" "$(total dropped)" 1000 10000000
between "found, and neither read nor told: in the window that the end of the run cut short" \
	$(($(cat $knobs/count) - gaps - $(total dropped))) 0 5000
ok "the kernel's log is clean" kernel_clean
