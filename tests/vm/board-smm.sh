# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The board's SMM handler: SMRAM is locked, one CPU or all obey the injector. When all are called,
# nobody leaves before the last is in.
#
# kernel: backports
# firmware: board
# cpus: 2
# modules: smi_inject

# counts TEXT SMI0 SMI1: of both CPUs, the handler's and the hardware's.
counts()
{
	inject_wait
	equal "$1: SMIs of the handler" "$(truth_of 0 smi) $(truth_of 1 smi)" "$2 $3"
	equal "$1: SMIs of MSR 0x34" "$(truth_of 0 msr_smi) $(truth_of 1 msr_smi)" "$2 $3"
	truth | grep smi >/tmp/smis
	equal "$1: events" "$(wc -l </tmp/smis)" $(($2 + $3))
	equal "$1: all ended, none shorter than asked" "$(awk '$4 <= $3 || $4 - $3 < $5' /tmp/smis | wc -l)" 0
	equal "$1: all were asked for" "$(awk '$5 == 0' /tmp/smis | wc -l)" 0
}

# together TEXT COUNT: the N-th events of both CPUs are one gathering.
together()
{
	for cpu in 0 1; do
		truth | awk -v cpu=$cpu '$1 == cpu { print $3, $4, $5 }' >/tmp/cpu$cpu
	done
	paste /tmp/cpu0 /tmp/cpu1 >/tmp/gatherings
	cp /tmp/gatherings "/results/$1"
	equal "$1: gatherings" "$(wc -l </tmp/gatherings)" "$2"
	equal "$1: nobody left before the last was in, and had stayed" \
		"$(awk '{ last = $1 > $4 ? $1 : $4; first = $2 < $5 ? $2 : $5 } first - last < $3' /tmp/gatherings | wc -l)" 0
}

control_done
equal "SMRAM is locked and closed" \
	"$(dd if=/sys/bus/pci/devices/0000:00:00.0/config bs=1 skip=157 count=1 2>/dev/null | od -An -tx1)" " 1a"
ok "the injector loads" modprobe smi_inject
ok "one shot on CPU 0" inject cpu=0 length_ns=50000
counts "one shot on CPU 0" 1 0
ok "one shot on CPU 1" inject cpu=1
counts "one shot on CPU 1" 0 1
ok "one shot on all" inject cpu=all
counts "one shot on all" 1 1
together "one" 1
ok "train on CPU 0" inject trigger=hpet cpu=0 count=20 period_ns=5000000 length_ns=100000
counts "CPU 0" 20 0
ok "train on CPU 1" inject cpu=1
counts "CPU 1" 0 20
ok "train on all" inject cpu=all length_ns=100000,30000,200000
counts "all" 20 20
together "train" 20
ok "SMI, then NMI on CPU 1" inject cpu=1 event=smi+nmi
counts "SMI, then NMI on CPU 1" 0 20
equal "its NMIs" "$(truth_of 0 nmi) $(truth_of 1 nmi)" "0 20"

echo 0 >/sys/devices/system/cpu/cpu1/online
ok "a CPU that is off is called as well" inject trigger=once event=smi cpu=all count=1
inject_wait
equal "and comes" "$(truth_of 0 smi)" 1
echo 1 >/sys/devices/system/cpu/cpu1/online
ok "back again, it still has its handler" inject trigger=hpet cpu=1 count=20
counts "after hotplug" 0 20
ok "unload" rmmod smi_inject
ok "load again" modprobe smi_inject
ok "a train that goes on" inject trigger=hpet cpu=all count=0
ok "unload during it" rmmod smi_inject
ok "the kernel's log is clean" kernel_clean "^smpboot: |^x86: Booting SMP|^masked .* on CPU#N"
