// SPDX-License-Identifier: MIT
/* Tells what kind of recording it is, and makes a result of what its reader found. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/hwlat_in.h"

/* The tracer's own settings, which hold where nobody has changed them. */
#define TRACER_WIDTH_US 500000
#define TRACER_WINDOW_US 1000000

static bool grow(void **items, size_t count, size_t *room, size_t size)
{
	const size_t wanted = *room ? *room * 2 : 64;
	void *larger;

	if (count < *room)
		return true;
	larger = reallocarray(*items, wanted, size);
	if (!larger)
		return false;
	*items = larger;
	*room = wanted;
	return true;
}

int hwlat_in_gap(struct hwlat_in *in, const struct hwlat_gap *gap)
{
	void *items = in->gaps;
	const bool grown = grow(&items, in->gap_count, &in->gap_room, sizeof(*in->gaps));

	in->gaps = items;
	if (!grown)
		return -ENOMEM;
	in->gaps[in->gap_count++] = *gap;
	if (gap->cpu < CPUS_MAX)
		cpus_add(&in->config.cpus, gap->cpu);
	return 0;
}

int hwlat_in_window(struct hwlat_in *in, const struct hwlat_window *window)
{
	void *items = in->windows;
	const bool grown = grow(&items, in->window_count, &in->window_room, sizeof(*in->windows));

	in->windows = items;
	if (!grown)
		return -ENOMEM;
	in->windows[in->window_count++] = *window;
	if (window->cpu < CPUS_MAX)
		cpus_add(&in->config.cpus, window->cpu);
	return 0;
}

/* --- from the records to a result -------------------------------------------------------------- */

static int64_t earliest(const struct hwlat_in *in)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < in->gap_count; i++)
		if (in->gaps[i].start_ns < first)
			first = in->gaps[i].start_ns;
	for (size_t i = 0; i < in->window_count; i++)
		if (in->windows[i].start_ns < first)
			first = in->windows[i].start_ns;
	return first == INT64_MAX ? 0 : first;
}

static uint64_t after(int64_t first, int64_t start, uint64_t duration)
{
	return (uint64_t)start - (uint64_t)first + duration;
}

/* How long the records go on, for recordings that do not say. */
static uint64_t length_of(const struct hwlat_in *in, int64_t first)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < in->gap_count; i++) {
		const uint64_t end = after(first, in->gaps[i].start_ns, in->gaps[i].duration_ns);

		if (end > longest)
			longest = end;
	}
	for (size_t i = 0; i < in->window_count; i++) {
		const uint64_t end =
			after(first, in->windows[i].start_ns, in->windows[i].duration_ns);

		if (end > longest)
			longest = end;
	}
	return longest;
}

/* Documents of ours count from the start of their run already. */
static void set_times(struct hwlat_in *in)
{
	const int64_t first = earliest(in);

	if (in->clock == HWLAT_IN_RUN)
		return;
	if (in->clock == HWLAT_IN_WALL)
		in->facts.started_ns = first;
	if (!in->facts.duration_ns)
		in->facts.duration_ns = length_of(in, first);
	for (size_t i = 0; i < in->gap_count; i++)
		in->gaps[i].start_ns -= first;
	for (size_t i = 0; i < in->window_count; i++)
		in->windows[i].start_ns -= first;
}

static void set_watching(struct hwlat_in *in, const struct hwlat_in_options *options)
{
	if (options->width_us)
		in->config.width_us = options->width_us;
	if (options->window_us)
		in->config.window_us = options->window_us;
	if (!in->config.width_us || !in->config.window_us ||
	    in->config.width_us > in->config.window_us) {
		in->config.width_us = TRACER_WIDTH_US;
		in->config.window_us = TRACER_WINDOW_US;
	}
	in->facts.tells_windows = in->window_count > 0;
}

static void set_totals(struct hwlat_result *result, const struct hwlat_in *in)
{
	if (!in->facts.tells_windows)
		result->watched_ns = HWLAT_UNKNOWN;
	for (size_t i = 0; i < result->cpu_count; i++) {
		struct hwlat_cpu *cpu = &result->cpus[i];

		if (!in->facts.tells_windows)
			cpu->watched_ns = HWLAT_UNKNOWN;
		for (unsigned int n = 0; n < HWLAT_COUNTERS; n++)
			cpu->counts[n] = HWLAT_UNKNOWN;
		for (size_t k = 0; k < in->cpu_count; k++) {
			if (in->cpus[k].cpu != cpu->cpu)
				continue;
			cpu->smi = in->cpus[k].smi;
			cpu->nmi = in->cpus[k].nmi;
			memcpy(cpu->counts, in->cpus[k].counts, sizeof(cpu->counts));
		}
	}
}

static int make_result(struct hwlat_result *result, struct hwlat_in *in,
		       const struct hwlat_in_options *options)
{
	int err;

	set_times(in);
	set_watching(in, options);
	err = hwlat_result_init(result, &in->config, options->max_records, options->limit_ns);
	if (err)
		return err;
	result->facts = in->facts;
	result->source = in->kind;
	result->complete = !in->incomplete;
	for (size_t i = 0; i < in->gap_count; i++)
		hwlat_result_gap(result, &in->gaps[i]);
	for (size_t i = 0; i < in->window_count; i++)
		hwlat_result_window(result, &in->windows[i]);
	result->omitted += in->omitted;
	set_totals(result, in);
	return 0;
}

static bool looks_like_json(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && isspace((unsigned char)text[i]))
		i++;
	return i < len && text[i] == '{';
}

int hwlat_in_read(struct hwlat_result *result, const struct hwlat_in_options *options,
		  const void *bytes, size_t len, struct hadal_lines *damage)
{
	struct hwlat_in in = {
		.config = { .mode = HWLAT_ROUND_ROBIN },
		.facts = { .backend = "tracer",
			   .floor_ns = HWLAT_UNKNOWN,
			   .cost_ns = HWLAT_UNKNOWN },
		.damage = damage,
	};
	int err;

	*result = (struct hwlat_result){ 0 };
	err = looks_like_json(bytes, len) ? hwlat_in_json(&in, bytes, len) :
					    hwlat_in_text(&in, bytes, len);
	if (!err && !in.recognised)
		err = -EBADMSG;
	if (!err)
		err = make_result(result, &in, options);
	free(in.gaps);
	free(in.windows);
	free(in.cpus);
	return err;
}
