# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Kept history in a real boot: a resume moves the table of the boot before it to an entry of its own, and the
# next resume the one of the resume before.
#
# firmware: board-keep
# kernel: stock backports
# rtc: host
# programs: hadal
# files: tests/vm/board_stamps tests/vm/board_resume
# repeat: generation1 generation2 generation3

# shellcheck source=tests/vm/board_resume
. /lab/files/board_resume

# kept: IDs of the stamps of before, which do not include the base that hadal adds.
kept()
{
	sed -n '/"presuspend": \[/,/\]/s/^ *"id": \([0-9]*\),$/\1/p' /results/boot.json | xargs
}

fresh="11 0 13 14 12 1 2 3 8 9 4 10 30 31 40 50 60 70 80 85 90 99"
woken="11 0 13 14 12 1 2 3 8 9 4 10 30 31 40 50 60 70 98"
fresh_left "$fresh"
sleep_s3
resume_left "$woken" 2
equal "the boot's stamps are kept" "$(kept)" "11 ${fresh#11 0 }"
ok "and shown under a heading" grep -q "^Before the suspend" /tmp/resume
sleep_s3
equal "the guest slept in S3 twice" "$(sleeps)" 2
resume_left "$woken" 3
equal "the first resume's stamps are kept" "$(kept)" "11 ${woken#11 0 }"
