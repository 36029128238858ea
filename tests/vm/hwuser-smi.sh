# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC3045 # variables from hwuser_match.awk; busybox has ulimit -r
# From user space, without privilege, with interrupts on, on a busy system: SMIs are found as gaps in which
# the kernel did not run, NMIs are the kernel's, and without an injection there is no such gap at all.
#
# kernel: stock rt
# modules: smi_inject
# programs: hadal
# files: tests/vm/hwcli.sh tests/vm/hwuser_match.awk
# timeout: 900

# shellcheck source=tests/vm/hwcli.sh
. /lab/files/hwcli.sh

# Work for the same CPU: forks, faults, timers.
busy() {
	while :; do
		ls -l /proc/self /sys/class >/dev/null
		usleep 5000
	done
}

# as_nobody NAME ARGUMENT...: an unprivileged run that may have a real-time priority.
as_nobody() {
	lines=/results/$1
	shift
	(
		ulimit -r 1
		exec start-stop-daemon -S -q -c nobody:nobody -x /bin/hadal -- hwlat --backend=user \
			--threshold 100us --all --width 900ms --watch "$@"
	) >"$lines"
	equal "$lines: status" $? 0
	ok "$lines: the mark works" grep -q '"told_by":"marker","shared":false' "$lines"
	ok "$lines: a real-time priority" grep -q '"realtime":true' "$lines"
	equal "$lines: nothing was dropped" "$(total "$lines" dropped)" 0
}

# without_kernel: how many gaps.
without_kernel() {
	grep '"type":"gap"' "$lines" | grep -vc '"cause":"kernel"'
}

mkdir -p /run /etc
echo 'nobody:x:65534:65534::/:/bin/sh' >/etc/passwd
echo 'nobody:x:65534:' >/etc/group
control_done
modprobe smi_inject
inject_set trigger=hpet cpu=0 event=smi length_ns=150000 nmi_ns=200000 period_ns=61300000
busy &
load=$!

as_nobody control -d 2s
equal "control: no gap without the kernel" "$(without_kernel)" 0

inject count=0
as_nobody smi -d 3s
inject_set run=0
truth_json >/results/smi.truth
awk -f /lab/files/hwuser_match.awk /results/smi.truth "$lines" >/tmp/match
sed 's/^/# /' /tmp/match
eval "$(tr ' ' '\n' </tmp/match | sed 's/^false=/strange=/')"
between "smi: found without the kernel" "$found" 30 1000
between "smi: seen, of those in windows" $((found + merged)) "$least" "$watched"
# A tick that comes due during the SMI is served right after it: nobody can tell that from a slow tick.
between "smi: inside a gap of the kernel's, of $watched" "$merged" 0 $((watched / 4))
equal "smi: no such gap without one" "$strange" 0
between "smi: their lengths, by how much longer than the handler saw (ns)" "$most_excess" 0 2000

inject event=nmi count=0
as_nobody nmi -d 2s
inject_set run=0
between "nmi: they came" "$(counted "$lines" nmi)" 20 1000
equal "nmi: no gap without the kernel" "$(without_kernel)" 0
between "nmi: gaps of the kernel's" "$(gaps "$lines" kernel)" 20 1000

# As root the counter of SMIs can be read: each has its name.
hadal hwlat --backend=user --threshold 100us --width 900ms -d 2s --watch -o /results/root &
run=$!
lines=/results/root
started $lines
inject event=smi count=0
wait $run
equal "root: status" $? 0
inject_set run=0
equal "root: all gaps are SMIs" "$(gaps "$lines" smi)" "$(gaps "$lines")"
between "root: and there are some" "$(gaps "$lines")" 10 1000

floor=$(sed -n 's/.*"type":"end".*"floor_ns":\([0-9]*\).*/\1/p' "$lines")
note "a step of the loop takes $floor ns"
if [ $((floor * 5)) -gt 1000 ]; then
	hadal hwlat --backend=user --threshold 1us -d 2s 2>/tmp/messages
	equal "a threshold near the loop's own step is refused" $? 3
	ok "and the step is told" grep -q "one step takes [0-9]* ns" /tmp/messages
fi
kill $load
ok "the kernel's log is clean" kernel_clean
