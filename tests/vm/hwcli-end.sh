# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# However a run is ended, its document is whole and nothing is left behind.
#
# kernel: rt
# modules: hadal_hwlat
# programs: hadal
# files: tests/vm/hwcli.sh
# timeout: 600

# shellcheck source=tests/vm/hwcli.sh
. /lab/files/hwcli.sh

mkdir -p /run
modprobe hadal_hwlat
settings >/tmp/before

# left TEXT: nothing.
left() {
	settled
	settings >/tmp/after
	ok "$1: settings as found" cmp /tmp/before /tmp/after
}

for backend in module tracer; do
	for signal in INT TERM HUP; do
		hadal hwlat --backend $backend -d 1h --json -o /results/$backend.$signal &
		run=$!
		sleep 3
		kill -$signal $run
		wait $run
		equal "$backend: SIG$signal: status" $? 0
		ok "$backend: SIG$signal: a whole document" whole /results/$backend.$signal
		left "$backend: SIG$signal"
	done
	timeout 3 hadal hwlat --backend $backend -d 1h --json >/results/$backend.timeout
	ok "$backend: timeout: a whole document" whole /results/$backend.timeout
	left "$backend: timeout"

	hadal hwlat --backend $backend -d 1h --watch 2>/tmp/messages | head -n 1 >/tmp/line
	ok "$backend: closed pipe: what was read" grep -q '"type":"run"' /tmp/line
	equal "$backend: closed pipe: no word" "$(cat /tmp/messages)" ""
	left "$backend: closed pipe"

	hadal hwlat --backend $backend -d 3s --window 500ms --width 100ms --watch -o /results/$backend.lines
	equal "$backend: lines: status" $? 0
	ok "$backend: lines: the last one" sh -c "tail -n 1 /results/$backend.lines | grep -q '\"complete\":true'"

	hadal hwlat --backend $backend -d 2s --format=hwlatdetect >/results/$backend.hwlatdetect
	equal "$backend: hwlatdetect: status" $? 0
	ok "$backend: hwlatdetect: its words" grep -q '^Max Latency: Below threshold$' /results/$backend.hwlatdetect

	mkdir -p /tmp/full
	mount -t tmpfs -o size=4k none /tmp/full
	dd if=/dev/zero of=/tmp/full/file bs=4k count=1 2>/dev/null
	hadal hwlat --backend $backend -d 2s --json -o /tmp/full/out 2>/tmp/messages
	equal "$backend: full disk: status" $? 3
	ok "$backend: full disk: says so" grep -q 'No space left' /tmp/messages
	umount /tmp/full
	left "$backend: full disk"
done
