// SPDX-License-Identifier: MIT
/*
 * Reads text that people paste: traces with records of the kernel's hwlat tracer or of our module, and
 * reports of hwlatdetect. What is before a record varies by kernel and by trace options, so each line is
 * searched for the words that only such a record has; all other lines are passed over.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "lib/hwlat.h"
#include "lib/hwlat_module.h"
#include "report/hwlat_in.h"
#include "report/hwlat_in_scan.h"

#define NS_PER_US 1000u
#define NS_PER_S 1000000000u

/* The tracer's unsigned division makes a step back of the clock about 2^64/1000 us. */
#define BACKWARD_US ((uint64_t)INT64_MAX / NS_PER_US)

/* struct line - one of the text, for messages */
struct line {
	struct scan scan;
	size_t number;
};

static int damaged(struct hwlat_in *in, const struct line *line, const char *what)
{
	in->recognised = true;
	return hadal_lines_add(in->damage, "line %zu: %s", line->number, what) < 0 ? -ENOMEM : 0;
}

/* Times of one recording must be on one clock. Says so once a line. */
static bool same_clock(struct hwlat_in *in, enum hwlat_in_clock clock)
{
	if (in->clock == HWLAT_IN_NONE)
		in->clock = clock;
	return in->clock == clock;
}

static int take_gap(struct hwlat_in *in, const struct line *line, struct hwlat_gap *gap,
		    enum hwlat_in_clock clock, const char *kind)
{
	if (gap->cpu != HWLAT_NO_CPU && gap->cpu >= CPUS_MAX)
		return damaged(in, line, "no machine has that CPU");
	if (!same_clock(in, clock))
		return damaged(in, line,
			       "its time is on another clock than that of the lines before");
	in->recognised = true;
	in->kind = kind;
	gap->cause = hwlat_cause_of(gap, false);
	return hwlat_in_gap(in, gap);
}

/* --- records of the tracer, in its own words and in hwlatdetect's ------------------------------ */

/* What both have: two maxima, when the first of the gaps was over, and how many there were. */
struct sample {
	uint64_t inner_us, outer_us, end_ns, count, nmi, nmi_us, cpu;
};

static uint32_t cpu_of(uint64_t cpu)
{
	if (cpu == HWLAT_UNKNOWN)
		return HWLAT_NO_CPU;
	return cpu < CPUS_MAX ? (uint32_t)cpu : CPUS_MAX;
}

static void sample_gap(struct hwlat_gap *gap, const struct sample *sample)
{
	const uint64_t us =
		sample->inner_us > sample->outer_us ? sample->inner_us : sample->outer_us;
	const bool backward = us > BACKWARD_US;

	*gap = (struct hwlat_gap){
		.start_ns = (int64_t)sample->end_ns - (backward ? 0 : (int64_t)(us * NS_PER_US)),
		.duration_ns = backward ? 0 : us * NS_PER_US,
		.smi = HWLAT_UNKNOWN,
		.nmi = sample->nmi,
		.nmi_ns = sample->nmi_us < BACKWARD_US ? sample->nmi_us * NS_PER_US : HWLAT_UNKNOWN,
		.inner_us = sample->inner_us,
		.outer_us = sample->outer_us,
		.count = sample->count ? sample->count : 1,
		.cpu = cpu_of(sample->cpu),
		.backward = backward,
	};
}

/* "SEC.NNNNNNNNN", all nine digits. */
static bool scan_time(struct scan *scan, uint64_t *ns)
{
	const char *digits;
	uint64_t seconds, rest;

	if (!scan_number(scan, &seconds) || !scan_word(scan, "."))
		return false;
	digits = scan->p;
	if (!scan_number(scan, &rest) || scan->p - digits != 9 || seconds >= INT64_MAX / NS_PER_S)
		return false;
	*ns = seconds * NS_PER_S + rest;
	return true;
}

/* " NAME:NUMBER"; without the name, nothing is wrong. */
static bool scan_named(struct scan *scan, const char *name, uint64_t *value)
{
	scan_blanks(scan);
	return !scan_word(scan, name) || scan_number(scan, value);
}

/* The CPU is in brackets, or in the latency format before the flags: "COMM-PID  0d......". */
static uint64_t scan_cpu(const char *start, const char *end)
{
	uint64_t cpu, ignored;

	for (const char *p = start; p < end; p++) {
		struct scan scan = { p + 1, end };

		if (*p == '[' && scan_number(&scan, &cpu) && scan_word(&scan, "]"))
			return cpu;
	}
	for (const char *p = start; p < end; p++) {
		struct scan scan = { p + 1, end };

		if (*p == '-' && scan_number(&scan, &ignored) && scan_blanks(&scan) &&
		    scan_number(&scan, &cpu) && scan_flags(&scan))
			return cpu;
	}
	return HWLAT_UNKNOWN;
}

static int read_tracer(struct hwlat_in *in, const struct line *line, struct scan scan,
		       const char *key)
{
	struct sample sample = { .count = 1, .nmi_us = UINT64_MAX };
	struct hwlat_gap gap;

	scan_blanks(&scan);
	if (!scan_number(&scan, &sample.inner_us) || !scan_word(&scan, "/") ||
	    !scan_number(&scan, &sample.outer_us))
		return damaged(in, line, "no two lengths after inner/outer(us):");
	scan_blanks(&scan);
	if (!scan_word(&scan, "ts:") || !scan_time(&scan, &sample.end_ns))
		return damaged(in, line, "no whole time after ts:");
	if (!scan_named(&scan, "count:", &sample.count) ||
	    !scan_named(&scan, "nmi-total:", &sample.nmi_us) ||
	    !scan_named(&scan, "nmi-count:", &sample.nmi))
		return damaged(in, line, "a name without a number at its end");
	sample.cpu = scan_cpu(line->scan.p, key);
	sample_gap(&gap, &sample);
	return take_gap(in, line, &gap, HWLAT_IN_WALL, "ftrace log");
}

static int read_report(struct hwlat_in *in, const struct line *line, struct scan scan)
{
	struct sample sample = {
		.count = 1, .nmi = HWLAT_UNKNOWN, .nmi_us = UINT64_MAX, .cpu = HWLAT_UNKNOWN
	};
	struct hwlat_gap gap;

	scan_blanks(&scan);
	if (!scan_time(&scan, &sample.end_ns))
		return damaged(in, line, "no whole time after ts:");
	if (!scan_word(&scan, ", inner:") || !scan_number(&scan, &sample.inner_us) ||
	    !scan_word(&scan, ", outer:") || !scan_number(&scan, &sample.outer_us))
		return damaged(in, line, "no lengths named inner and outer");
	if (scan_word(&scan, ", cpu:") && !scan_number(&scan, &sample.cpu))
		return damaged(in, line, "cpu: without a number");
	if (scan_word(&scan, ", count:") && !scan_number(&scan, &sample.count))
		return damaged(in, line, "count: without a number");
	sample_gap(&gap, &sample);
	return take_gap(in, line, &gap, HWLAT_IN_WALL, "hwlatdetect report");
}

/* PID CPU CLOCK INNER OUTER SEC NSEC SEQ, the trace option "raw": nothing but eight numbers. */
static bool read_raw(const struct line *line, struct sample *sample)
{
	struct scan scan = line->scan;
	uint64_t n[8];

	for (unsigned int i = 0; i < 8; i++) {
		scan_blanks(&scan);
		if (!scan_number(&scan, &n[i]))
			return false;
	}
	scan_blanks(&scan);
	if (scan.p != scan.end || n[5] >= INT64_MAX / NS_PER_S || n[6] >= NS_PER_S)
		return false;
	*sample = (struct sample){
		.inner_us = n[3],
		.outer_us = n[4],
		.end_ns = n[5] * NS_PER_S + n[6],
		.count = 1,
		.nmi = HWLAT_UNKNOWN,
		.nmi_us = UINT64_MAX,
		.cpu = n[1],
	};
	return true;
}

/* --- records of our module --------------------------------------------------------------------- */

static int read_module_gap(struct hwlat_in *in, const struct line *line, struct scan scan)
{
	uint64_t cpu, start, duration, smi, nmi, nmi_ns, flags;
	struct hadal_hwlat_gap record = { 0 };
	struct hwlat_gap gap;

	if (!scan_field(scan, " cpu=", &cpu) || !scan_field(scan, " start_ns=", &start) ||
	    !scan_field(scan, " duration_ns=", &duration) || !scan_field(scan, " smi=", &smi) ||
	    !scan_field(scan, " nmi=", &nmi) || !scan_field(scan, " nmi_ns=", &nmi_ns) ||
	    !scan_field(scan, " flags=0x", &flags) || cpu >= CPUS_MAX || start > INT64_MAX ||
	    duration > INT64_MAX || smi > UINT32_MAX || nmi > UINT32_MAX)
		return damaged(in, line, "hwlat_gap: a field is missing or out of range");
	record.cpu = (uint32_t)cpu;
	record.start_ns = start;
	record.duration_ns = duration;
	record.nmi_ns = nmi_ns;
	record.smi = (uint32_t)smi;
	record.nmi = (uint32_t)nmi;
	record.flags = (uint32_t)flags;
	hwlat_module_gap(&gap, &record);
	in->facts.backend = "module";
	return take_gap(in, line, &gap, HWLAT_IN_BOOT, "ftrace log");
}

static int read_module_window(struct hwlat_in *in, const struct line *line, struct scan scan)
{
	struct hwlat_window window = { 0 };
	uint64_t cpu, start;

	if (!scan_field(scan, " cpu=", &cpu) || !scan_field(scan, " start_ns=", &start) ||
	    !scan_field(scan, " duration_ns=", &window.duration_ns) ||
	    !scan_field(scan, " smi=", &window.smi) || !scan_field(scan, " nmi=", &window.nmi) ||
	    !scan_field(scan, " watched_ns=", &window.watched_ns) ||
	    !scan_field(scan, " dropped=", &window.dropped) || cpu >= CPUS_MAX ||
	    start > INT64_MAX || window.duration_ns > INT64_MAX ||
	    window.watched_ns > window.duration_ns)
		return damaged(in, line, "hwlat_window: a field is missing or out of range");
	if (!same_clock(in, HWLAT_IN_BOOT))
		return damaged(in, line,
			       "its time is on another clock than that of the lines before");
	window.cpu = (uint32_t)cpu;
	window.start_ns = (int64_t)start;
	in->facts.backend = "module";
	in->recognised = true;
	in->kind = "ftrace log";
	return hwlat_in_window(in, &window);
}

/* --- what else such texts say ------------------------------------------------------------------ */

static bool scan_us(const struct line *line, const char *name, uint64_t *us)
{
	struct scan scan = line->scan;
	uint64_t value;

	if (!scan_find(&scan, name))
		return false;
	scan_blanks(&scan);
	if (!scan_number(&scan, &value) || !scan_word(&scan, "us") || value > BACKWARD_US)
		return false;
	*us = value;
	return true;
}

/* "entries-in-buffer/entries-written: 20/45", and "CPU:0 [LOST 12 EVENTS]". */
static void read_lost(struct hwlat_in *in, const struct line *line)
{
	struct scan scan = line->scan;
	uint64_t kept, written, lost;

	if (scan_find(&scan, "entries-written:") && scan_blanks(&scan) &&
	    scan_number(&scan, &kept) && scan_word(&scan, "/") && scan_number(&scan, &written) &&
	    written > kept)
		in->facts.lost += written - kept;
	scan = line->scan;
	if (scan_find(&scan, "[LOST ") && scan_number(&scan, &lost) && scan_word(&scan, " EVENTS]"))
		in->facts.lost += lost;
}

static void read_head(struct hwlat_in *in, const struct line *line)
{
	struct scan scan = line->scan;
	uint64_t seconds;

	if (scan_us(line, "Latency threshold:", &in->config.threshold_us) ||
	    scan_us(line, "Sample window:", &in->config.window_us) ||
	    scan_us(line, "Sample width:", &in->config.width_us))
		return;
	if (scan_find(&scan, "hwlatdetect:") && scan_find(&scan, "test duration ") &&
	    scan_number(&scan, &seconds) && seconds < INT64_MAX / NS_PER_S) {
		in->facts.duration_ns = seconds * NS_PER_S;
		in->recognised = true;
		in->kind = "hwlatdetect report";
	}
	scan = line->scan;
	if (scan_find(&scan, "# tracer: hwlat")) {
		in->recognised = true;
		in->kind = "ftrace log";
	}
	read_lost(in, line);
}

static int read_line(struct hwlat_in *in, const struct line *line)
{
	struct scan scan = line->scan;
	struct sample sample;
	struct hwlat_gap gap;

	if (scan_find(&scan, "inner/outer(us):"))
		return read_tracer(in, line, scan, scan.p - strlen("inner/outer(us):"));
	if (scan_find(&scan, "hwlat_gap:"))
		return read_module_gap(in, line, scan);
	if (scan_find(&scan, "hwlat_window:"))
		return read_module_window(in, line, scan);
	if (scan_find(&scan, "ts: ") && scan_find(&(struct scan){ scan.p, scan.end }, "inner:"))
		return read_report(in, line, scan);
	if (read_raw(line, &sample)) {
		sample_gap(&gap, &sample);
		return take_gap(in, line, &gap, HWLAT_IN_WALL, "ftrace log");
	}
	read_head(in, line);
	return 0;
}

int hwlat_in_text(struct hwlat_in *in, const char *text, size_t len)
{
	struct line line = { .number = 0 };
	int err = 0;

	while (len && !err) {
		const char *end = memchr(text, '\n', len);
		const size_t line_len = end ? (size_t)(end - text) : len;

		line.number++;
		line.scan = (struct scan){ text, text + line_len };
		err = read_line(in, &line);
		len -= line_len + (end != NULL);
		text += line_len + (end != NULL);
	}
	return err;
}
