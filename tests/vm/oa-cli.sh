# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# hadal oa add, list and remove on the virtual OA device, and doctor's lines about it: what is loaded is
# what the file has, all or nothing, no UUID taken for the same unseen, privilege, signals.
#
# kernel: stock backports
# modules: hadal_oa drm
# programs: hadal oa_raw setpriv
# files: tests/data/oa-xml/oa-bdw.xml tests/data/oa-xml/oa-sklgt2.xml tests/data/oa-xml/oa-tglgt2.xml tests/vm/oa_registers.awk
# clock: free
# timeout: 900

metrics=/sys/class/drm/card0/metrics
paranoid=/proc/sys/dev/i915/perf_stream_paranoid
tgl=/lab/files/oa-tglgt2.xml
basic=0fc397c0-4833-492c-9ccd-4929d574d5b8
last=6607f034-d053-40d1-8215-67c07f3041bb # TestOa, the last of the file

# ends TEXT STATUS COMMAND...: what it says goes to /tmp/said, results and messages alike.
ends() {
	text=$1 wanted=$2
	shift 2
	"$@" >/tmp/said 2>&1
	equal "$text" $? "$wanted"
}

# said TEXT WORDS: a regular expression in /tmp/said.
said() {
	grep -q -- "$2" /tmp/said
	found=$?
	verdict $found "$1"
	[ $found -eq 0 ] || sed 's/^/# /' /tmp/said
}

loaded() {
	ls $metrics
}

count() {
	loaded | wc -l
}

# as_user [OPTION...] hadal ...: without privilege, but for what the options give. By its path: the shell
# would take busybox's own.
as_user() {
	/bin/setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

modprobe drm
control_done
ends "list without a GPU" 3 hadal oa list
said "it says which drivers it looks for" 'no GPU of the drivers i915, xe or hadal_oa'
ends "doctor without a GPU" 0 hadal doctor
said "it says what to do" 'sudo modprobe hadal_oa'

note "all sets of one platform"
modprobe hadal_oa gen=tgl
awk -f /lab/files/oa_registers.awk $tgl >/tmp/wanted
uuids=$(sed -n 's/^set //p' /tmp/wanted)
ends "a dry run" 0 hadal oa add --dry-run $tgl
said "it would add all" '^26 sets: 26 would-add$'
equal "and has not" "$(count)" 0
ends "add all" 0 hadal oa add $tgl
cp /tmp/said /results/add
said "26 are added" '^26 sets: 26 added$'
equal "26 are there" "$(count)" 26
# shellcheck disable=SC2086 # one word each
oa_raw dump $uuids >/tmp/have
ok "each has the registers of the file, in order" cmp /tmp/wanted /tmp/have
between "registers compared" "$(wc -l </tmp/have)" 2440 2450
ends "list" 0 hadal oa list $tgl
cp /tmp/said /results/list
equal "each has its id" "$(sed -n 's/^ *\([0-9]*\)  \([0-9a-f-]*\)  dynamic .*/\2 \1/p' /tmp/said | sort)" \
	"$(for set in "$metrics"/*; do echo "${set##*/} $(cat "$set/id")"; done)"
said "and its name" "  $basic  dynamic   RenderBasic$"
ends "add them again" 0 hadal oa add $tgl
said "all are present" '^26 sets: 26 present$'
ends "doctor" 0 hadal doctor
said "driver and generation" 'card0 *ready *hadal_oa, tgl (0x9a49), sets loaded: 26'
said "interface" 'node *ready *.*OA interface version 5'
said "who may" 'privilege *ready *.*perf_stream_paranoid is 1, and this process has the capability'
id=$(cat $metrics/$last/id)
ends "remove by UUID, in braces and upper case" 0 hadal oa remove "{$(echo $basic | tr a-f A-F)}"
said "it prints the UUID" "^removed  *[0-9]*  $basic$"
ends "remove by id" 0 hadal oa remove "$id"
said "it prints the UUID, too" "^removed  *$id  $last$"
equal "24 are left" "$(count)" 24
ends "remove what is not there" 1 hadal oa remove $basic 3
said "it says so" "$basic: no loaded set has this UUID or id"
equal "and removes nothing else" "$(count)" 24
ends "remove all" 0 hadal oa remove all
said "24 are removed" '^24 sets removed$'
equal "none is left" "$(count)" 0

note "all or nothing"
sed '/symbol_name="TestOa"/,$s/0x00000D04/0x0000DEAD/' $tgl >/tmp/bad.xml
ends "a set with a register that is not allowed" 1 hadal oa add /tmp/bad.xml
said "it says which register" '^  *line [0-9]*: mux\[0\] 0x0000dead: not allowed; nearest 0x00009884-0x00009888'
said "and counts" '^26 sets: 1 refused, 25 untried$'
equal "nothing is added" "$(count)" 0
ends "what can be" 1 hadal oa add --keep-going /tmp/bad.xml
said "the others are added" '^26 sets: 25 added, 1 refused$'
equal "and are there" "$(count)" 25
hadal oa remove all >/dev/null
sed '/symbol_name="TestOa"/,$s/0x00000D04/0x0038D100/' $tgl >/tmp/mtl.xml
ends "a set that the kernel refuses, whatever the rules asked for say" 1 hadal oa add --gen=mtl /tmp/mtl.xml
said "what the kernel said" "$last: the driver refuses the registers"
said "those before it are taken back" '^26 sets: 1 failed, 25 taken-back$'
equal "nothing is there" "$(count)" 0

note "the same UUID"
hadal oa add $tgl --set=RenderBasic >/dev/null
sed "/hw_config_guid=\"$basic\"/,/<.set>/s/0x00000200/0x00000300/" $tgl >/tmp/changed.xml
oa_raw dump $basic >/tmp/before
ends "other registers" 1 hadal oa add /tmp/changed.xml --set=RenderBasic
said "it says so" "^different .*$basic"
said "and what can be done" '--replace'
oa_raw dump $basic >/tmp/after
ok "the set is as it was" cmp /tmp/before /tmp/after
ends "a dry run with --replace" 0 hadal oa add --dry-run --replace /tmp/changed.xml --set=$basic
said "it would replace" '^1 set: 1 would-replace$'
sed '/symbol_name="TestOa"/,$s/0x00000D04/0x0038D100/' /tmp/changed.xml >/tmp/both.xml
ends "replaced, but a later one is refused" 1 hadal oa add --replace --gen=mtl /tmp/both.xml
oa_raw dump $basic >/tmp/after
ok "the set is put back as it was" cmp /tmp/before /tmp/after
equal "and nothing else is there" "$(count)" 1
ends "replace" 0 hadal oa add --replace /tmp/changed.xml --set=RenderBasic
said "it did" '^1 set: 1 replaced$'
oa_raw dump $basic >/tmp/after
equal "one register differs" "$(diff /tmp/before /tmp/after | grep -c '^[-+][a-z]')" 2
hadal oa remove all >/dev/null
twin=$(echo $basic | tr a-f A-F)
oa_raw add "$twin" 1
ends "the same UUID in another case" 0 hadal oa add $tgl --set="{$twin}"
said "it is pointed out" "same UUID in another case, $twin"
equal "both are there" "$(count)" 2
ends "which of the two?" 1 hadal oa remove "{$twin}"
said "it asks" '2 sets have this UUID in different case'
ends "this one" 0 hadal oa remove "$twin"
equal "the other one stays" "$(loaded)" $basic
hadal oa remove all >/dev/null
sed "s/$basic/{$twin}/" $tgl >/tmp/braces.xml
ends "braces and upper case in a file" 0 hadal oa add /tmp/braces.xml --set=RenderBasic
said "it says how it takes it" "UUID {$twin} is taken as $basic"
equal "and does" "$(loaded)" $basic
hadal oa remove all >/dev/null

note "sets of other GPUs"
ends "files of two GPUs" 0 hadal oa add $tgl /lab/files/oa-sklgt2.xml
said "those that do not fit are passed over" '22 sets made for other GPUs passed over'
equal "the others are there" "$(count)" 26
hadal oa remove all >/dev/null
ends "only of another GPU" 1 hadal oa add /lab/files/oa-sklgt2.xml
said "it says so" 'the sets are made for another GPU than this, which is tgl'
equal "nothing is added" "$(count)" 0

note "privilege"
ends "the node is closed" 3 as_user hadal oa add $tgl
said "it says which" '/dev/dri/renderD128 is closed to this user'
chmod 666 /dev/dri/renderD128
ends "paranoid is 1" 3 as_user hadal oa add $tgl
said "file, value, capabilities" "not permitted: $paranoid is 1, and this process has neither CAP_PERFMON nor CAP_SYS_ADMIN"
said "the command" 'sudo sysctl dev.i915.perf_stream_paranoid=0'
equal "once, not for each set" "$(grep -c 'not permitted' /tmp/said)" 1
ends "a dry run says the same" 3 as_user hadal oa add --dry-run $tgl
said "beforehand" 'not permitted: '
ends "list needs none" 0 as_user hadal oa list
ends "doctor" 0 as_user hadal doctor
said "blocked" 'privilege *blocked *not permitted'
ends "with CAP_PERFMON" 0 as_user --inh-caps=+perfmon --ambient-caps=+perfmon hadal oa add $tgl
ends "remove" 3 as_user hadal oa remove all
said "file, value" "not permitted: $paranoid is 1"
equal "once, too" "$(grep -c 'not permitted' /tmp/said)" 1
equal "all are there" "$(count)" 26
echo 0 >$paranoid
ends "paranoid is 0" 0 as_user hadal oa remove all
ends "doctor" 0 as_user hadal doctor
said "any user may" 'privilege *ready *.*perf_stream_paranoid is 0: any user may'
equal "none is left" "$(count)" 0

note "a signal in the middle"
awk 'BEGIN {
	print "<metrics>"
	for (i = 0; i < 4000; i++)
		printf "<set name=\"n\" symbol_name=\"s%d\" chipset=\"TGL\" hw_config_guid=\"%08x-0000-4000-8000-000000000000\"><register_config type=\"NOA\"><register type=\"NOA\" address=\"0x00009888\" value=\"0x00000001\"/></register_config></set>\n", i, i
	print "</metrics>"
}' >/tmp/many.xml
for signal in INT TERM; do
	hadal oa add /tmp/many.xml >/tmp/said 2>&1 &
	adding=$!
	while [ "$(count)" -lt 20 ] && kill -0 $adding; do
		usleep 1000
	done
	kill -$signal $adding
	wait $adding
	equal "SIG$signal" $? 3
	said "it says what it did" 'interrupted: what was added is taken back'
	said "some had been added" '[0-9] taken-back, [0-9]* untried'
	equal "nothing is left" "$(count)" 0
done
ok "unload" rmmod hadal_oa

note "conditions on slices and revision, against the sets that are built in"
modprobe hadal_oa gen=bdw builtin=1
ends "compare" 0 hadal oa add --dry-run /lab/files/oa-bdw.xml
said "all are the same" '^24 sets: 24 present$'
ends "a built-in set stays" 1 hadal oa remove b541bd57-0e0f-4154-b4c0-5858010a2bf7
said "it says why" '^stays .*built in$'
ends "all" 0 hadal oa remove all
equal "stays nothing but them" "$(count)" 24
rmmod hadal_oa
ok "the kernel's log is clean" kernel_clean "$(oa_lines)"
