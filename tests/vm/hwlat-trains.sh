# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # the variables come from hwlat_match.awk
# Trains of SMIs and NMIs of known length come back from the hwlat module as they were made.
#
# kernel: stock rt backports
# modules: hadal_hwlat smi_inject
# programs: hwlat_read
# files: tests/vm/hwlat_match.awk
# timeout: 900

knobs=/sys/kernel/hadal_hwlat

# train NAME SECONDS [SETTINGS...]: 950 ms of each second are watched while the train passes.
train() {
	name=$1 seconds=$2
	shift 2
	hwlat_read $((seconds * 1000)) window=1000000 width=950000 tracing_thresh=1 >/tmp/records &
	reader=$!
	sleep 1
	[ $# -eq 0 ] || inject "$@"
	wait $reader
	ok "$name: the train ran to its end" grep -q '^run=0' "$injector/control"
	inject_set run=0
	truth_json >"/results/$name.truth"
	mv /tmp/records "/results/$name.records"
	# The handler's last look at the clock is 7 instructions early, and the step in which the SMI came is
	# part of the gap.
	tail=$((7 * 16))
	step=$((tail + $(cat $knobs/floor)))
	awk -v "step=$step" -f /lab/files/hwlat_match.awk "/results/$name.truth" "/results/$name.records" >/tmp/match
	sed "s/^/# $name: /" /tmp/match
	eval "$(tr ' ' '\n' </tmp/match)"
	equal "$name: SMIs as the handler counted them" "$smi" "$truth_smi"
	equal "$name: NMIs as the handler counted them" "$nmi" "$truth_nmi"
	equal "$name: no gap without an event" "$empty" 0
	equal "$name: each gap has the counts of the events inside" "$miscounted" 0
	equal "$name: nothing was lost on the way" "$dropped $holes" "0 0"
	between "$name: found, but those in breaths" "$matched" "$least" "$events"
	between "$name: one clock, ns" "$clock_error" 0 "$clock_allowed"
}

# The first step of a slice is longer than the others: it comes from where the counters are read. It is
# 400 ns of 4 ms, so that one of ten thousand SMIs falls into it.
lengths_exact() {
	between "$name: no gap shorter than the SMI" "$least_excess" $tail $step
	between "$name: lengths within one step, but for the first of a slice" "$longer" 0 3
	between "$name: and within that" "$most_excess" 0 $((step + 40 * 16))
}

control_done
modprobe smi_inject
modprobe hadal_hwlat

# Also long enough for what some kernels do beside the first run, which takes half of a dozen seconds.
train quiet 14
equal "quiet: no record at a threshold of 1 us" "$gaps" 0
between "what a step costs, in instructions" $(($(cat $knobs/floor) / 16)) 8 16

train slow 13 trigger=tco event=smi period_ns=2400000000 length_ns=150000 count=4
lengths_exact
train fast 6 trigger=hpet period_ns=10000000 length_ns=20000 count=300
lengths_exact
between "fast: found" "$matched" 250 300
train shortest 4 period_ns=1000000 length_ns=5000 count=1000
lengths_exact
between "shortest: found" "$matched" 800 1000
train long 5 period_ns=50000000 length_ns=5000000 count=40
lengths_exact
train longest 5 period_ns=100000000 length_ns=10000000 count=20
lengths_exact
train turns 5 period_ns=15000000 length_ns=20000,200000,50000 count=120
lengths_exact
equal "turns: all three lengths" "$(sed -n 's/.*duration_ns=\([0-9]*\)...  *smi=1.*/\1/p' \
	/results/turns.records | sort -nu | tr '\n' ' ')" "20 50 200 "

train both 4 event=smi+nmi period_ns=10000000 length_ns=100000 nmi_ns=40000 count=100
between "both: each gap holds an SMI and its NMI" "$matched" 160 200
between "both: time in the NMI handler, ns" "$least_nmi_ns" 40000 45000
equal "both: SMI believed, NMI time known" "$flags" 5
train nmis 4 event=nmi period_ns=10000000 nmi_ns=40000 count=100
between "nmis: found" "$matched" 80 100
between "nmis: time in the handler, ns" "$least_nmi_ns" 40000 45000
equal "nmis: no SMI" "$smi" 0

ok "unload" rmmod hadal_hwlat
ok "the kernel's log is clean" kernel_clean
