# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# hadal oa record and read on the virtual device: sets are added for the run and taken out again,
# recordings are those of i915-perf-recorder and the other way round, another set gives other data,
# a reader that is too slow is told, signals end a recording well, privilege is asked for.
#
# kernel: stock backports
# modules: hadal_oa drm
# programs: hadal i915-perf-recorder i915-perf-reader setpriv
# files: tests/data/oa-xml
# clock: free
# timeout: 900

metrics=/sys/class/drm/card0/metrics
xml=/lab/files/oa-xml
log=/sys/kernel/debug/hadal_oa_registers

# record SET XML FILE [OPTION...]: for long enough to see some reports.
record()
{
	set_name=$1 file=$2 output=$3
	shift 3
	hadal oa record --set="$set_name" "$xml/oa-$file.xml" -o "$output" -d 300ms "$@"
}

# read CSV of a recording
csv()
{
	hadal oa read --format=csv "$1" "$xml/oa-$2.xml"
}

# field NAME CSV-FILE LINE: a counter's value in one line of it.
field()
{
	awk -F, -v name="$1" -v line="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR == line { print $at }' "$2"
}

# same_counters TABLE READER-OUTPUT: every counter of ours over the whole, as i915-perf-reader has
# it; that computes in single precision.
same_counters()
{
	awk 'function near(a, b, most) {
			most = a > b ? a : b
			return a - b <= 2e-6 * most + 1e-6 && b - a <= 2e-6 * most + 1e-6
		}
		NR == FNR { if (sub(/:$/, "", $1) && NF == 2) theirs[$1] = $2; next }
		FNR > 4 && ($1 in theirs) { both++; if (!near($2, theirs[$1])) print "# " $1, $2, theirs[$1], ++wrong }
		END { print "# " both " counters compared"; exit both < 10 || wrong > 0 }' "$2" "$1"
}

# both_readers FILE XML: our recording or theirs, decoded by both.
both_readers()
{
	hadal oa read "$1" "$xml/oa-$2.xml" >/tmp/ours || return
	i915-perf-reader -c all "$1" >/tmp/theirs 2>&1 || return
	same_counters /tmp/ours /tmp/theirs
}

count()
{
	ls $metrics | wc -l
}

# until_written FILE: more than what stands in front of the stream, so that it is open, and a signal
# is heard. (i915-perf-recorder writes 4096 bytes at a time.)
until_written()
{
	while [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -lt 2000 ]; do usleep 50000; done
}

# igt_start FILE: the distribution's recorder, in the background.
igt_start()
{
	i915-perf-recorder -m RenderBasic -o "$1" >/tmp/recorder 2>&1 &
	recorder=$!
	until_written "$1"
}

# stop: ends what runs in the background.
stop()
{
	kill -INT $recorder
	wait $recorder
}

modprobe drm
control_done

note "Skylake: our recorder, both readers"
modprobe hadal_oa gen=skl
equal "no set is there" "$(count)" 0
ok "record" record RenderBasic sklgt2 /tmp/basic
equal "none is left" "$(count)" 0
equal "the log is of RenderBasic" "$(sed -n 's/^set \([^ ]*\) .*/\1/p' $log)" 07b25942-d9fd-4fce-bd58-e29abd66b7de
ok "both readers see the same" both_readers /tmp/basic sklgt2
head -n 12 /tmp/ours | sed 's/^/# /'
csv /tmp/basic sklgt2 >/tmp/basic.csv
between "reports" "$(wc -l </tmp/basic.csv)" 5 1000000
duration=$(field duration_ns /tmp/basic.csv 3)
between "the GPU's time is that of the reports, cut to a nanosecond" "$(field GpuTime /tmp/basic.csv 3)" $((duration - 1)) "$duration"
equal "one period after the other" "$(field start_ns /tmp/basic.csv 4)" "$(($(field start_ns /tmp/basic.csv 3) + $(field duration_ns /tmp/basic.csv 3)))"
ok "by UUID" record 07B25942-D9FD-4FCE-BD58-E29ABD66B7DE sklgt2 /tmp/uuid
ok "the same set" grep -aq RenderBasic /tmp/uuid

note "another set, other data"
ok "record" record ComputeBasic sklgt2 /tmp/compute
csv /tmp/compute sklgt2 >/tmp/compute.csv
ok "both readers see the same" both_readers /tmp/compute sklgt2
different()
{
	[ "$(field "$1" /tmp/basic.csv 3)" != "$(field "$1" /tmp/compute.csv 3)" ]
}
for counter in GpuBusy EuActive EuStall; do
	note "$counter: $(field $counter /tmp/basic.csv 3), $(field $counter /tmp/compute.csv 3)"
	ok "$counter differs" different $counter
done

note "a set that is loaded is used, and stays; with other registers it is not"
igt_start /tmp/igt
ok "i915-perf-recorder's recording" stop
between "it left its sets" "$(count)" 20 30
ok "both readers see the same in it" both_readers /tmp/igt sklgt2
before=$(count)
ok "record" record RenderBasic sklgt2 /tmp/loaded
equal "all are left" "$(count)" "$before"
sed '/symbol_name="RenderBasic"/,/<\/set>/s/address="0x00009840" value="0x00000080"/address="0x00009840" value="0x00000081"/' $xml/oa-sklgt2.xml >/tmp/other.xml
fails "the file really is another" cmp -s /tmp/other.xml $xml/oa-sklgt2.xml
hadal oa record --set=RenderBasic /tmp/other.xml -o /tmp/never 2>/tmp/said
equal "other registers under its UUID: refused" $? 1
ok "and said" grep -q 'other registers' /tmp/said
sed 's/^/# /' /tmp/said
fails "nothing was written" test -e /tmp/never
ok "unload" rmmod hadal_oa

note "ends"
modprobe hadal_oa gen=skl
hadal oa record --set=RenderBasic $xml/oa-sklgt2.xml -o /tmp/interrupted &
recorder=$!
until_written /tmp/interrupted
stop
equal "SIGINT: status" $? 0
ok "both readers see the same" both_readers /tmp/interrupted sklgt2
ok "a largest size" record RenderBasic sklgt2 /tmp/small -d 1h --max-size=10000
between "bytes" "$(stat -c %s /tmp/small)" 9700 10000
ok "both readers see the same" both_readers /tmp/small sklgt2
hadal oa record --set=RenderBasic $xml/oa-sklgt2.xml -d 300ms 2>/dev/null |
	hadal oa read --json - $xml/oa-sklgt2.xml >/tmp/piped.json
ok "through a pipe" grep -q '"complete": true' /tmp/piped.json
hadal oa record --set=RenderBasic $xml/oa-sklgt2.xml -d 1h 2>/tmp/said | head -c 2000 >/dev/null
ok "a reader that goes away ends it" test ! -s /tmp/said
sed 's/^/# /' /tmp/said
hadal oa record --set=RenderBasic $xml/oa-sklgt2.xml -d 300ms >/dev/full 2>/tmp/said
equal "a full disk: status" $? 3
sed 's/^/# /' /tmp/said

note "a reader that is too slow"
hadal oa record --set=TestOa $xml/oa-sklgt2.xml --period=10us --max-size=100000000 \
	-o /tmp/slow 2>/tmp/said &
recorder=$!
until_written /tmp/slow
kill -STOP $recorder
sleep 2
kill -CONT $recorder
usleep 100000
stop
equal "status" $? 0
ok "record says that reports were lost" grep -q 'reports were lost' /tmp/said
sed 's/^/# /' /tmp/said
hadal oa read --json /tmp/slow $xml/oa-sklgt2.xml 2>/tmp/said | grep -v start_ns >/tmp/slow.json
ok "read says so too" grep -q 'reports were lost' /tmp/said
ok "and counts it" grep -qE '"buffer_losses": [1-9]' /tmp/slow.json
ok "all of it was read" grep -q '"complete": true' /tmp/slow.json
rm /tmp/slow

note "not possible"
hadal oa record --set=NoSuchSet $xml/oa-sklgt2.xml -o /tmp/never 2>/tmp/said
equal "no such set: status" $? 4
hadal oa record --set=RenderBasic $xml/oa-bdw.xml -o /tmp/never 2>/tmp/said
equal "a set of another GPU: status" $? 4
sed 's/^/# /' /tmp/said
igt_start /tmp/busy
record RenderBasic sklgt2 /tmp/never 2>/tmp/said
equal "another stream is open: status" $? 3
sed 's/^/# /' /tmp/said
stop
chmod 666 /dev/dri/*
# By its path: the shell would take busybox's own.
unprivileged()
{
	/bin/setpriv --reuid=65534 --regid=65534 --clear-groups hadal oa record --set=RenderBasic $xml/oa-sklgt2.xml -d 300ms
}
unprivileged >/dev/null 2>/tmp/said
equal "without privilege: status" $? 3
ok "it names the file" grep -q perf_stream_paranoid /tmp/said
sed 's/^/# /' /tmp/said
echo 0 >/proc/sys/dev/i915/perf_stream_paranoid
unprivileged >/tmp/user
equal "where it is open to all: status" $? 0
ok "both readers see the same" both_readers /tmp/user sklgt2
ok "unload" rmmod hadal_oa

note "other generations"
for pair in hsw:hsw bdw:bdw icl:icl tgl:tglgt2 adl:adl dg2:acmgt1 mtl:mtlgt2; do
	gen=${pair%:*} file=${pair#*:}
	modprobe hadal_oa gen="$gen"
	# Some 30 reports: the distribution's reader adds Haswell's counters up in 32 bits.
	ok "$gen: record" record RenderBasic "$file" "/tmp/$gen" --max-size=9000
	hadal oa read "/tmp/$gen" "$xml/oa-$file.xml" >/tmp/ours
	head -n 8 /tmp/ours | sed 's/^/# /'
	between "$gen: the GPU's clock" "$(awk '$1 == "AvgGpuCoreFrequency" { print $2 }' /tmp/ours)" 999000000 1001000000
	# It does not know yet that Meteor Lake's timestamps are shifted.
	[ "$gen" = mtl ] || ok "$gen: both readers see the same" both_readers "/tmp/$gen" "$file"
	cp "/tmp/$gen" /results/
	rmmod hadal_oa
done
cp /tmp/basic /tmp/igt /results/
ok "the kernel's log is clean" kernel_clean "$(oa_lines)"
