# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The injector gives back the registers that it used, and what it leaves in SMRAM does no harm.
#
# kernel: stock
# append: iomem=relaxed
# modules: smi_inject msr

# port ADDRESS BYTES
port()
{
	dd if=/dev/port bs=1 skip=$(($1)) count="$2" 2>/dev/null | od -An -tx1
}

# pin N: its redirection entry in the I/O APIC.
pin()
{
	for half in 0 1; do
		devmem 0xfec00000 32 $((0x10 + 2 * $1 + half))
		devmem 0xfec00010 32
	done
}

# The HPET's timer 2, the pins that it may use, TCO1_CNT, TCO_TMR, SMRAM control.
registers()
{
	devmem 0xfed00140 64
	for number in 16 17 18 19 20 21 22 23; do
		pin $number
	done
	port 0x668 2
	port 0x672 2
	dd if=/sys/bus/pci/devices/0000:00:00.0/config bs=1 skip=157 count=1 2>/dev/null | od -An -tx1
}

smis()
{
	dd if=/dev/cpu/0/msr bs=8 count=1 skip=52 iflag=skip_bytes 2>/dev/null | od -An -tu8 | tr -d ' '
}

modprobe msr
registers >/tmp/before
cp /tmp/before /results/registers
ok "the registers can be seen" [ "$(grep -c '^0x' /tmp/before)" -eq 17 ]
for trigger in hpet tco; do
	ok "$trigger: load" modprobe smi_inject
	ok "$trigger: a train" inject trigger=$trigger count=0 period_ns=1200000000 length_ns=10000
	registers >/tmp/during
	fails "$trigger: it uses registers" cmp -s /tmp/before /tmp/during
	ok "$trigger: unload during the train" rmmod smi_inject
	registers >/tmp/after
	ok "$trigger: the registers are as before" cmp /tmp/before /tmp/after
done

# The firmware left SMIs by the port 0xb2 switched on: the handler that stays behind just returns.
before=$(smis)
printf '\0' | dd of=/dev/port bs=1 seek=178 2>/dev/null
equal "an SMI afterwards is survived" "$(smis)" $((before + 1))
