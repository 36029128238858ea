# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The passive back end counts what the injector makes, says what it cost, and takes less than it promises.
#
# kernel: stock
# modules: smi_inject
# programs: hadal
# files: tests/vm/hwcli.sh
# timeout: 600

# shellcheck source=tests/vm/hwcli.sh
. /lab/files/hwcli.sh

# counter FILE NAME: of the first CPU over the whole run.
counter() {
	sed -n 's/.*"counters":\[{[^}]*"'"$2"'":\([0-9a-z]*\).*/\1/p' "$1"
}

# changes FILE NAME: the sum of what was told as it came.
changes() {
	grep '"type":"counts"' "$1" | sed -n 's/.*"'"$2"'":\([0-9]*\).*/\1/p' |
		awk '{ n += $1 } END { print n + 0 }'
}

# cheap FILE: at most 0.1 % of the run.
cheap() {
	cost=$(sed -n 's/.*"cost_ns":\([0-9]*\).*/\1/p' "$1")
	whole=$(sed -n 's/.*"type":"end".*"duration_ns":\([0-9]*\).*/\1/p' "$1")
	note "$cost ns of CPU time in $whole ns"
	[ "$cost" -gt 0 ] && [ $((cost * 1000)) -lt "$whole" ]
}

mkdir -p /run
# JSON wants a random number, and the first one after a boot costs the kernel a second of CPU time.
head -c 1 /dev/random >/dev/null
control_done
hadal hwlat --backend=passive -d 60s >/results/quiet
sed 's/^/# /' /results/quiet
ok "a guest's SMIs: unknown while none came" grep -q '^SMIs: unknown; NMIs: none; ' /results/quiet
ok "its cost is told" grep -q '^Cost: .* of CPU time, 0\.0[0-9]* % of one CPU' /results/quiet

modprobe smi_inject
inject_set trigger=hpet event=smi+nmi cpu=0 length_ns=100000 nmi_ns=20000 period_ns=130000000
hadal hwlat --backend=passive -d 60s --watch -o /results/counts &
run=$!
started /results/counts
inject count=200
wait $run
equal "status" $? 0
inject_wait
equal "the truth" "$(truth_of 0 msr_smi) $(truth_of 0 nmi)" "200 200"
equal "SMIs as the handler counted them" "$(counter /results/counts smi)" 200
equal "NMIs as the handler counted them" "$(counter /results/counts nmi)" 200
equal "SMIs as they came" "$(changes /results/counts smi)" 200
equal "NMIs as they came" "$(changes /results/counts nmi)" 200
equal "a guest without a steal clock" "$(counter /results/counts steal_ns)" null
ok "60 s cost at most 0.1 % of one CPU" cheap /results/counts
ok "no gaps, no windows" [ "$(grep -c '"type":"\(gap\|window\)"' /results/counts)" -eq 0 ]

hadal hwlat --backend=passive -d 1h --json -o /results/stopped &
run=$!
sleep 3
kill -INT $run
wait $run
equal "SIGINT: status" $? 0
ok "SIGINT: a whole document" whole /results/stopped
ok "the kernel's log is clean" kernel_clean
