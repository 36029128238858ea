/* SPDX-License-Identifier: MIT */
/* The writers of a hwlat run. What failed on the way shows in the stream's error flag. */
#ifndef HADAL_REPORT_HWLAT_OUT_H
#define HADAL_REPORT_HWLAT_OUT_H

#include "report/hwlat_result.h"
#include "report/report.h"

/* For people. @all: every gap, not only the first ones. */
void hwlat_write_table(const struct hwlat_result *result, const struct report_out *out, bool all);

/* Its parts for single back ends: what "user" could not exclude, and all of "passive". */
void hwlat_table_user_notes(const struct hwlat_result *result, FILE *file);
void hwlat_table_passive(const struct hwlat_result *result, const struct report_out *out, bool all);

/* The number into @buf, or "-" for HWLAT_UNKNOWN. */
const char *hwlat_count(uint64_t n, char buf[32]);

/* "2.359759", in seconds. */
const char *hwlat_seconds(int64_t ns, char buf[32]);

/* One JSON document. Returns 0 or -ENOMEM. */
int hwlat_write_json(const struct hwlat_result *result, const struct report_out *out);

/* Parts of the table: periods, the lengths in a sentence, the verdict with its hints. */
void hwlat_table_periods(const struct hwlat_analysis *analysis, const struct report_out *out);
void hwlat_table_lengths(const struct hwlat_analysis *analysis, const struct report_out *out);
void hwlat_table_advice(const struct hwlat_result *result, const struct report_out *out);

/* The lengths of all gaps as a histogram in text. */
void hwlat_write_hist(const struct hwlat_result *result, const struct report_out *out);

/* Trace events for Perfetto and Chrome. Returns 0 or -ENOMEM. */
int hwlat_write_perfetto(const struct hwlat_result *result, const struct report_out *out);

/* Metrics, in OpenMetrics 1.0. */
void hwlat_write_openmetrics(const struct hwlat_result *result, const struct report_out *out);

/* One self-contained page. */
void hwlat_write_html(const struct hwlat_result *result, const struct report_out *out);

/* The same as JSON Lines while the run goes on: an object when it starts, ... */
void hwlat_watch_start(const struct hwlat_result *result, const struct hwlat_facts *facts,
		       const struct report_out *out);
/* ... one for each record, @context is the struct report_out, ... */
void hwlat_watch_gap(void *context, const struct hwlat_gap *gap);
void hwlat_watch_window(void *context, const struct hwlat_window *window);
void hwlat_watch_counts(void *context, const struct hwlat_counts *counts);
/* ... and one with the sums. */
void hwlat_watch_end(const struct hwlat_result *result, const struct report_out *out);

/*
 * struct hwlatdetect - what hwlatdetect prints that is not in the result
 * @duration_ns: as asked for; printed in whole seconds
 * @cpu_list: as it was given, NULL if it was not
 * @smi_counts: print SMIs as that tool does when it finds the program rdmsr
 * @interrupted: by Ctrl-C
 */
struct hwlatdetect {
	uint64_t duration_ns;
	const char *cpu_list;
	bool smi_counts;
	bool interrupted;
};

/* Byte for byte what hwlatdetect 0.8 (rt-tests 2.4) prints before and after a run. */
void hwlatdetect_head(const struct hwlatdetect *detect, const struct hwlat_result *result,
		      const struct report_out *out);
void hwlatdetect_sample(const struct hwlat_result *result, const struct hwlat_gap *gap,
			const struct report_out *out);
/* @samples: list them, unless they were printed as they came. */
void hwlatdetect_tail(const struct hwlatdetect *detect, const struct hwlat_result *result,
		      const struct report_out *out, bool samples);

/* A number for JSON; HWLAT_UNKNOWN is null. */
struct json_object *hwlat_json_number(uint64_t value);

/* Pieces of JSON that the document and the lines share; json-c objects, owned by the caller. */
struct json_object *hwlat_json_run(const struct hwlat_result *result,
				   const struct hwlat_facts *facts);
struct json_object *hwlat_json_window(const struct hwlat_window *window);
struct json_object *hwlat_json_gap(const struct hwlat_gap *gap);
struct json_object *hwlat_json_counts(const struct hwlat_counts *counts);
struct json_object *hwlat_json_totals(const struct hwlat_result *result);
struct json_object *hwlat_json_verdict(const struct hwlat_result *result);
struct json_object *hwlat_json_periods(const struct hwlat_analysis *analysis);
struct json_object *hwlat_json_analysis(const struct hwlat_analysis *analysis);
struct hwlat_advice;
struct json_object *hwlat_json_hints(const struct hwlat_advice *advice);

#endif
