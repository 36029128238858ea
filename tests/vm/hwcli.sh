# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the scenarios of the command line share: waiting for a run, its numbers, the tracer's state.

tracing=/sys/kernel/tracing
instance=$tracing/instances/hadal-hwlat

# until_it TEXT COMMAND...: waits for it; a minute later, it counts as failed.
until_it() {
	tries=3000
	text=$1
	shift
	until "$@" 2>/dev/null; do
		tries=$((tries - 1))
		if [ $tries -eq 0 ]; then
			ok "$text" false
			return
		fi
		usleep 20000
	done
}

# started FILE: until the run that writes lines there has begun.
started() {
	until_it "a run that writes $1 begins" grep -q '"type":"run"' "$1"
}

has_tracer() {
	grep -q last_thresh /run/hadal-hwlat.state && grep -q 1 $instance/tracing_on
}

# started_tracer: the same for the tracer, whoever asked for it.
started_tracer() {
	until_it "a run of the tracer begins" has_tracer
}

# total FILE FIELD: a number of the last line's totals, such as gaps or max_ns.
total() {
	sed -n 's/.*"type":"end".*"totals":{.*"'"$2"'":\([0-9]*\).*/\1/p' "$1"
}

# counted FILE smi|nmi: over the whole run, of the first CPU; null where nobody can tell.
counted() {
	sed -n 's/.*"'"$2"'":\[{"cpu":[0-9]*,"count":\([0-9a-z]*\),.*/\1/p' "$1"
}

# gaps FILE [CAUSE]: how many records.
gaps() {
	grep '"type":"gap"' "$1" | grep -c "\"cause\":\"${2:-[^\"]*}\""
}

# lengths FILE: in ns.
lengths() {
	sed -n 's/.*"duration_ns":\([0-9]*\).*"type":"gap".*/\1/p' "$1"
}

# settings: all that the tracer back end touches, and what it could leave behind.
settings() {
	for file in hwlat_detector/width hwlat_detector/window hwlat_detector/mode tracing_thresh \
		tracing_cpumask current_tracer tracing_on; do
		[ ! -e "$tracing/$file" ] || echo "$file: $(cat "$tracing/$file")"
	done
	ls "$tracing/instances" /run
}

# A guardian whose parent was killed at once has not begun yet: its process counts, not only its file.
no_guardian() {
	[ ! -e /run/hadal-hwlat.state ] && ! pidof hadal >/dev/null
}

# settled: until no guardian is at work.
settled() {
	until_it "the guardian ends" no_guardian
}

# whole FILE: one JSON document, closed, and says that it was ended early.
whole() {
	awk '{ open += gsub(/[{[]/, "&"); closed += gsub(/[]}]/, "&"); last = $0 }
		END { exit !(NR && open == closed && last == "}") }' "$1" &&
		grep -q '"complete": false' "$1"
}
