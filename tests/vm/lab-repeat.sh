# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Under a counted clock the same scenario gives the same nanoseconds, in every event of a train.
#
# kernel: stock
# modules: smi_inject
# repeat: yes

ok "the injector loads" modprobe smi_inject
ok "a train starts" inject trigger=hpet count=200 period_ns=1000000 length_ns=20000,200000,50000
inject_wait
equal "all SMIs came" "$(truth_of 0 smi)" 200
truth_json >/results/truth
