# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# On a machine that does not say it is virtual, the virtual OA device loads only when forced.
#
# kernel: stock backports
# modules: hadal_oa
# cpu: Nehalem,-hypervisor
# clock: free
# timeout: 200

fails "load" modprobe hadal_oa
equal "no card" "$(ls -d /sys/class/drm/card* 2>/dev/null)" ""
ok "the log says what to do" sh -c 'dmesg | grep -q "hadal_oa: not a virtual machine; force=1"'
ok "load by force" modprobe hadal_oa force=1
ok "a card" test -e /sys/class/drm/card0/metrics
ok "unload" rmmod hadal_oa
