# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# hadal hwlat with the module back end.
#
# kernel: stock rt backports
# modules: hadal_hwlat smi_inject
# programs: hadal
# timeout: 300
modprobe smi_inject
modprobe hadal_hwlat
hadal hwlat -d 4s --json -o /results/json &
r=$!
sleep 1
inject trigger=hpet count=20 period_ns=50000000 length_ns=150000
wait $r
hadal hwlat -d 3s &
r=$!
sleep 1
inject trigger=hpet count=20 period_ns=50000000 length_ns=150000
wait $r
ok "ran" true
