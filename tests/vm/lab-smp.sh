# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# SMIs and NMIs reach the CPU that was asked for, or all of them; each counts its own.
#
# kernel: stock backports rt
# cpus: 2
# modules: smi_inject

# counts TEXT SMI0 SMI1 NMI0 NMI1: of both CPUs, the handler's and the hardware's.
counts()
{
	inject_wait
	equal "$1: SMIs of the handler" "$(truth_of 0 smi) $(truth_of 1 smi)" "$2 $3"
	equal "$1: SMIs of MSR 0x34" "$(truth_of 0 msr_smi) $(truth_of 1 msr_smi)" "$2 $3"
	equal "$1: NMIs" "$(truth_of 0 nmi) $(truth_of 1 nmi)" "$4 $5"
	equal "$1: events" "$(truth | wc -l)" $(($2 + $3 + $4 + $5))
	equal "$1: all ended" "$(truth | awk '$4 <= $3' | wc -l)" 0
	equal "$1: none shorter than asked" "$(truth | awk '$4 - $3 < $5' | wc -l)" 0
}

control_done
ok "the injector loads" modprobe smi_inject
ok "train on CPU 0" inject trigger=hpet cpu=0 count=20 period_ns=5000000 length_ns=100000
counts "CPU 0" 20 0 0 0
ok "train on CPU 1" inject cpu=1
counts "CPU 1" 0 20 0 0
ok "train on both" inject cpu=all
counts "both" 20 20 0 0
ok "one shot on both" inject trigger=once count=1
counts "one shot on both" 1 1 0 0
ok "one shot on CPU 1" inject cpu=1
counts "one shot on CPU 1" 0 1 0 0
ok "NMIs on CPU 1" inject trigger=hpet event=nmi count=20
counts "NMIs on CPU 1" 0 0 0 20
ok "NMIs on both" inject cpu=all
counts "NMIs on both" 0 0 20 20
ok "SMI, then NMI on CPU 1" inject cpu=1 event=smi+nmi
counts "SMI, then NMI on CPU 1" 0 20 0 20

echo 0 >/sys/devices/system/cpu/cpu1/online
fails "a CPU that is off is refused" inject cpu=1
echo 1 >/sys/devices/system/cpu/cpu1/online
ok "back again, it still has its handler" inject event=smi
counts "after hotplug" 0 20 0 0
ok "unload" rmmod smi_inject
