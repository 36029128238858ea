# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Timestamp case 2 in a real boot: no region. The bootblock's stash goes with it; of its stamps only the reset, which it
# hands on, is left. The romstage's own are moved to CBMEM.
#
# firmware: board-case2
# kernel: stock backports
# programs: hadal
# files: tests/vm/board_stamps
# repeat: yes

# shellcheck source=tests/vm/board_stamps
. /lab/files/board_stamps
boot_left "11 0 1 2 3 8 9 4 10 30 31 40 50 60 70 80 85 90 99"
