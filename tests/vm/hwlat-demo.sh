# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What `make demo` shows: SMIs of 150 us, ten a second, and what `hadal hwlat` makes of them.
#
# kernel: stock
# modules: hadal_hwlat smi_inject
# programs: hadal

control_done
modprobe smi_inject
modprobe hadal_hwlat
inject trigger=hpet event=smi period_ns=100000000 length_ns=150000 count=40
hadal hwlat -d 3s >/results/hwlat.txt
ok "the run ends well" [ $? -eq 0 ]
inject_wait
ok "the gaps are SMIs" grep -q smi /results/hwlat.txt
rmmod hadal_hwlat
rmmod smi_inject
ok "the kernel's log is clean" kernel_clean "random: crng init done"
