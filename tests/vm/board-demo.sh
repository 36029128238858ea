# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The three questions on a stock kernel that the board's own firmware has booted: where the boot went, who
# takes the CPU away (SMIs of 150 us and 30 ms by turns), which GPU counters can be programmed (all sets of
# one platform, on the virtual device). `make demo` shows the output. hwlat watches half of the time, and
# which half is drawn at random: of 12 long SMIs none is seen once in 2^12 runs.
#
# firmware: board
# kernel: stock
# modules: drm hadal_hwlat hadal_oa smi_inject
# programs: hadal
# files: tests/data/oa-xml/oa-hsw.xml

# show ARGUMENTS...: what a user would type, and what it says.
show()
{
	echo "\$ hadal $*"
	hadal "$@"
	shown=$?
	echo
	return $shown
}

cd /lab/files || exit
modprobe smi_inject
modprobe hadal_hwlat
modprobe hadal_oa gen=hsw
hadal doctor >/results/doctor
ok "doctor has the hwlat module ready" grep -q 'module *ready' /results/doctor
show boot >/results/boot 2>&1
equal "the boot is shown" $? 0
inject trigger=tco count=0 period_ns=1200000000 length_ns=150000,30000000
show hwlat -d 30s --limit 1ms >/results/hwlat 2>&1
equal "the limit is exceeded" $? 1
ok "and hwlat says so" grep -q '^Limit 1.000 ms: exceeded' /results/hwlat
inject_set run=0
{
	show oa add oa-hsw.xml && show oa list oa-hsw.xml && show oa add --dry-run oa-hsw.xml &&
		show oa remove all
} >/results/oa 2>&1
equal "sets are added, listed, compared and removed" $? 0
cat /results/boot /results/hwlat /results/oa >/results/demo
sed 's/^/# /' /results/demo
ok "the firmware's stamps are there" grep -q '^21 timestamps .* "selfboot jump"$' /results/boot
ok "the gaps are SMIs" grep -q 'gaps, the longest 30.0.* ms: all by SMIs; watched' /results/hwlat
ok "the GPU has them all" grep -q '^6 sets: 6 added$' /results/oa
ok "they have names" grep -q 'dynamic   RenderBasic$' /results/oa
ok "their registers are those of the file" grep -q '^6 sets: 6 present$' /results/oa
equal "none is left" "$(ls /sys/class/drm/card*/metrics)" ""
