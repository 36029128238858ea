# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The distribution's tools for OA, unmodified, on the virtual device: they list, load every set,
# record and decode. Streams open by built-in and by run-time id.
#
# kernel: stock backports
# modules: hadal_oa drm
# programs: i915-perf-configs i915-perf-recorder i915-perf-reader
# clock: free
# timeout: 500

metrics=/sys/class/drm/card0/metrics

count() {
	ls $metrics | wc -l
}

# record SET FILE: until there is something, which is also when the recorder hears a signal.
record() {
	i915-perf-recorder -m "$1" -p 0.001 -o "$2" >/tmp/recorder 2>&1 &
	recorder=$!
	for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		sleep 1
		[ "$(stat -c %s "$2" 2>/dev/null || echo 0)" -lt 50000 ] || break
	done
	kill -INT $recorder
	wait $recorder
	recorded=$?
	sed "s/^/# after $second s: /" /tmp/recorder
	return $recorded
}

modprobe drm
control_done

note "Skylake"
modprobe hadal_oa gen=skl
ok "i915-perf-configs lists" i915-perf-configs
i915-perf-configs | sed 's/^/# /' | head -n 5
ok "record" record RenderBasic /tmp/skl
between "every set is loaded" "$(count)" 21 30
between "bytes recorded" "$(stat -c %s /tmp/skl)" 50000 10000000
i915-perf-reader -c all /tmp/skl >/tmp/decoded 2>&1
verdict $? "i915-perf-reader decodes"
cut -c 1-160 /tmp/decoded | sed 's/^/# /'
# The reader cuts times to whole nanoseconds, so 1 ms between two reports is exact to a millionth.
between "the GPU's clock" "$(sed -n 's/^ *AvgGpuCoreFrequency: //p' /tmp/decoded)" 999999000 1000001000
cp /tmp/decoded /tmp/skl /results/
equal "the log is of RenderBasic" "$(sed -n 's/^set \([^ ]*\) .*/\1/p' /sys/kernel/debug/hadal_oa_registers)" \
	07b25942-d9fd-4fce-bd58-e29abd66b7de
ok "i915-perf-configs purges" i915-perf-configs -p
equal "no set is left" "$(count)" 0
ok "unload" rmmod hadal_oa

note "Broadwell with its sets built in"
modprobe hadal_oa gen=bdw builtin=1
equal "sets" "$(count)" 24
before=$(cat $metrics/b541bd57-0e0f-4154-b4c0-5858010a2bf7/id)
ok "record by a built-in set" record RenderBasic /tmp/bdw
equal "the log is of a built-in set" "$(sed -n 's/^set //p' /sys/kernel/debug/hadal_oa_registers)" \
	"b541bd57-0e0f-4154-b4c0-5858010a2bf7 1"
equal "its id has not changed" "$(cat $metrics/b541bd57-0e0f-4154-b4c0-5858010a2bf7/id)" "$before"
ok "i915-perf-reader decodes" i915-perf-reader /tmp/bdw
ok "unload" rmmod hadal_oa
for gen in hsw chv icl tgl dg2 mtl; do
	note "$gen: other layouts, other timestamps"
	modprobe hadal_oa gen=$gen
	ok "record" record RenderBasic /tmp/$gen
	# This version of the reader (1.27.1) does not know that Meteor Lake's timestamps are shifted.
	if [ $gen != mtl ]; then
		i915-perf-reader -c all /tmp/$gen >/tmp/decoded 2>&1
		verdict $? "i915-perf-reader decodes"
		sed 's/^/# /' /tmp/decoded | cut -c 1-100 | head -n 16
		between "the GPU's clock" "$(sed -n 's/^ *AvgGpuCoreFrequency: //p' /tmp/decoded)" 999000000 1001000000
	fi
	rmmod hadal_oa
done
ok "the kernel's log is clean" kernel_clean "$(oa_lines)"
