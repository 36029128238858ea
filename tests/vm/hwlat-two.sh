# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # the variables come from hwlat_match.awk
# Two CPUs: SMIs on one, the other, both. While one samples, the other's turns show as gaps too, a
# repeatable model of a hypervisor; so counts, causes, CPUs and the handler's log are compared, not
# lengths.
#
# kernel: backports stock
# cpus: 2
# modules: hadal_hwlat smi_inject
# programs: hwlat_read
# files: tests/vm/hwlat_match.awk
# timeout: 600

# smis CPU: sum of the window records' counts.
smis() {
	sed -n "s/^window cpu=$1 .* smi=\([0-9]*\) .*/\1/p" /tmp/records | awk '{ n += $1 } END { print n + 0 }'
}

# train NAME MODE SMI0 SMI1 SETTINGS...
train() {
	name=$1 mode=$2 smi0=$3 smi1=$4
	shift 4
	hwlat_read 6000 window=500000 width=450000 tracing_thresh=50 mode="$mode" >/tmp/records &
	reader=$!
	sleep 1
	inject "$@"
	inject_wait
	wait $reader
	truth_json >"/results/$name.truth"
	cp /tmp/records "/results/$name.records"
	awk -f /lab/files/hwlat_match.awk "/results/$name.truth" /tmp/records >/tmp/match
	sed "s/^/# $name: /" /tmp/match
	eval "$(tr ' ' '\n' </tmp/match)"
	equal "$name: truth" "$(truth_of 0 smi) $(truth_of 1 smi)" "$smi0 $smi1"
	equal "$name: SMIs by CPU" "$(smis 0) $(smis 1)" "$smi0 $smi1"
	equal "$name: no gap is called an SMI without one inside, on that CPU" "$miscounted" 0
	equal "$name: nothing was lost" "$dropped $holes" "0 0"
	# A breath lasts until the emulator gives the CPU its next turn, so four tenths of a window may be one.
	between "$name: SMI records" "$matched" "$least" "$events"
}

control_done
modprobe smi_inject
modprobe hadal_hwlat
# The period keeps no step with the ticks and so with the turns.
inject_set trigger=hpet event=smi count=60 period_ns=47130000 length_ns=300000
train one per-cpu 60 0 cpu=0
train other per-cpu 0 60 cpu=1
train both per-cpu 60 60 cpu=all
train turns round-robin 60 60 cpu=all
ok "unload" rmmod hadal_hwlat
ok "the kernel's log is clean" kernel_clean
