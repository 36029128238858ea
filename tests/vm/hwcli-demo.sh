# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What a user sees on a stock kernel: a machine whose firmware takes 150 us every 2.4 s, and 30 ms now
# and then. `make demo` shows the same on our own firmware (board-demo).
#
# kernel: stock
# modules: hadal_hwlat smi_inject
# programs: hadal

mkdir -p /run
modprobe smi_inject
modprobe hadal_hwlat
inject trigger=tco count=0 period_ns=2400000000 length_ns=150000,150000,30000000
hadal hwlat -d 20s --limit 1ms >/results/demo 2>&1
equal "the limit is exceeded" $? 1
inject_set run=0
sed 's/^/# /' /results/demo
ok "it says what happened" grep -q 'gaps, the longest 30.0.* ms: all by SMIs; watched' /results/demo
ok "it says that the limit was exceeded" grep -q '^Limit 1.000 ms: exceeded' /results/demo
hadal doctor >/results/doctor
ok "doctor has the module ready" grep -q 'module *ready' /results/doctor
