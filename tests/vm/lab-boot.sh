# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Every kernel of the lab boots, runs hadal, loads a module, and gets its NMIs from the host.
#
# kernel: stock rt backports
# modules: msr
# programs: hadal

control_done
ok "hadal runs in the guest" hadal --version
ok "a distribution module loads" modprobe msr
ok "the MSR device is there" [ -c /dev/cpu/0/msr ]
before=$(awk '$1 == "NMI:" { print $2 }' /proc/interrupts)
ok "the host sends an NMI" host nmi
ok "the host sends another" host nmi
equal "both arrived" "$(awk '$1 == "NMI:" { print $2 }' /proc/interrupts)" $((before + 2))
fails "the host refuses what it does not know" host nonsense
dmesg | grep -q 'NMI received'
verdict $? "an NMI that nobody claims is in the log"
fails "and is not taken as clean" kernel_clean
