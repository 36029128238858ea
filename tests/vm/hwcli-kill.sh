# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Whatever kills `hadal hwlat`, and whenever: the settings are found as they were.
#
# kernel: rt
# modules: hadal_hwlat
# programs: hadal
# files: tests/vm/hwcli.sh
# timeout: 1800

# shellcheck source=tests/vm/hwcli.sh
. /lab/files/hwcli.sh

kills=200

# round BACKEND SIGNAL MICROSECONDS: kills a run after that time.
round() {
	hadal hwlat --backend "$1" -d 1h --window 30ms --width 10ms --mode "$4" >/dev/null 2>&1 &
	victim=$!
	usleep "$3"
	kill "-$2" $victim
	wait $victim 2>/dev/null
	settled
}

module_settings() {
	(cd /sys/kernel/hadal_hwlat && cat width window tracing_thresh tracing_cpumask mode enable)
}

mkdir -p /run
modprobe hadal_hwlat
echo 700000 >$tracing/hwlat_detector/width
echo 1300000 >$tracing/hwlat_detector/window
echo 33 >$tracing/tracing_thresh
settings >/tmp/before
module_settings >/tmp/module_before

# A fixed seed, so that under a counted clock a failure comes again.
awk -v kills=$kills 'BEGIN {
	srand(20240101)
	split("tracer module", backend, " ")
	# Not INT and QUIT: a shell has its background programs ignore them.
	split("KILL TERM KILL SEGV KILL HUP KILL BUS KILL ABRT", signal, " ")
	split("round-robin per-cpu none", mode, " ")
	for (i = 0; i < kills; i++)
		print backend[i % 2 + 1], signal[int(i / 2) % 10 + 1], int(rand() * 300000), mode[i % 3 + 1]
}' >/tmp/rounds
changed=0 busy=0
while read -r backend signal after mode; do
	round "$backend" "$signal" "$after" "$mode"
	settings >/tmp/after
	if ! cmp -s /tmp/before /tmp/after; then
		changed=$((changed + 1))
		note "$backend, SIG$signal after $after us:"
		diff /tmp/before /tmp/after | sed 's/^/# /'
		settings >/tmp/before
	fi
	[ "$(cat /sys/kernel/hadal_hwlat/enable)" = 0 ] || busy=$((busy + 1))
done </tmp/rounds
equal "settings changed by $kills kills" $changed 0
equal "runs left on by them" $busy 0
ok "the module can be taken" hadal hwlat --backend module -d 30ms --window 30ms --width 10ms -o /dev/null
ok "the tracer can be taken" hadal hwlat --backend tracer -d 30ms --window 30ms --width 10ms -o /dev/null
settings >/tmp/after
ok "and is given back" cmp /tmp/before /tmp/after
module_settings >/tmp/module_after
ok "the module's settings" cmp /tmp/module_before /tmp/module_after
ok "nothing runs" sh -c '! pidof hadal'

# The tracer remembers its last threshold: a run of ours is not what it remembers.
echo 0 >$tracing/tracing_thresh
mkdir $tracing/instances/other
echo hwlat >$tracing/instances/other/current_tracer
equal "the tracer's own memory" "$(cat $tracing/tracing_thresh)" 10
echo nop >$tracing/instances/other/current_tracer
rmdir $tracing/instances/other
echo 33 >$tracing/tracing_thresh

# Both are killed: now somebody has to ask for it.
hadal hwlat --backend tracer -d 1h >/dev/null 2>&1 &
run=$!
started_tracer
# shellcheck disable=SC2046
kill -KILL $(pidof hadal)
wait $run 2>/dev/null
ok "doctor knows" sh -c 'hadal doctor | grep -q -- "--restore"'
fails "a run is refused" hadal hwlat --backend tracer -d 1s
hadal hwlat --backend tracer -d 1s 2>&1 | grep -q -- 'hadal hwlat --restore'
verdict $? "and says what to do"
ok "restore" hadal hwlat --restore
settings >/tmp/after
ok "all is as it was" cmp /tmp/before /tmp/after
ok "restoring again changes nothing" hadal hwlat --restore -q
