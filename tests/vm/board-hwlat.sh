# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The board's firmware calls all CPUs into system management mode at once: hadal tells each gathering as one
# joined event. Two CPUs take turns in the emulator, which is a gap of up to 2 ms; the threshold is above.
#
# kernel: backports
# firmware: board
# cpus: 2
# modules: hadal_hwlat smi_inject
# programs: hadal
# timeout: 600

# field NAME: of the run's analysis.
field()
{
	sed -n "s/^ *\"$1\": \([0-9]*\),*\$/\1/p" /results/run.json | head -n 1
}

# smi_gaps CPU: start and end of each, in ns from the start of the run.
smi_gaps()
{
	awk -v cpu="$1" '/^  "totals"/ { exit }
		{ gsub(/[",:]/, "") }
		$1 == "cpu" { on = $2 } $1 == "start_ns" { start = $2 } $1 == "duration_ns" { ns = $2 }
		$1 == "cause" && $2 == "smi" && on == cpu { printf "%.0f %.0f\n", start, start + ns }' /results/run.json
}

mkdir -p /run
control_done
modprobe smi_inject
modprobe hadal_hwlat
inject_set trigger=hpet event=smi cpu=all count=100 period_ns=53000000 length_ns=5000000
hadal hwlat -d 8s --mode per-cpu --width 450ms --window 500ms --threshold 3ms --json -o /results/run.json &
run=$!
sleep 1
inject
inject_wait
wait $run
ok "the run ends well" [ $? -eq 0 ]
truth_json >/results/truth
equal "each CPU was at every gathering" "$(truth_of 0 smi) $(truth_of 1 smi)" "100 100"
equal "none was shorter than asked" "$(truth | awk '$4 - $3 < $5' | wc -l)" 0
smi_gaps 0 >/tmp/gaps0
smi_gaps 1 >/tmp/gaps1
note "SMI gaps: $(wc -l </tmp/gaps0) on CPU 0, $(wc -l </tmp/gaps1) on CPU 1"
pairs=$(awk 'NR == FNR { start[NR] = $1; end[NR] = $2; n = NR; next }
	{ for (i = 1; i <= n; i++) if (start[i] <= $2 && $1 <= end[i]) pairs++ }
	END { print pairs + 0 }' /tmp/gaps0 /tmp/gaps1)
# They are a period apart from end to end, a gap starts earlier if the other CPU's turn came before it.
gatherings=$(sort -n -k 2 /tmp/gaps0 /tmp/gaps1 | awk 'NR == 1 { first = $2 }
	{ n = int(($2 - first) / 53000000 + 0.5); if (!(n in seen)) count++; seen[n] = 1 }
	END { print count + 0 }')
# A CPU that is between two slices as the SMI comes is not watched; how often that is, is the emulator's.
between "gatherings that both CPUs saw" "$pairs" 10 100
equal "each of them is one joined event" "$(field joint)" "$pairs"
equal "each gathering that was seen is one event, and nothing else is" "$(field events)" "$gatherings"
ok "unload" rmmod hadal_hwlat
ok "the kernel's log is clean" kernel_clean
