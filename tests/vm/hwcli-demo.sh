# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What a user sees on a stock kernel: a machine whose firmware takes 150 us and 30 ms by turns. `make demo`
# shows the same on our own firmware (board-demo). Half of the time is watched, and which half is drawn at
# random: of 14 long SMIs none is seen once in 2^14 runs.
#
# kernel: stock
# modules: hadal_hwlat smi_inject
# programs: hadal

mkdir -p /run
modprobe smi_inject
modprobe hadal_hwlat
inject trigger=tco count=0 period_ns=700000000 length_ns=150000,30000000
hadal hwlat -d 20s --limit 1ms >/results/demo 2>&1
equal "the limit is exceeded" $? 1
inject_set run=0
sed 's/^/# /' /results/demo
ok "it says what happened" grep -q 'gaps, the longest 30.0.* ms: all by SMIs; watched' /results/demo
ok "it says that the limit was exceeded" grep -q '^Limit 1.000 ms: exceeded' /results/demo
hadal doctor >/results/doctor
ok "doctor has the module ready" grep -q 'module *ready' /results/doctor
