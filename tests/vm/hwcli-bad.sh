# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What cannot be: a reason, a next step, a status, and nothing changed.
#
# kernel: rt
# modules: hadal_hwlat
# programs: hadal
# files: tests/vm/hwcli.sh
# timeout: 600

# shellcheck source=tests/vm/hwcli.sh
. /lab/files/hwcli.sh

# refused STATUS WORDS ARGUMENT...: the message has the words and a second line, stdout nothing.
refused() {
	status=$1 words=$2
	shift 2
	"${hadal:-hadal}" hwlat -d 2s "$@" >/tmp/out 2>/tmp/messages
	got=$?
	sed 's/^/# /' /tmp/messages
	equal "$*: status" $got "$status"
	ok "$*: says '$words'" grep -q -- "$words" /tmp/messages
	ok "$*: says what to do" [ "$(grep -c '^  ' /tmp/messages)" -ge 1 ]
	equal "$*: prints nothing" "$(cat /tmp/out)" ""
	settings >/tmp/after
	ok "$*: changes nothing" cmp /tmp/before /tmp/after
}

mkdir -p /run
settings >/tmp/before

refused 3 'installed, but not loaded' --backend module
modprobe hadal_hwlat
for backend in module tracer; do
	refused 2 'must be less than' --backend $backend --width 1s
	refused 2 'must be less than' --backend $backend --width 5 --window 5
	refused 2 'must be above 0' --backend $backend --width 0
	refused 2 'must be above 0' --backend $backend --threshold 0
	refused 2 'not a whole number' --backend $backend --width -5
	refused 2 'not a whole number' --backend $backend --window 1e6
	refused 2 'not a whole number' --backend $backend --threshold 5.0us
	refused 2 'too long' --backend $backend --window 99999999999999999999
	refused 2 'shorter than one window' --backend $backend --window 100h
	refused 2 'shorter than one window' --backend $backend -d 1
	refused 2 'whole microseconds' --backend $backend --threshold 1500ns
	refused 2 'list is empty' --backend $backend -c ''
	refused 2 'not a list' --backend $backend -c 1-0
	refused 3 'not online: 7' --backend $backend -c 0,7
done
refused 3 'interrupts off' --backend tracer -d 1h --width 6s --window 7s
hadal hwlat --backend module -d 1h >/dev/null 2>&1 &
run=$!
usleep 500000
settings >/tmp/before
refused 3 'busy: another run' --backend module
kill $run
wait $run
echo 1 >/sys/kernel/hadal_hwlat/enable
settings >/tmp/before
refused 3 'busy: another run' --backend module
echo 0 >/sys/kernel/hadal_hwlat/enable

hadal hwlat --backend tracer -d 1h >/dev/null 2>&1 &
run=$!
started_tracer
settings >/tmp/before
refused 3 'busy: another hadal run' --backend tracer
kill $run
wait $run
settled
echo hwlat >$tracing/current_tracer
settings >/tmp/before
refused 3 'busy: hwlat is selected' --backend tracer
echo nop >$tracing/current_tracer

cat >/tmp/as_nobody <<-'END'
	#!/bin/sh
	exec start-stop-daemon -S -q -c nobody:nobody -x /bin/hadal -- "$@"
END
chmod 755 /tmp/as_nobody
mkdir -p /etc
echo 'nobody:x:65534:65534::/:/bin/sh' >/etc/passwd
echo 'nobody:x:65534:' >/etc/group
settings >/tmp/before
hadal=/tmp/as_nobody
refused 3 'closed to this user' --backend module
refused 3 'closed to this user' --backend tracer
hadal=

umount $tracing
umount /sys/kernel/debug/tracing 2>/dev/null
umount /sys/kernel/debug
settings >/tmp/before 2>/dev/null
refused 3 'tracefs is not mounted' --backend tracer
rmmod hadal_hwlat
refused 3 'installed, but not loaded' --backend module
ok "without them all, user space is left" sh -c "hadal hwlat -d 2s | grep -q '^user on CPU 0'"
rm -r /lib/modules
refused 3 'not installed for kernel' --backend module
