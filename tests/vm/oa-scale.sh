# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Adding the 10000th set to the virtual OA device costs at most 1.5 times as many instructions as the
# 10th.
#
# kernel: stock backports
# modules: hadal_oa
# programs: oa_scale
# clock: 4
# timeout: 500

modprobe hadal_oa
oa_scale >/tmp/scale
verdict $? "10000 sets come and go"
sed 's/^/# ns: /' /tmp/scale
read -r _ tenth last </tmp/scale
between "per cent of the 10th's cost" $((last * 100 / tenth)) 1 150
equal "no set is left" "$(ls /sys/class/drm/card0/metrics)" ""
ok "unload" rmmod hadal_oa
