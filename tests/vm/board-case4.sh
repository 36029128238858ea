# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Timestamp case 4 in a real boot: no region, a resume, and CBMEM comes up after timestamp_init(): the table
# is reset, then takes what the stage's stash holds.
#
# firmware: board-case2
# kernel: stock backports
# rtc: host
# programs: hadal
# files: tests/vm/board_stamps tests/vm/board_resume
# repeat: generation1 generation2

# shellcheck source=tests/vm/board_resume
. /lab/files/board_resume
fresh_left "11 0 1 2 3 8 9 4 10 30 31 40 50 60 70 80 85 90 99"
suspend
equal "the guest slept in S3" "$(sleeps)" 1
resume_left "11 0 1 2 3 8 9 4 10 30 31 40 50 60 70 98" 2
fails "the stamps before the suspend are gone" grep -qE "Before the suspend|Left over" /tmp/resume
