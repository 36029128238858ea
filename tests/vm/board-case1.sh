# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Timestamp case 1 in a real boot: a _timestamp region that outlives stages and takes the stamps of all of them until
# CBMEM is up.
#
# firmware: board
# kernel: stock backports
# programs: hadal
# files: tests/vm/board_stamps
# repeat: yes

# shellcheck source=tests/vm/board_stamps
. /lab/files/board_stamps
boot_left "11 0 13 14 12 1 2 3 8 9 4 10 30 31 40 50 60 70 80 85 90 99"
