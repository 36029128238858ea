# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Trains of SMIs, seen half of the time, are found with their period; random arrivals have none.
#
# kernel: stock
# modules: hadal_hwlat smi_inject
# programs: hadal
# timeout: 3600

# number NAME FILE: the first of that name in a document.
number() {
	sed -n "s/.*\"$1\": \([0-9.e-]*\),*$/\1/p" "$2" | head -n 1
}

periods() {
	grep -c '"period_ns"' "$1"
}

# train PERIOD_MS SECONDS: one period, the right one, and the sentence names it.
train() {
	ms=$1 seconds=$2 file=/results/train-$1.json
	inject trigger=hpet event=smi count=0 period_ns=$((ms * 1000000)) length_ns=150000
	hadal hwlat --backend module -d "${seconds}s" --json -o "$file"
	equal "$ms ms: status" $? 0
	inject_set run=0
	found=$(number period_ns "$file") error=$(number error_ns "$file")
	note "$ms ms: $(number seen "$file") of $(number events "$file") gaps, missing $(number missing "$file")," \
		"found ${found:-no} ns +- ${error:-?}, jitter $(number jitter_ns "$file") ns"
	equal "$ms ms: one period" "$(periods "$file")" 1
	between "$ms ms: its length, us" "$((${found:-0} / 1000))" $((ms * 999)) $((ms * 1001))
	equal "$ms ms: its cause" "$(sed -n '/"periods"/,$s/.*"cause": "\(.*\)".*/\1/p' "$file" | head -n 1)" smi
	between "$ms ms: length of its gaps, ns" "$(sed -n '/"periods"/,$s/.*"duration_ns": \([0-9]*\).*/\1/p' \
		"$file" | head -n 1)" 150000 151000
	ok "$ms ms: the sentence says so" grep -q '"sentence": "Firmware (SMIs) takes CPU 0 away for 150\.' "$file"
}

# Milliseconds, exponentially distributed around 1.2 s.
arrivals="469 196 1262 90 921 546 71 849 45 682 86 114 663 2104 158 303 1184 3541 1032 606 4488 57 2346 410 186 150
	442 2032 239 1045 1222 559 952 77 73 276 1368 669 452 1056 724 427 1898 1440 335 1025 893 2496 1568 407 4704 150
	649 1698 197 805 47 1323 1735 1021"

# random: each SMI comes after a time of its own.
random() {
	file=/results/random.json
	hadal hwlat --backend module -d 60s --json -o "$file" &
	run=$!
	for after in $arrivals; do
		inject trigger=hpet event=smi count=1 period_ns="${after}000000" length_ns=150000
		inject_wait
	done
	wait $run
	equal "random: status" $? 0
	note "random: $(number events "$file") gaps"
	between "random: gaps" "$(number events "$file")" 15 100
	equal "random: no period" "$(periods "$file")" 0
	ok "random: the sentence says so" grep -q 'without a period that could be found' "$file"
}

mkdir -p /run
modprobe smi_inject
modprobe hadal_hwlat
train 700 30
# As long as a cycle of windows, or seven: it takes a while until their varied pauses come round to it.
train 1000 240
train 1200 36
train 2400 90
train 7000 400
random
