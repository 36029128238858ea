# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Four CPUs: modes, hotplug, masks, killed readers, a suspend, and unloading, each in the middle of
# a run. Counts only, no times.
#
# kernel: stock rt backports
# modules: hadal_hwlat
# programs: hwlat_read hwlat_device
# cpus: 4
# clock: 4
# timeout: 900

knobs=/sys/kernel/hadal_hwlat
instance=/sys/kernel/tracing/instances/hadal

# set_to FILE VALUE
set_to() {
	echo "$2" >"$knobs/$1"
}

# threads: the names of the module's threads.
threads() {
	cat /proc/[0-9]*/comm 2>/dev/null | grep '^hadal_hwlat' | sort | tr '\n' ' '
}

# cpu_power N 0|1
cpu_power() {
	echo "$2" >"/sys/devices/system/cpu/cpu$1/online"
}

# seen: CPUs that the trace has window records of. While it is read it stands still: a reader that is slower
# than the records come would never see its end.
seen() {
	echo 0 >$instance/tracing_on
	sed -n 's/.*hwlat_window: cpu=\([0-9]*\) .*/\1/p' $instance/trace | sort -u | tr '\n' ' '
	echo 1 >$instance/tracing_on
}

# windows: those since the last call.
windows() {
	seen
	echo >$instance/trace
}

# seen_on WANTED: within a minute these CPUs, and no other, have windows.
seen_on() {
	windows >/dev/null
	for second in $(seq 60); do
		sleep 1
		saw=$(seen)
		[ "$saw" != "$1" ] || return 0
	done
	note "saw '$saw', wanted '$1' for $second s"
	return 1
}

for cpu in 1 2 3; do
	cpu_power $cpu 0
	cpu_power $cpu 1
done
echo processors >/sys/power/pm_test
echo mem >/sys/power/state
control_done

modprobe hadal_hwlat
equal "all CPUs by default" "$(cat $knobs/tracing_cpumask)" f
# Under one counted clock the CPUs take turns, which each sees as gaps: thousands, as many as a reader
# of the trace can read.
set_to tracing_thresh 100000
set_to width 30000
set_to window 60000

note "per-cpu"
set_to mode per-cpu
set_to enable 1
equal "a thread on each CPU" "$(threads)" "hadal_hwlat/0 hadal_hwlat/1 hadal_hwlat/2 hadal_hwlat/3 "
ok "each has windows" seen_on "0 1 2 3 "
ok "CPU 2 goes" cpu_power 2 0
equal "and its thread" "$(threads)" "hadal_hwlat/0 hadal_hwlat/1 hadal_hwlat/3 "
ok "three have windows" seen_on "0 1 3 "
ok "CPU 2 comes" cpu_power 2 1
equal "and its thread" "$(threads)" "hadal_hwlat/0 hadal_hwlat/1 hadal_hwlat/2 hadal_hwlat/3 "
ok "four have windows" seen_on "0 1 2 3 "
set_to tracing_cpumask 5
equal "a smaller mask stops threads" "$(threads)" "hadal_hwlat/0 hadal_hwlat/2 "
ok "two have windows" seen_on "0 2 "
ok "a CPU outside the mask goes and comes" cpu_power 3 0
cpu_power 3 1
equal "without a thread" "$(threads)" "hadal_hwlat/0 hadal_hwlat/2 "
fails "an empty mask is refused" set_to tracing_cpumask 0
cpu_power 3 0
fails "an offline mask is refused" set_to tracing_cpumask 8
cpu_power 3 1

note "round-robin"
set_to mode round-robin
equal "one thread" "$(threads)" "hadal_hwlat "
ok "on two CPUs" seen_on "0 2 "
set_to tracing_cpumask e
ok "on three others" seen_on "1 2 3 "
ok "CPU 1 goes" cpu_power 1 0
ok "on the two that are left" seen_on "2 3 "
cpu_power 2 0
ok "on one" seen_on "3 "
cpu_power 3 0
equal "all of the mask are gone: it waits" "$(sleep 1; windows >/dev/null; sleep 1; windows)" ""
cpu_power 1 1
ok "and goes on with the first that comes" seen_on "1 "
cpu_power 2 1
cpu_power 3 1
ok "with all" seen_on "1 2 3 "
equal "the mode is what it was" "$(cat $knobs/mode)" "none [round-robin] per-cpu"
for mask in 1 2 4 8 3 c f 9 6 e; do
	set_to tracing_cpumask $mask
done
set_to tracing_cpumask f
ok "after many masks, on all" seen_on "0 1 2 3 "
taskset -p 2 "$(grep -l '^hadal_hwlat' /proc/[0-9]*/comm | cut -d/ -f3)" >/dev/null
ok "a user's taskset does not stop it" seen_on "0 1 2 3 "

note "none"
set_to tracing_cpumask 4
set_to mode none
ok "stays in its mask" seen_on "2 "
cpu_power 2 0
cpu_power 2 1
ok "also after its CPU was away" seen_on "2 "
set_to enable 0
equal "no thread" "$(threads)" ""

note "suspend: the CPUs go and come, the run goes on"
set_to tracing_cpumask f
set_to mode per-cpu
set_to enable 1
ok "suspend, as far as the CPUs" sh -c 'echo mem >/sys/power/state'
equal "a thread on each CPU" "$(threads)" "hadal_hwlat/0 hadal_hwlat/1 hadal_hwlat/2 hadal_hwlat/3 "
ok "each has windows" seen_on "0 1 2 3 "
set_to enable 0
hwlat_read 20000 mode=per-cpu tracing_thresh=100000 >/tmp/records &
reader=$!
sleep 1
ok "suspend under a reader" sh -c 'echo mem >/sys/power/state'
ok "the reader reads on" wait $reader
between "windows" "$(grep -c '^window' /tmp/records)" 20 10000

note "unloading and hotplug at once, runs of all kinds"
for mode in none round-robin per-cpu; do
	set_to mode $mode
	set_to enable 1
	(for i in 1 2 3; do cpu_power 1 0; cpu_power 1 1; done) &
	ok "unload during a $mode run" rmmod hadal_hwlat
	wait $!
	modprobe hadal_hwlat
	set_to tracing_thresh 100000
	set_to width 30000
	set_to window 60000
done

note "killed readers"
for i in $(seq 20); do
	hwlat_read 60000 mode=per-cpu tracing_thresh=100000 window=30000 width=20000 >/dev/null &
	reader=$!
	usleep $((i * 20000))
	kill -9 $reader
	wait $reader 2>/dev/null
done
equal "no thread after 20" "$(threads)" ""
hwlat_device >/tmp/device
verdict $? "the device keeps its promises"
sed 's/^/# /' /tmp/device

ok "unload" rmmod hadal_hwlat
equal "no instance is left" "$(ls /sys/kernel/tracing/instances)" ""
ok "the kernel's log is clean" kernel_clean
