# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # the variables come from hwlat_match.awk
# The kernel's own tracer and the module on the same trains, and what a step of each costs.
#
# kernel: rt
# modules: hadal_hwlat smi_inject
# programs: hwlat_read
# files: tests/vm/hwlat_match.awk
# timeout: 600

tracing=/sys/kernel/tracing
knobs=/sys/kernel/hadal_hwlat

# tracer_run NAME THRESHOLD SETTINGS...: leaves the tracer's records in /tmp/tracer.
tracer_run() {
	name=$1 threshold=$2
	shift 2
	echo 900000 >$tracing/hwlat_detector/width
	echo hwlat >$tracing/current_tracer
	echo "$threshold" >$tracing/tracing_thresh
	sleep 1
	[ $# -eq 0 ] || inject "$@"
	[ $# -eq 0 ] || inject_wait
	sleep 2
	grep 'inner/outer' $tracing/trace >/tmp/tracer
	echo nop >$tracing/current_tracer
	cp /tmp/tracer "/results/$name.tracer"
}

module_run() {
	name=$1 seconds=$2
	shift 2
	hwlat_read $((seconds * 1000)) window=1000000 width=900000 tracing_thresh=5 >/tmp/records &
	reader=$!
	sleep 1
	inject "$@"
	wait $reader
	inject_set run=0
	truth_json >/tmp/truth
	cp /tmp/records "/results/$name.records"
	awk -f /lab/files/hwlat_match.awk /tmp/truth /tmp/records >/tmp/match
	eval "$(tr ' ' '\n' </tmp/match)"
}

# side_by_side NAME SECONDS SETTINGS...
side_by_side() {
	label=$1 seconds=$2
	shift 2
	tracer_run "$label" 5 "$@"
	module_run "$label" "$seconds" "$@"
	note "$label: made $events, module: $gaps records with $matched of them, longest $longest ns," \
		"all $smi SMIs and $nmi NMIs counted"
	note "$label: tracer: $(wc -l </tmp/tracer) records, its count says $(sed -n \
		's/.*count:\([0-9]*\).*/\1/p' /tmp/tracer | awk '{ n += $1 } END { print n + 0 }')," \
		"with a cause: $(grep -c nmi-count /tmp/tracer)"
	equal "$label: the module counts what the handlers did" "$smi $nmi" "$truth_smi $truth_nmi"
	equal "$label: and gives each gap its own" "$empty $miscounted" "0 0"
	ok "$label: the tracer has fewer records" [ "$(wc -l </tmp/tracer)" -lt "$gaps" ]
}

control_done
modprobe smi_inject
modprobe hadal_hwlat
side_by_side fast 5 trigger=hpet event=smi period_ns=10000000 length_ns=20000 count=200
side_by_side turns 5 period_ns=15000000 length_ns=20000,200000,50000 count=120
side_by_side both 4 event=smi+nmi period_ns=10000000 length_ns=100000 nmi_ns=40000 count=100

# With a threshold of 0 the tracer counts every step of 1 us and more, and its steps take longer.
tracer_run steps 0
steps=$(sed -n 's/.*count:\([0-9]*\).*/\1/p' /tmp/tracer | sort -n | tail -n 1)
ours=$(($(cat $knobs/floor) / 16))
note "instructions a step: tracer $((900000000 / steps / 16)), module $ours"
between "instructions a step" "$ours" 8 16
ok "the tracer's step takes more than five of ours" [ $((900000000 / steps / 16)) -gt $((ours * 5)) ]
