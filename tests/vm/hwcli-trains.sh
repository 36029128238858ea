# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2016 # lib.sh sets variables; awk programs
# Trains of SMIs and NMIs come back from `hadal hwlat` as they were made, and the tracer's share of
# the same trains beside them where the kernel has it.
#
# kernel: stock rt backports
# modules: hadal_hwlat smi_inject
# programs: hadal
# files: tests/vm/hwcli.sh
# timeout: 1500

# shellcheck source=tests/vm/hwcli.sh
. /lab/files/hwcli.sh

# watch BACKEND SECONDS INJECT...: a run around a train.
watch() {
	backend=$1 seconds=$2
	shift 2
	lines=/results/$name.$backend
	hadal hwlat --backend "$backend" -d "${seconds}s" --width 950ms --threshold 2us --watch \
		-o "$lines" &
	run=$!
	started "$lines"
	inject "$@"
	wait $run
	ok "$name: $backend: ends well" [ $? -eq 0 ]
	ok "$name: $backend: the train ran to its end" grep -q '^run=0' "$injector/control"
	inject_set run=0
}

# train NAME CAUSE SECONDS INJECT...
train() {
	name=$1 cause=$2
	shift 2
	watch module "$@"
	smi=$(truth_of 0 smi) nmi=$(truth_of 0 nmi)
	equal "$name: SMIs as the handler counted them" "$(counted "$lines" smi)" \
		"$([ "$smi" -gt 0 ] && echo "$smi" || echo null)"
	equal "$name: NMIs as the handler counted them" "$(counted "$lines" nmi)" "$nmi"
	equal "$name: every gap has the right cause" "$(gaps "$lines" "$cause")" "$(gaps "$lines")"
	equal "$name: nothing was dropped" "$(total "$lines" dropped)" 0
	events=$((smi > nmi ? smi : nmi))
	# 5 % of the time lies between windows: there some of many fall, and at times one of a few.
	between "$name: found by the module, of $events" "$(gaps "$lines")" $((events * 8 / 10 - 1)) "$events"
	cp "$lines" /tmp/module
	[ ! -e $tracing/hwlat_detector ] || beside "$@"
}

# beside SECONDS INJECT...: the tracer on the same train. It may not look better than it is.
beside() {
	watch tracer "$@"
	note "$name: of $(truth_of 0 smi) SMIs and $(truth_of 0 nmi) NMIs, the tracer tells" \
		"$(gaps "$lines") records for $(total "$lines" gaps) gaps, longest $(total "$lines" max_ns) ns," \
		"causes: $(sed -n 's/.*"causes":{\([^}]*\)}.*/\1/p' "$lines")"
	note "$name: the module tells $(gaps /tmp/module) gaps, longest $(total /tmp/module max_ns) ns"
	ok "$name: the tracer tells no more than there was" [ "$(gaps "$lines")" -le "$events" ]
}

# The handler's last look at the clock is 7 instructions early, and the step in which the SMI came
# is part of the gap.
step=$((7 * 16 + 400))

# exactly NS...: each length is one of these, and at most one step more.
exactly() {
	bad=$(lengths /tmp/module | while read -r ns; do
		good=
		for asked in "$@"; do
			[ "$ns" -lt "$asked" ] || [ "$ns" -gt $((asked + step)) ] || good=yes
		done
		[ -n "$good" ] || echo "$ns"
	done)
	equal "$name: lengths within one step of $*" "$bad" ""
	for asked in "$@"; do
		ok "$name: some of $asked ns" awk -v least="$asked" -v most=$((asked + step)) \
			-F'"duration_ns":' '$2 + 0 >= least && $2 + 0 <= most { found = 1 }
				END { exit !found }' /tmp/module
	done
}

mkdir -p /run
control_done
modprobe smi_inject
modprobe hadal_hwlat

# Also long enough for what some kernels do beside the first run, which takes half of a dozen seconds: the
# four SMIs of the next one would fall into its breaths.
train none smi 14 trigger=once event=smi length_ns=0 count=1
train slow smi 13 trigger=tco period_ns=2400000000 length_ns=150000 count=4
exactly 150000
train fast smi 4 trigger=hpet period_ns=10000000 length_ns=20000 count=200
exactly 20000
train long smi 4 period_ns=50000000 length_ns=5000000 count=30
exactly 5000000
train turns smi 4 period_ns=15000000 length_ns=20000,200000,50000 count=120
exactly 20000 200000 50000
train both 'smi+nmi' 4 event=smi+nmi period_ns=10000000 length_ns=100000 nmi_ns=40000 count=100
train nmis nmi 4 event=nmi period_ns=10000000 nmi_ns=40000 count=100

settled
ok "unload" rmmod hadal_hwlat
ok "the kernel's log is clean" kernel_clean
