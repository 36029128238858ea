# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# SMIs that nobody here wrote: UEFI firmware reads a variable in SMM, on all CPUs at once. It locks
# SMRAM, and there the injector must keep out.
#
# kernel: stock
# firmware: ovmf
# cpus: 2
# clock: free
# modules: smi_inject msr efivarfs

variables=/sys/firmware/efi/efivars

# smis CPU
smis()
{
	dd if="/dev/cpu/$1/msr" bs=8 count=1 skip=52 iflag=skip_bytes 2>/dev/null | od -An -tu8 | tr -d ' '
}

modprobe msr
modprobe efivarfs
mount -t efivarfs none $variables
first=$(smis 0) other=$(smis 1)
ok "a variable can be read" grep -q . $variables/BootOrder-*
between "SMIs on the boot CPU" $(($(smis 0) - first)) 1 100
equal "as many on the other CPU" $(($(smis 1) - other)) $(($(smis 0) - first))
fails "the injector does not load" modprobe smi_inject
dmesg | grep -q "smi_inject: .*: its firmware locked SMRAM"
verdict $? "and says why"
