# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The injector does not touch a machine that is not the lab's, even QEMU's other one.
#
# kernel: stock
# machine: pc
# modules: smi_inject

control_done
fails "the injector does not load" modprobe smi_inject
dmesg | grep -q "smi_inject: runs only on QEMU's emulated q35 machine: this host bridge is another"
verdict $? "and says why"
ok "nothing else was logged" kernel_clean "^smi_inject: runs only on"
