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

# random SECONDS: each SMI comes after a time of its own, exponentially distributed around 1.2 s.
random() {
	file=/results/random.json
	hadal hwlat --backend module -d "${1}s" --json -o "$file" &
	run=$!
	awk -v seconds="$1" 'BEGIN {
		srand(20240101)
		while (seconds > 0) {
			after = -log(1 - rand()) * 1.2
			if (after < 0.01)
				after = 0.01
			seconds -= after
			printf "%d\n", after * 1000000000
		}
	}' | while read -r after && kill -0 $run 2>/dev/null; do
		inject trigger=hpet event=smi count=1 period_ns="$after" length_ns=150000
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
train 700 20
train 1000 30
train 1200 36
train 2400 60
train 7000 170
random 50
