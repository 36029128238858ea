# SPDX-License-Identifier: MIT
# Holds the gaps of `hadal hwlat --backend=user --all --watch` against the SMI injector's own account:
#
#	awk -f hwuser_match.awk truth lines
#
# The two have no clock in common: the shift that brings most gaps onto events is taken.
# Prints "name=value" words: events of the train, and how many of them fell into a window; of these, how many
# are a gap of their own (found), how many are inside a gap of the kernel's (merged), how many are in none
# (lost), at least how many have to be in some gap if it is chance which of them come between two slices
# (least: by the watched share of the windows, less five standard deviations, since misses are few); gaps
# without the kernel and without an event (false); by how many ns the found ones are longer than what the
# handler saw.

function number(name) {
	return match($0, "\"" name "\":-?[0-9]+") ? substr($0, RSTART + length(name) + 3) + 0 : 0
}

FNR == 1 { file++ }

file == 1 && /"tsc_khz"/ { split($0, part, /[^a-z0-9_]+/); khz = part[3] + 0 }

file == 1 && /"entry_tsc"/ {
	split($0, part, /[^a-z0-9_+]+/)
	entry[++events] = part[7] * 1000000 / khz
	leave[events] = part[9] * 1000000 / khz
}

file == 2 && /"type":"gap"/ {
	start[++gaps] = number("start_ns")
	end[gaps] = start[gaps] + number("duration_ns")
	kernel[gaps] = /"cause":"kernel"/
}

file == 2 && /"type":"window"/ {
	window_start[++windows] = number("start_ns")
	window_end[windows] = window_start[windows] + number("duration_ns")
	share[windows] = number("watched_ns") / number("duration_ns")
}

function inside(event, gap) {
	return entry[event] + shift >= start[gap] - slack && leave[event] + shift <= end[gap] + slack
}

# Not inside() alone: a long gap may hold an event by chance.
function fits(event, gap) {
	return inside(event, gap) && end[gap] - start[gap] - (leave[event] - entry[event]) < 3 * slack
}

# Of the first few gaps: their distances are no train's if the shift is wrong.
function score(    g, e, n, looked) {
	for (g = 1; g <= gaps && looked < 8; g++) {
		looked += !kernel[g]
		for (e = 1; !kernel[g] && e <= events; e++)
			if (fits(e, g)) {
				n++
				break
			}
	}
	return n
}

function find_shift(    g, e, n, best, at) {
	for (g = 1; g <= gaps && kernel[g]; g++)
		;
	for (e = 1; g <= gaps && e <= events; e++) {
		shift = start[g] - entry[e]
		n = score()
		if (n > best) {
			best = n
			at = shift
		}
	}
	shift = at
}

# window_of EVENT: its number, 0 if there is none.
function window_of(event,    w) {
	for (w = 1; w <= windows; w++)
		if (entry[event] + shift > window_start[w] && entry[event] + shift < window_end[w])
			return w
	return 0
}

function look_at(event,    g, excess) {
	for (g = 1; g <= gaps; g++) {
		if (!kernel[g] && fits(event, g)) {
			found++
			matched[g] = 1
			excess = end[g] - start[g] - (leave[event] - entry[event])
			if (excess > most_excess)
				most_excess = excess
			return
		}
		if (kernel[g] && inside(event, g)) {
			merged++
			return
		}
	}
	lost++
}

END {
	slack = 2000
	find_shift()
	for (e = 1; e <= events; e++)
		if ((w = window_of(e))) {
			watched++
			expected += share[w]
			variance += share[w] * (1 - share[w])
			look_at(e)
		}
	for (g = 1; g <= gaps; g++)
		if (!kernel[g] && !matched[g])
			strange++
	while (spread * spread < 25 * variance) # busybox's awk has no sqrt()
		spread++
	printf "events=%d watched=%d found=%d merged=%d lost=%d least=%d false=%d most_excess=%d\n", events,
		watched, found, merged, lost, expected - spread, strange, most_excess
}
