# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The board's firmware calls all CPUs into system management mode at once: hadal tells each gathering as one
# joined event. Two CPUs take turns in the emulator, which is a gap of 130 to 400 us; the threshold is above.
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
inject_set trigger=hpet event=smi cpu=all count=30 period_ns=53000000 length_ns=3000000
hadal hwlat -d 4s --mode per-cpu --width 450ms --window 500ms --threshold 1ms --json -o /results/run.json &
run=$!
sleep 1
inject
inject_wait
wait $run
ok "the run ends well" [ $? -eq 0 ]
truth_json >/results/truth
equal "each CPU was at every gathering" "$(truth_of 0 smi) $(truth_of 1 smi)" "30 30"
equal "none was shorter than asked" "$(truth | awk '$4 - $3 < $5' | wc -l)" 0
smi_gaps 0 >/tmp/gaps0
smi_gaps 1 >/tmp/gaps1
note "SMI gaps: $(wc -l </tmp/gaps0) on CPU 0, $(wc -l </tmp/gaps1) on CPU 1"
pairs=$(awk 'NR == FNR { start[NR] = $1; end[NR] = $2; n = NR; next }
	{ for (i = 1; i <= n; i++) if (start[i] <= $2 && $1 <= end[i]) pairs++ }
	END { print pairs + 0 }' /tmp/gaps0 /tmp/gaps1)
# A CPU that is between two slices as the SMI comes is not watched.
between "gatherings that both CPUs saw" "$pairs" 20 30
equal "each of them is one joined event" "$(field joint)" "$pairs"
equal "and nothing else is an event but what one CPU alone saw" "$(field events)" \
	$(($(cat /tmp/gaps0 /tmp/gaps1 | wc -l) - pairs))
ok "unload" rmmod hadal_hwlat
ok "the kernel's log is clean" kernel_clean
