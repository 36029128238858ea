# SPDX-License-Identifier: MIT
# Holds the hwlat module's records (lines of hwlat_read) against the SMI injector's own account:
#
#	awk [-v step=TICKS] -f hwlat_match.awk truth records
#
# Prints "name=value" lines: how many events the injector logged, how many of them are in a gap,
# how many lie in a window but in no gap (a breath between slices), how many outside; how many gaps
# hold no event or other counts than the events inside; by how many ticks SMI gaps are longer than
# what the handler saw, and how many by more than a step; sums of the window records. "least" is how
# many events have to be in gaps if where they fall is chance: by the share of its window that was watched
# (a train may lie in those with long breaths), less four standard deviations; events of several CPUs, and
# SMIs with their NMIs, come together.
# "clock_allowed" is by how many ns the kernel's clock may differ from the counter: it scales the counter by
# a whole number, of 24 bits and with a last bit that it varies, so by 1e-7 of the time at most.

function value(name,    i) {
	for (i = 1; i <= NF; i++)
		if (index($i, name "=") == 1)
			return substr($i, length(name) + 2) + 0
	return 0
}

FNR == 1 { file++ }

file == 1 && /"entry_tsc"/ {
	split($0, part, /[^a-z0-9_+]+/)
	cpu[++events] = part[3] + 0
	nmi[events] = part[5] == "nmi"
	if (!kinds[cpu[events], nmi[events]]++)
		together++
	entry[events] = part[7] + 0
	leave[events] = part[9] + 0
	next
}

file == 1 && /"msr_smi"/ {
	split($0, part, /[^a-z0-9_]+/)
	truth_smi += part[5]
	truth_nmi += part[7]
	truth_msr += part[9]
	next
}

file == 1 && /"tsc_khz"/ { split($0, part, /[^a-z0-9_]+/); khz = part[3] + 0 }

file == 2 && $1 == "gap" {
	gaps++
	gap_cpu[gaps] = value("cpu")
	gap_start[gaps] = value("start_tsc")
	gap_end[gaps] = gap_start[gaps] + value("duration_ns") * khz / 1000000
	gap_smi[gaps] = value("smi")
	gap_nmi[gaps] = value("nmi")
	gap_nmi_ns[gaps] = value("nmi_ns")
	if (value("duration_ns") > longest)
		longest = value("duration_ns")
	flags_and = gaps == 1 ? value("flags") : flags_and == value("flags") ? flags_and : -1
}

file == 2 && $1 == "window" {
	windows++
	window_cpu[windows] = value("cpu")
	window_start[windows] = value("start_tsc")
	window_end[windows] = window_start[windows] + value("duration_ns") * khz / 1000000
	watched += value("watched_ns")
	share[windows] = value("watched_ns") / value("duration_ns")
	smi += value("smi")
	nmis += value("nmi")
	dropped += value("dropped")
}

# One clock for everything: the time of each record must follow from its counter value.
file == 2 {
	base = value("start_ns") - value("start_tsc") * 1000000 / khz
	if (!based++) {
		first_base = base
		first_ns = value("start_ns")
	}
	last_ns = value("start_ns")
	off = base > first_base ? base - first_base : first_base - base
	if (off > clock_error)
		clock_error = off
	if (value("seq") != ++seq)
		holes++
}

function inside(event, gap) {
	return cpu[event] == gap_cpu[gap] && entry[event] >= gap_start[gap] &&
	       leave[event] <= gap_end[gap] + 1
}

function look_at(gap,    i, smis, nmis_in, first, last, excess) {
	for (i = 1; i <= events; i++) {
		if (!inside(i, gap))
			continue
		found[i] = 1
		if (nmi[i])
			nmis_in++
		else
			smis++
		if (!first || entry[i] < first)
			first = entry[i]
		if (leave[i] > last)
			last = leave[i]
	}
	if (!smis && !nmis_in)
		empty++
	if (smis + 0 != gap_smi[gap] || nmis_in + 0 != gap_nmi[gap])
		miscounted++
	excess = gap_end[gap] - gap_start[gap] - (last - first)
	if (smis == 1 && !nmis_in) {
		if (least_excess == "" || excess < least_excess)
			least_excess = excess
		if (excess > most_excess)
			most_excess = excess
		longer += excess > step
	}
	if (nmis_in && (least_nmi_ns == "" || gap_nmi_ns[gap] < least_nmi_ns))
		least_nmi_ns = gap_nmi_ns[gap]
}

# window_of EVENT: its number, 0 if there is none.
function window_of(event,    i) {
	for (i = 1; i <= windows; i++)
		if (cpu[event] == window_cpu[i] && entry[event] >= window_start[i] &&
		    entry[event] < window_end[i])
			return i
	return 0
}

END {
	for (i = 1; i <= gaps; i++)
		look_at(i)
	for (i = 1; i <= events; i++) {
		chance = (w = window_of(i)) ? share[w] : found[i] # the end of a run can cut a window's record off
		expected += chance
		variance += chance * (1 - chance)
		if (found[i])
			matched++
		else if (w)
			breath++
		else
			outside++
	}
	while (spread * spread < 16 * variance * together) # busybox's awk has no sqrt()
		spread++
	printf "events=%d matched=%d breath=%d outside=%d least=%d\n", events, matched, breath, outside, \
		expected - spread
	printf "gaps=%d empty=%d miscounted=%d dropped=%d holes=%d\n", gaps, empty, miscounted, dropped, holes
	printf "least_excess=%d most_excess=%d longer=%d longest=%d flags=%d\n", least_excess, most_excess, longer, \
		longest, flags_and
	printf "truth_smi=%d truth_nmi=%d truth_msr=%d\n", truth_smi, truth_nmi, truth_msr
	printf "smi=%d nmi=%d least_nmi_ns=%d\n", smi, nmis, least_nmi_ns
	printf "windows=%d watched_ms=%d clock_error=%d clock_allowed=%d\n", windows, watched / 1000000,
		clock_error, 100 + (last_ns - first_ns) / 1e7
}
