# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Four CPUs in parallel on the board's firmware: Linux starts all of them, each has its place in SMRAM, and a
# gathering has them all however long the host keeps one waiting.
#
# kernel: stock backports
# firmware: board
# cpus: 4
# clock: free
# modules: smi_inject

total()
{
	echo "$(truth_of 0 "$1") $(truth_of 1 "$1") $(truth_of 2 "$1") $(truth_of 3 "$1")"
}

# left_early: gatherings in which somebody left before the last was in, and had stayed.
left_early()
{
	truth | awk '{ n = ++turn[$1]
			if (!(n in last) || $3 > last[n]) last[n] = $3
			if (!(n in first) || $4 < first[n]) first[n] = $4
			asked[n] = $5 }
		END { for (n in last) if (first[n] - last[n] < asked[n]) early++; print early + 0 }'
}

equal "all CPUs are there" "$(cat /sys/devices/system/cpu/online)" 0-3
ok "the injector loads" modprobe smi_inject
for cpu in 0 1 2 3; do
	ok "one shot on CPU $cpu" inject trigger=once cpu=$cpu
	inject_wait
	equal "CPU $cpu had one, the others none" "$(total smi)" \
		"$(echo 0 0 0 0 | awk -v n=$((cpu + 1)) '{ $n = 1; print }')"
done
ok "gatherings of all" inject trigger=hpet cpu=all count=50 period_ns=10000000 length_ns=100000
inject_wait
equal "all were at each" "$(total smi)" "50 50 50 50"
equal "MSR 0x34 counted the same" "$(total msr_smi)" "$(total smi)"
equal "nobody left before the last was in" "$(left_early)" 0
ok "a train that goes on" inject cpu=all count=0
ok "unload during it" rmmod smi_inject
ok "load again" modprobe smi_inject
ok "it obeys again" inject trigger=once cpu=all count=1
inject_wait
equal "once each" "$(total smi)" "1 1 1 1"
