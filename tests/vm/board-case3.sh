# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Timestamp case 3 in a real boot: no region, and CBMEM is up before timestamp_init(): all stamps go straight there.
#
# firmware: board-case3
# kernel: stock backports
# programs: hadal
# files: tests/vm/board_stamps
# repeat: yes

# shellcheck source=tests/vm/board_stamps
. /lab/files/board_stamps
boot_left "11 0 1 8 9 4 10 30 31 40 50 60 70 80 85 90 99"
