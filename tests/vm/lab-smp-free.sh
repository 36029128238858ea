# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Four CPUs in parallel under a free clock: counts hold, and loading and unloading is safe. The host
# may keep a CPU waiting until two broadcast SMIs have become one, so only the CPU that drives the
# train has the whole count.
#
# kernel: stock
# cpus: 4
# clock: free
# modules: smi_inject

total()
{
	echo "$(truth_of 0 "$1") $(truth_of 1 "$1") $(truth_of 2 "$1") $(truth_of 3 "$1")"
}

control_done
for round in 1 2 3; do
	ok "round $round: load" modprobe smi_inject
	ok "round $round: SMIs on all" inject trigger=hpet cpu=all count=30 period_ns=10000000 \
		length_ns=100000
	inject_wait
	equal "round $round: CPU 0 had all" "$(truth_of 0 smi)" 30
	for cpu in 1 2 3; do
		between "round $round: CPU $cpu had some" "$(truth_of $cpu smi)" 1 30
	done
	equal "round $round: MSR 0x34 counted the same" "$(total msr_smi)" "$(total smi)"
	ok "round $round: NMIs on CPU 3" inject cpu=3 event=nmi count=20
	inject_wait
	equal "round $round: their counts" "$(total nmi)" "0 0 0 20"
	ok "round $round: a train that goes on" inject event=smi cpu=2 count=0
	ok "round $round: unload during it" rmmod smi_inject
done
ok "the kernel's log is clean" kernel_clean
