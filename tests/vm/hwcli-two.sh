# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The command line on two CPUs: SMIs on one, the other, both. While one CPU samples, the other's turns in the
# emulator show as gaps too; so counts, causes and CPUs are compared, not lengths.
#
# kernel: backports rt
# cpus: 2
# modules: hadal_hwlat smi_inject
# programs: hadal
# files: tests/vm/hwcli.sh
# timeout: 900

# shellcheck source=tests/vm/hwcli.sh
. /lab/files/hwcli.sh

# of_cpu FIELD CPU NAME: a number of the end's totals, from the list FIELD.
of_cpu() {
	sed -n 's/.*"type":"end".*"'"$1"'":\[\([^]]*\)\].*/\1/p' "$lines" | tr '}' '\n' |
		sed -n 's/.*"cpu":'"$2"',.*"'"$3"'":\([0-9a-z]*\).*/\1/p'
}

# smi_records CPU: gaps there that are called SMIs, and how many SMIs they hold.
smi_records() {
	grep '"type":"gap"' "$lines" | grep "\"cpu\":$1," | sed -n 's/.*"cause":"smi","smi":\([0-9]*\),.*/\1/p' |
		awk '{ n += $1 } END { print n + 0 }'
}

# train NAME BACKEND MODE SMI0 SMI1 INJECT...
train() {
	lines=/results/$1 name=$1 smi0=$4 smi1=$5
	hadal hwlat --backend "$2" --mode "$3" -d 5s --window 500ms --width 450ms --threshold 50us --watch \
		-o "$lines" &
	run=$!
	shift 5
	started "$lines"
	inject "$@"
	inject_wait
	wait $run
	equal "$name: status" $? 0
	equal "$name: truth" "$(truth_of 0 smi) $(truth_of 1 smi)" "$smi0 $smi1"
	# Each CPU for itself: an SMI that stops both counts on both and is never added up.
	equal "$name: SMIs by CPU" "$(of_cpu smi 0 count) $(of_cpu smi 1 count)" "$smi0 $smi1"
	equal "$name: nothing was lost" "$(total "$lines" dropped)" 0
}

# seen: of the module, which tells SMIs gap by gap.
seen() {
	for cpu in 0 1; do
		came=$(truth_of $cpu smi)
		between "$name: SMIs in gaps of CPU $cpu" "$(smi_records $cpu)" $((came / 5)) "$came"
		equal "$name: the same in the totals of CPU $cpu" "$(of_cpu smi $cpu in_gaps)" "$(smi_records $cpu)"
	done
}

mkdir -p /run
control_done
modprobe smi_inject
modprobe hadal_hwlat
inject_set trigger=hpet event=smi count=20 period_ns=50000000 length_ns=300000
train one module per-cpu 20 0 cpu=0
seen
train other module per-cpu 0 20 cpu=1
seen
train both module per-cpu 20 20 cpu=all
seen
train turns module round-robin 20 20 cpu=all
if [ -e $tracing/hwlat_detector ]; then
	train tracer-other tracer per-cpu 0 20 cpu=1
	train tracer-both tracer per-cpu 20 20 cpu=all
fi
settled
ok "unload" rmmod hadal_hwlat
ok "the kernel's log is clean" kernel_clean "random: crng init done"
