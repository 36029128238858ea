# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Boots to user space and leaves the kernel's log with its levels, for board-complaints to compare.
#
# firmware: board
# kernel: stock

dmesg -r >/results/log
equal "the CPU is up" "$(cat /sys/devices/system/cpu/online)" 0
