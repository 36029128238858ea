# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The injector's SMIs and NMIs are as many, as long and as regular as asked, on one CPU.
#
# kernel: stock rt backports
# modules: smi_inject

# train TEXT COUNT SETTINGS...: runs it and checks its counts.
train()
{
	label=$1 count=$2
	shift 2
	ok "$label: starts" inject "$@"
	inject_wait
	equal "$label: the handler's count" "$(truth_of 0 smi)" "$count"
	equal "$label: MSR 0x34" "$(truth_of 0 msr_smi)" "$count"
	equal "$label: events in the ring" "$(truth | grep -c ' smi')" "$count"
	{ echo "# $label"; truth_json; } >>/results/truth
}

# lengths KIND LEAST MOST: from entry to exit, beyond what was asked.
lengths()
{
	between "shortest $1" "$(truth | awk -v k="$1" '$2 == k { print $4 - $3 - $5 }' |
		sort -n | head -n 1)" "$2" "$3"
	between "longest $1" "$(truth | awk -v k="$1" '$2 == k { print $4 - $3 - $5 }' |
		sort -n | tail -n 1)" "$2" "$3"
}

# distance KIND PERIOD SLACK: from entry to entry, in ns.
distance()
{
	truth | awk -v k="$1" '$2 == k { if (n++) print $3 - last; last = $3 }' | sort -n >/tmp/distances
	between "shortest distance" "$(head -n 1 /tmp/distances)" $(($2 - $3)) $(($2 + $3))
	between "longest distance" "$(tail -n 1 /tmp/distances)" $(($2 - $3)) $(($2 + $3))
}

control_done
ok "the injector loads" modprobe smi_inject
fails "an unknown name is refused" inject colour=red
fails "a period shorter than its SMI is refused" inject trigger=hpet period_ns=100000 length_ns=150000
fails "a CPU that is not there is refused" inject cpu=3
inject_set cpu=0

train "one shot" 1 trigger=once count=1 length_ns=50000
lengths smi 0 200

train "150 us every 10 ms" 20 trigger=hpet count=20 period_ns=10000000 length_ns=150000
lengths smi 0 200
distance smi 10000000 2000

train "three lengths in turn" 30 count=30 length_ns=20000,200000,50000
khz=$(truth_json | sed -n 's/.*"tsc_khz": \([0-9]*\).*/\1/p')
turn="$((20 * khz / 1000)) $((200 * khz / 1000)) $((50 * khz / 1000))"
equal "in turn" "$(truth | awk '{ print $5 }' | head -n 6 | tr '\n' ' ')" "$turn $turn "
lengths smi 0 200

train "5 us every 50 us" 1000 count=1000 period_ns=50000 length_ns=5000
lengths smi 0 200

ok "more than the ring holds" inject count=5000 period_ns=50000 length_ns=1000
inject_wait
equal "all are counted" "$(truth_of 0 smi) $(truth_of 0 msr_smi)" "5000 5000"
equal "those without room are told" "$(truth_of 0 lost) $(truth | wc -l)" "904 4096"

train "TCO timer" 3 trigger=tco count=3 period_ns=1200000000 length_ns=150000
lengths smi 0 200
distance smi 1200000000 2000

train "SMI, then NMI" 10 trigger=hpet event=smi+nmi count=10 period_ns=10000000 length_ns=100000 \
	nmi_ns=40000
equal "an NMI for each" "$(truth_of 0 nmi)" 10
lengths smi+nmi 0 200
lengths nmi 0 2000
equal "each NMI follows its SMI at once" \
	"$(truth | sort -n -k 3 | awk '$2 == "nmi" && $3 - last < 100000 { n++ } { last = $4 } END { print n }')" 10

ok "NMIs alone" inject event=nmi count=10
inject_wait
equal "their count" "$(truth_of 0 nmi)" 10
equal "no SMI" "$(truth_of 0 smi) $(truth_of 0 msr_smi)" "0 0"
distance nmi 10000000 2000

ok "unload" rmmod smi_inject
ok "load again" modprobe smi_inject
train "after loading again" 5 trigger=hpet count=5 length_ns=10000
ok "start one that goes on" inject count=0
ok "unload during it" rmmod smi_inject
ok "the kernel's log is clean" kernel_clean
