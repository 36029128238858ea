# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Several CPUs: all at once, one that is off, and SMIs and NMIs told of the CPU that had them.
#
# kernel: rt
# cpus: 2
# clock: free
# modules: hadal_hwlat smi_inject
# programs: hadal
# files: tests/vm/hwcli.sh
# timeout: 600

# shellcheck source=tests/vm/hwcli.sh
. /lab/files/hwcli.sh

# of CPU FIELD: how many SMIs or NMIs the run had on that CPU.
of() {
	sed -n 's/.*"type":"end".*"'"$2"'":\[\([^]]*\)\].*/\1/p' /results/lines |
		sed 's/.*{"cpu":'"$1"',"count":\([0-9a-z]*\),.*/\1/'
}

mkdir -p /run
modprobe smi_inject
modprobe hadal_hwlat
settings >/tmp/before
hadal hwlat --backend module --mode per-cpu --window 100ms --width 80ms -d 20s --watch -o /results/lines &
run=$!
started /results/lines
inject trigger=hpet cpu=1 count=20 period_ns=20000000 length_ns=100000
inject_wait
inject event=nmi cpu=0 count=20
inject_wait
kill $run
wait $run
equal "SMIs of CPU 1 as the handler counted them" "$(of 1 smi)" 20
equal "SMIs of CPU 0" "$(of 0 smi)" 0
between "NMIs of CPU 0" "$(of 0 nmi)" 1 20
equal "no SMI gap on CPU 0" "$(grep '"cause":"smi' /results/lines | grep -c '"cpu":0,')" 0
between "SMI gaps on CPU 1" "$(grep '"cause":"smi' /results/lines | grep -c '"cpu":1,')" 1 20
for cpu in 0 1; do
	ok "CPU $cpu was watched" grep -q "\"cpu\":$cpu,.*\"type\":\"window\"\|\"type\":\"window\",\"cpu\":$cpu," /results/lines
done

echo 0 >/sys/devices/system/cpu/cpu1/online
hadal hwlat -c 0-1 -d 2s >/tmp/out 2>/tmp/messages
equal "a CPU that is off: status" $? 3
ok "a CPU that is off: named" grep -q 'not online: 1' /tmp/messages
ok "a CPU that is off: what there is" grep -q 'Online are: 0' /tmp/messages
hadal hwlat --backend tracer --mode per-cpu --window 100ms --width 50ms -d 2s --json -o /results/one
equal "by default only what is on" $? 0
ok "by default only what is on: the list" grep -q '"cpu": 0' /results/one
fails "by default only what is on: not the other" grep -q '"cpu": 1' /results/one
echo 1 >/sys/devices/system/cpu/cpu1/online
settled
settings >/tmp/after
ok "settings as found" cmp /tmp/before /tmp/after
