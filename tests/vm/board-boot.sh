# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Boots to user space and leaves the kernel's log with its levels, for board-complaints to compare.
#
# firmware: board
# kernel: stock
# cpus: 4
# clock: free

dmesg -r >/results/log
equal "all CPUs are up" "$(cat /sys/devices/system/cpu/online)" "0-3"
