# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What a user sees of hadal oa: all sets of one platform go to a virtual GPU, are listed, compared with
# their file, and taken out. `make demo` shows the output.
#
# kernel: stock
# modules: hadal_oa
# programs: hadal
# files: tests/data/oa-xml/oa-hsw.xml
# clock: free
# timeout: 900

show() {
	echo "\$ hadal oa $*"
	hadal oa "$@"
	status=$?
	echo
	return $status
}

cd /lab/files || exit
modprobe hadal_oa gen=hsw
show add oa-hsw.xml >>/results/demo 2>&1
equal "add" $? 0
equal "all sets of the file are there" "$(hadal oa list | grep -c dynamic)" 6
show list oa-hsw.xml >>/results/demo 2>&1
equal "list" $? 0
show add --dry-run oa-hsw.xml >>/results/demo 2>&1
equal "compare" $? 0
show remove all >>/results/demo 2>&1
equal "remove" $? 0
sed 's/^/# /' /results/demo
ok "all are added" grep -q '^6 sets: 6 added$' /results/demo
ok "they have names" grep -q 'dynamic   RenderBasic$' /results/demo
ok "their registers are those of the file" grep -q '^6 sets: 6 present$' /results/demo
ok "all are removed" grep -q '^6 sets removed$' /results/demo
equal "none is left" "$(ls /sys/class/drm/card0/metrics)" ""
