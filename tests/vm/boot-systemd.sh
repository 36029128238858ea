# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# A boot from firmware to login with systemd as the first process: its marks, each way to get at
# them, in one line with those of an FPDT. The oracle is systemctl.
#
# kernel: stock rt backports
# init: systemd
# acpi: tests/vm/boot-fpdt.dsl
# append: memmap=4K$0x10000000
# programs: hadal
# files: tests/vm/boot_words.sh

# shellcheck source=tests/vm/boot_words.sh
. /lab/files/boot_words.sh

# mark NAME: the manager's mark in ns after the kernel's zero.
mark()
{
	systemctl show "-P$1TimestampMonotonic" | sed 's/$/000/'
}

# wanted_span NAME START END: the span that lies between two marks, on the counter's axis.
wanted_span()
{
	echo "$((zero + $2)) $(($3 - $2)) $1"
}

# wanted_boot: the spans that the manager and the journal know.
wanted_boot()
{
	wanted_span kernel 0 "$(mark Userspace)"
	wanted_span "user space" "$(mark Userspace)" "$(mark Finish)"
}

# wanted_details: those that only the manager knows.
wanted_details()
{
	wanted_span "loading the security policy" "$(mark SecurityStart)" "$(mark SecurityFinish)"
	wanted_span "running generators" "$(mark GeneratorsStart)" "$(mark GeneratorsFinish)"
	wanted_span "loading units" "$(mark UnitsLoadStart)" "$(mark UnitsLoadFinish)"
}

# look FILE: what hadal says now, and where its zero of the kernel is.
look()
{
	hadal boot -q --json -o "$1" 2>/tmp/said
	status=$?
	zero=$(sed -n 's/.*"kernel_zero_ns": *\([0-9]*\).*/\1/p' "$1")
	return $status
}

in_order()
{
	[ "$(spans "$1" "$2")" = "$(spans "$1" "$2" | sort -n)" ]
}

equal "the boot finishes" "$(systemctl is-system-running --wait)" running

fails "nothing tells of the time before the kernel" look /results/bus.json
equal "systemd's marks are the manager's" "$(spans /results/bus.json systemd)" "$(wanted_boot && wanted_details)"
ok "and in order" in_order /results/bus.json systemd
ok "over the bus" grep -q "the manager's marks, over the bus" /results/bus.json
equal "nobody has logged in" "$(spans /results/bus.json login)" ""

systemctl stop dbus.socket dbus.service 2>/dev/null
look /results/private.json
equal "without a bus they are the same" "$(spans /results/private.json systemd)" "$(wanted_boot && wanted_details)"
ok "over the manager's own socket" grep -q "over its own socket" /results/private.json

wanted=$(mark Userspace) finish=$(mark Finish)
mv /run/systemd/private /run/systemd/private.away
look /results/journal.json
equal "without the manager the journal has the most of it" "$(spans /results/journal.json systemd)" \
	"$(wanted_span kernel 0 "$wanted" && wanted_span "user space" "$wanted" "$finish")"
ok "and is named" grep -q "what the manager told the journal" /results/journal.json
chmod 0755 /lab /results
su -s /bin/sh nobody -c 'hadal boot --source=systemd' >/dev/null 2>/tmp/said
equal "who may read neither is told so" $? 3
ok "and what to do" grep -q "sudo hadal boot" /tmp/said
mv /run/systemd/private.away /run/systemd/private
systemctl start dbus.socket 2>/dev/null

put_fbpt 100000000 2000000000 2100000000 3000000000 3050000000
busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager CreateSession \
	'uusssssussbssa(sv)' 0 $$ login tty user "" "" 0 "" "" false "" "" 0 >/dev/null
verdict $? "somebody logs in"
ok "now it is known from the start" look /results/whole.json
ok "in one clock" grep -q '"apart": null' /results/whole.json
login=$(sed -n 's/^MONOTONIC=//p' /run/systemd/sessions/c1)000
equal "up to the login" "$(spans /results/whole.json login)" \
	"$(wanted_span "until the first login" "$(mark Finish)" "$login")"
equal "from firmware, without a hole" "$(awk -F '"' '
	$2 == "spans" { inside = 1 }
	/^  \]/ { inside = 0 }
	inside && $2 == "start_ns" { gsub(/[^0-9]/, "", $3); start = $3 }
	inside && $2 == "duration_ns" { gsub(/[^0-9]/, "", $3); duration = $3 }
	inside && $2 == "depth" && $3 ~ / 0/ { if (start + 0 != end + 0) print "hole at", end; end = start + duration }' \
	/results/whole.json)" ""
fails "nothing of it is doubted" grep -q '"doubtful": "' /results/whole.json
hadal boot >/results/whole.txt
ok "and is shown" grep -q "until the first login" /results/whole.txt
