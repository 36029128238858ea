// SPDX-License-Identifier: MIT
/*
 * Gives recorded hwlat records to one of the writers: hwlat_write FORMAT < RECORDS
 *
 * The records are lines as tests/vm/hwlat_read.c prints them. What a run knows beside its records is
 * fixed here. Formats: table, all, limit, json, watch, hwlatdetect, tracer; user: the table of that back
 * end; passive, passive-json: of that one, whose counts are fixed here too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hwlat.h"
#include "lib/hwlat_module.h"
#include "report/hwlat_out.h"

#define ORIGIN_NS 330000000000

static struct hwlat_result result;
static struct report_out out;
static bool watch;

static unsigned long long value(const char *line, const char *name)
{
	const char *found = strstr(line, name);

	return found ? strtoull(found + strlen(name), NULL, 10) : 0;
}

static void take_gap(const char *line)
{
	const struct hadal_hwlat_gap record = {
		.cpu = (uint32_t)value(line, " cpu="),
		.start_ns = value(line, " start_ns=") - ORIGIN_NS,
		.duration_ns = value(line, " duration_ns="),
		.smi = (uint32_t)value(line, " smi="),
		.nmi = (uint32_t)value(line, " nmi="),
		.nmi_ns = value(line, " nmi_ns="),
		.flags = (uint32_t)value(line, " flags="),
	};
	struct hwlat_gap gap;

	hwlat_module_gap(&gap, &record);
	gap.cause = hwlat_cause_of(&gap, result.facts.hypervisor);
	if (!result.facts.tells_windows) {
		gap.inner_us = gap.duration_ns / 1000;
		gap.outer_us = 2;
		gap.count = 3;
	}
	hwlat_result_gap(&result, &gap);
	if (watch)
		hwlat_watch_gap(&out, &gap);
}

static void take_window(const char *line)
{
	const struct hadal_hwlat_window record = {
		.cpu = (uint32_t)value(line, " cpu="),
		.start_ns = value(line, " start_ns=") - ORIGIN_NS,
		.duration_ns = value(line, " duration_ns="),
		.smi = (uint32_t)value(line, " smi="),
		.nmi = (uint32_t)value(line, " nmi="),
		.watched_ns = value(line, " watched_ns="),
		.dropped = (uint32_t)value(line, " dropped="),
	};
	struct hwlat_window window;

	hwlat_module_window(&window, &record);
	hwlat_result_window(&result, &window);
	if (watch)
		hwlat_watch_window(&out, &window);
}

static void take_all(void)
{
	char line[512];

	while (fgets(line, sizeof(line), stdin)) {
		if (strncmp(line, "gap ", 4) == 0)
			take_gap(line);
		else if (strncmp(line, "window ", 7) == 0)
			take_window(line);
	}
}

/* Two CPUs, of which the second has no SMI counter that anybody believes. */
static void set_up(bool tracer)
{
	struct hwlat_config config = {
		.width_us = 950000,
		.window_us = 1000000,
		.threshold_us = 10,
		.mode = HWLAT_PER_CPU,
	};

	cpus_add(&config.cpus, 0);
	cpus_add(&config.cpus, 1);
	if (hwlat_result_init(&result, &config, 12, HWLAT_UNKNOWN))
		exit(1);
	result.complete = true;
	result.facts = (struct hwlat_facts){
		.backend = tracer ? "tracer" : "module",
		.started_ns = 1704067200123456789,
		.duration_ns = 22000000123,
		.floor_ns = tracer ? HWLAT_UNKNOWN : 176,
		.cost_ns = HWLAT_UNKNOWN,
		.tells_windows = !tracer,
		.hypervisor = true,
		.c_states_off = !tracer,
	};
}

static void set_user(void)
{
	result.facts.backend = "user";
	result.facts.os_clock = true;
	result.facts.kernel = (struct hwlat_kernel){
		.told = HWLAT_TOLD_MARKER,
		.shared = true,
		.gaps = 3000,
		.ns = 990000000,
		.max_ns = 50123456,
		.alone_max_ns = 2345678,
		.throttled_ns = 50123456,
	};
}

/* SMIs on both CPUs; the second one has no steal clock and had a machine check. */
static void set_passive(void)
{
	static const struct hwlat_counts counts[] = {
		{ 1000000000, 1000100000, { 2, 0, 0, 0, 30000000 }, 0 },
		{ 1000000000, 1000100000, { 2, 0, 1, 0, HWLAT_UNKNOWN }, 1 },
		{ 5000300000, 1000200000, { 1, 7, 0, 0, 0 }, 0 },
		{ 5000300000, 1000200000, { 1, 0, 0, 0, HWLAT_UNKNOWN }, 1 },
	};

	result.facts.backend = "passive";
	result.facts.passive = true;
	result.facts.tells_windows = false;
	result.facts.cost_ns = 4321000;
	for (size_t i = 0; i < 4; i++) {
		hwlat_result_counts(&result, &counts[i]);
		for (unsigned int n = 0; n < HWLAT_COUNTERS; n++)
			result.cpus[i % 2].counts[n] += counts[i].n[n];
	}
	result.cpus[1].counts[HWLAT_COUNT_STEAL_NS] = HWLAT_UNKNOWN;
	for (size_t i = 0; i < 2; i++)
		result.cpus[i].counts[HWLAT_COUNT_THERMAL] = HWLAT_UNKNOWN;
}

static void set_totals(void)
{
	result.cpus[0].smi = 164;
	result.cpus[0].nmi = 200;
	result.cpus[1].nmi = 0;
	for (size_t i = 0; i < 2 && !result.facts.tells_windows; i++)
		result.cpus[i].watched_ns = HWLAT_UNKNOWN;
	if (!result.facts.tells_windows)
		result.watched_ns = HWLAT_UNKNOWN;
}

static int write_as(const char *format)
{
	const struct hwlatdetect detect = { .duration_ns = 22000000000, .smi_counts = true };

	if (strcmp(format, "json") == 0 || strcmp(format, "passive-json") == 0)
		return hwlat_write_json(&result, &out);
	if (strcmp(format, "watch") == 0)
		hwlat_watch_end(&result, &out);
	else if (strcmp(format, "hwlatdetect") == 0)
		hwlatdetect_tail(&detect, &result, &out, true);
	else
		hwlat_write_table(&result, &out, strcmp(format, "all") == 0);
	return 0;
}

int main(int argc, char **argv)
{
	const char *format = argc > 1 ? argv[1] : "table";
	const struct hwlatdetect detect = { .duration_ns = 22000000000, .cpu_list = "0-1" };

	out = (struct report_out){ .file = stdout, .width = 80 };
	watch = strcmp(format, "watch") == 0;
	set_up(strcmp(format, "tracer") == 0);
	if (strcmp(format, "limit") == 0)
		result.limit_ns = 100000;
	if (watch)
		hwlat_watch_start(&result, &result.facts, &out);
	if (strcmp(format, "hwlatdetect") == 0)
		hwlatdetect_head(&detect, &result, &out);
	if (strncmp(format, "passive", 7) == 0) {
		set_passive();
	} else {
		take_all();
		set_totals();
	}
	if (strcmp(format, "user") == 0)
		set_user();
	if (hwlat_result_analyse(&result) || write_as(format))
		return 1;
	hwlat_result_free(&result);
	return 0;
}
