# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What scenarios say: checks that print TAP, the host's hand, a look at the kernel's log.
# Files that a scenario leaves in /results are handed to the host.

tests=0
failures=0

# note TEXT: for people.
note()
{
	echo "# $*"
}

verdict()
{
	tests=$((tests + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tests - $2"
	else
		failures=$((failures + 1))
		echo "not ok $tests - $2"
	fi
}

# ok TEXT COMMAND...: the command must succeed.
ok()
{
	text=$1
	shift
	"$@"
	verdict $? "$text"
}

# fails TEXT COMMAND...: the command must not succeed.
fails()
{
	text=$1
	shift
	! "$@" 2>/dev/null
	verdict $? "$text"
}

# equal TEXT GOT WANTED
equal()
{
	[ "$2" = "$3" ]
	verdict $? "$1"
	[ "$2" = "$3" ] || note "got '$2', wanted '$3'"
}

# between TEXT GOT LEAST MOST: whole numbers.
between()
{
	[ "$2" -ge "$3" ] && [ "$2" -le "$4" ]
	inside=$?
	verdict $inside "$1 ($2)"
	[ $inside -eq 0 ] || note "wanted $3 to $4"
}

# skip_all REASON: this guest cannot show it.
skip_all()
{
	echo "1..0 # SKIP $*"
	exit 77
}

# The last line of a run.
finish()
{
	echo "1..$tests"
	[ "$tests" -gt 0 ] && [ "$failures" -eq 0 ]
	exit
}

# host REQUEST: asks the host to act on this machine and waits until it has. Requests: nmi.
# The host takes its own time, so even under a counted clock the moment is not repeatable.
host()
{
	stty -F /dev/ttyS2 115200 raw -echo
	exec 8<>/dev/ttyS2
	echo "$1" >&8
	read -r answer <&8
	exec 8>&-
	[ "$answer" = acted ]
}

kernel_lines()
{
	dmesg | sed 's/^\(<[0-9]*>\)*\[[^]]*\] //; s/0x[0-9a-f][0-9a-f]*/N/g; s/[0-9][0-9]*/N/g'
}

# control_done: what the kernel has logged up to here, at boot and in this scenario's own control
# run without the module, is what it says anyway.
control_done()
{
	kernel_lines | sort -u >/tmp/control
	kernel_lines | wc -l >/tmp/control_lines
}

# late_lines: what the kernel says of whatever was just running when it was made to wait. The host does
# that as long as it likes under a free clock, and the injector's SMIs on purpose.
late_lines()
{
	if grep -qE '^# (clock: free|modules:.* smi_inject)' /lab/scenario.sh; then
		echo 'hrtimer: interrupt took N ns|^INFO: NMI handler .* took too long|^perf: interrupt took too long'
		echo '^workqueue: .* hogged CPU|^clocksource: |^sched: DL replenish'
	fi
}

# kernel_clean [REGEX]: no complaint in the whole log, and since control_done no line that the
# control did not have, numbers aside, but those of an unsigned out-of-tree module, the one of the random
# numbers, which comes when it comes, late_lines, and those that match REGEX, which the scenario brings
# about on purpose.
kernel_clean()
{
	if dmesg | grep -E 'WARNING|BUG|Oops|[Ss]tall|soft lockup|hard LOCKUP|Call Trace' >/tmp/complaints; then
		sed 's/^/# /' /tmp/complaints
		return 1
	fi
	{
		echo 'loading out-of-tree module taints kernel|module verification failed: signature'
		echo '^random: crng init done$'
		late_lines
		[ -z "${1-}" ] || echo "$1" # an empty line would match all
	} >/tmp/expected_lines
	kernel_lines | tail -n "+$(($(cat /tmp/control_lines) + 1))" | grep -vxFf /tmp/control |
		grep -vEf /tmp/expected_lines >/tmp/new_lines || return 0
	sed 's/^/# new in the log: /' /tmp/new_lines
	return 1
}

# The SMI injector (module smi_inject): what it can be told is in its settings.c.
injector=/sys/kernel/debug/smi_inject

# inject_set NAME=VALUE...: changes settings, the others stay as they were.
inject_set()
{
	echo "$*" >"$injector/control"
}

# inject NAME=VALUE...: starts a train with these settings and the others.
inject()
{
	inject_set "$@" run=1
}

# inject_wait: until the train has made all its events.
inject_wait()
{
	while grep -q '^run=1' "$injector/control"; do
		usleep 20000
	done
	inject_set run=0
}

# truth_json: all that is known of the train.
truth_json()
{
	cat "$injector/truth"
}

# truth: every event of the train, a line each: cpu kind entry_tsc exit_tsc asked_ticks
truth()
{
	sed -n 's/[{}",:]/ /g; s/\]//g; /entry_tsc/p' "$injector/truth" |
		awk '{ print $2, $4, $6, $8, $10 }'
}

# truth_of CPU FIELD: smi, nmi, msr_smi or lost.
truth_of()
{
	sed -n "s/.*\"cpu\": $1, .*\"$2\": \([0-9]*\)[,}].*/\1/p" "$injector/truth" | head -n 1
}

# oa_lines: what the kernel says when the virtual OA device comes and goes, for kernel_clean.
oa_lines()
{
	echo '\[drm\]|PCI host bridge|pci_bus|pci [0-9N]*:|hadal_oa'
}
