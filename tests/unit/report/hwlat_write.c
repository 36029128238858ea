// SPDX-License-Identifier: MIT
/*
 * Gives recorded hwlat records to one of the writers: hwlat_write FORMAT < RECORDS
 *
 * The records are lines as tests/vm/hwlat_read.c prints them. What a run knows beside its records is
 * fixed here. Formats: table, all, limit, json, watch, hwlatdetect, tracer.
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

	if (strcmp(format, "json") == 0)
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
	take_all();
	set_totals();
	if (hwlat_result_analyse(&result) || write_as(format))
		return 1;
	hwlat_result_free(&result);
	return 0;
}
