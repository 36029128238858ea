# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The hwlat module by hand: its files, their refusals, the threshold's life, enable and the trace,
# the device, a run killed and unloaded.
#
# kernel: stock rt backports
# modules: hadal_hwlat smi_inject
# programs: hwlat_read hwlat_device
# timeout: 400

knobs=/sys/kernel/hadal_hwlat
trace=/sys/kernel/tracing/instances/hadal/trace

# shows FILE WANTED
shows() {
	equal "$1 is $2" "$(cat "$knobs/$1")" "$2"
}

# set_to FILE VALUE
set_to() {
	echo "$2" 2>/dev/null >"$knobs/$1"
}

takes() {
	ok "$1 takes '$2'" set_to "$1" "$2"
}

# refuses FILE VALUE ERROR: and the file shows what it did before.
refuses() {
	before=$(cat "$knobs/$1")
	label="$1 refuses '$(printf '%s' "$2" | tr '\n' '|')': $3"
	answer=$(printf '%s' "$2" | dd of="$knobs/$1" bs=4096 2>&1)
	case $answer in
	*"$3"*) verdict 0 "$label" ;;
	*)
		verdict 1 "$label"
		note "said: $answer"
		;;
	esac
	[ "$(cat "$knobs/$1")" = "$before" ] || verdict 1 "$1 has changed"
}

invalid="Invalid argument"
range="Numerical result out of range"
overflow="Value too large for defined data type"

control_done
modprobe smi_inject
modprobe hadal_hwlat

note "defaults"
shows width 500000
shows window 1000000
shows tracing_thresh 0
shows tracing_max_latency 0
shows tracing_cpumask 1
shows mode "none [round-robin] per-cpu"
shows enable 0
shows count 0

note "refusals"
for bad in abc "
" 0x10 -1 5.0 1e6 " 5" "5 " "5

"; do
	refuses width "$bad" "$invalid"
	refuses window "$bad" "$invalid"
	refuses tracing_thresh "$bad" "$invalid"
	refuses tracing_max_latency "$bad" "$invalid"
	refuses enable "$bad" "$invalid"
done
for file in width window tracing_thresh tracing_max_latency; do
	refuses $file 18446744073709551616 "$range"
done
refuses width 1000000 "$invalid"
refuses width 1000001 "$invalid"
refuses window 500000 "$invalid"
refuses window 0 "$invalid"
refuses mode fast "$invalid"
refuses mode Per-cpu "$invalid"
refuses mode "$(printf '%064d' 0)" "$invalid"
refuses tracing_cpumask 0 "$invalid"
refuses tracing_cpumask 2 "$overflow"
refuses tracing_cpumask 100000000 "$overflow"
refuses tracing_cpumask xyz "$invalid"
refuses enable 2 "$invalid"
refuses enable 256 "$range"
for file in count floor smi_total; do
	equal "$file is read-only" "$(stat -c %a $knobs/$file)" 440
done

note "what the tracer takes"
takes width +20000
shows width 20000
takes width 020000
shows width 20000
takes width 0
takes width 20000
takes window 18446744073709551615
takes window 1000000
takes mode "  none  "
shows mode "[none] round-robin per-cpu"
takes mode per-cpu
shows mode "none round-robin [per-cpu]"
takes mode round-robin
takes tracing_cpumask 1
takes width 900000

note "enable, and the samples in the trace, as the seed has it"
takes tracing_thresh 0
takes enable 1
shows enable 1
shows tracing_thresh 10
inject trigger=hpet period_ns=100000000 length_ns=150000 count=20
inject_wait
sleep 1
cat $trace >/results/trace
cp /results/trace /tmp/trace
between "gaps in the trace" "$(grep -c 'hwlat_gap: cpu=0 .*duration_ns=150[0-9]* smi=1 nmi=0 ' /tmp/trace)" 10 20
between "windows in the trace" "$(grep -c 'hwlat_window: cpu=0 ' /tmp/trace)" 2 5
equal "count" "$(cat $knobs/count)" "$(grep -c 'hwlat_gap: ' /tmp/trace)"
shows tracing_max_latency 150
shows smi_total "0 20"
takes tracing_max_latency 0
shows tracing_max_latency 0
fails "a second user: the device" hwlat_read 100
takes enable 1
takes enable 0
shows enable 0
shows smi_total "0 20"
equal "the events are off again" "$(cat ${trace%trace}events/hadal/enable)" 0
takes enable 0

note "the threshold: zero before, so zero after; the run's last value comes back"
shows tracing_thresh 0
takes enable 1
shows tracing_thresh 10
takes tracing_thresh 100
takes enable 0
shows tracing_thresh 0
takes enable 1
shows tracing_thresh 100
takes enable 0
note "set before: that one counts, and is back afterwards"
takes tracing_thresh 50
takes enable 1
shows tracing_thresh 50
takes tracing_thresh 70
takes enable 0
shows tracing_thresh 50
takes tracing_thresh 0
takes enable 1
shows tracing_thresh 70
note "zero written during a run: the default comes back"
takes tracing_thresh 0
takes enable 0
takes enable 1
shows tracing_thresh 10
takes enable 0
shows tracing_thresh 0

note "the device"
hwlat_device >/tmp/device
verdict $? "the device keeps its promises"
sed 's/^/# /' /tmp/device
shows width 900000
shows tracing_thresh 0

note "unloading"
takes enable 1
ok "unload during a run" rmmod hadal_hwlat
equal "no instance is left" "$(ls /sys/kernel/tracing/instances)" ""
equal "no folder is left" "$(ls -d $knobs 2>/dev/null)" ""
modprobe hadal_hwlat
hwlat_read 5000 &
reader=$!
sleep 1
fails "no unloading under an open device" rmmod hadal_hwlat
kill -9 $reader
wait $reader 2>/dev/null
equal "a killed reader leaves no thread" "$(grep -l '^hadal_hwlat' /proc/[0-9]*/comm 2>/dev/null)" ""
ok "unload" rmmod hadal_hwlat
ok "the kernel's log is clean" kernel_clean
