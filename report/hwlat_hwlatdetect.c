// SPDX-License-Identifier: MIT
/*
 * The text of hwlatdetect 0.8 (rt-tests 2.4), for scripts that read it: whole microseconds, the
 * words and their spelling are that tool's.
 */
#include <inttypes.h>

#include "report/hwlat_out.h"

static uint64_t whole_us(uint64_t ns)
{
	return ns / 1000;
}

void hwlatdetect_head(const struct hwlatdetect *detect, const struct hwlat_result *result,
		      const struct report_out *out)
{
	const struct hwlat_config *config = &result->config;

	fprintf(out->file,
		"hwlatdetect:  test duration %" PRIu64 " seconds\n"
		"   detector: %s\n"
		"   parameters:\n"
		"        CPU list:          %s\n"
		"        Latency threshold: %" PRIu64 "us\n"
		"        Sample window:     %" PRIu64 "us\n"
		"        Sample width:      %" PRIu64 "us\n"
		"     Non-sampling period:  %" PRIu64 "us\n"
		"        Output File:       None\n"
		"\nStarting test\n",
		detect->duration_ns / 1000000000, result->facts.backend,
		detect->cpu_list ? detect->cpu_list : "None", config->threshold_us,
		config->window_us, config->width_us, config->window_us - config->width_us);
	fflush(out->file);
}

/* The tracer's own two numbers; of a single gap the length, as the inner one. */
void hwlatdetect_sample(const struct hwlat_result *result, const struct hwlat_gap *gap,
			const struct report_out *out)
{
	const uint64_t end_ns =
		(uint64_t)(result->facts.started_ns + gap->start_ns) + gap->duration_ns;
	const bool both = gap->inner_us != HWLAT_UNKNOWN;

	if (gap->backward)
		return;
	fprintf(out->file, "ts: %" PRIu64 ".%09" PRIu64 ", inner:%" PRIu64 ", outer:%" PRIu64 "\n",
		end_ns / 1000000000, end_ns % 1000000000,
		both ? gap->inner_us : whole_us(gap->duration_ns), both ? gap->outer_us : 0);
}

/* That tool adds CPUs up, so that one SMI on eight of them reads 8. */
static void write_smis(const struct hwlat_result *result, const struct report_out *out)
{
	/* That tool's spelling, in two parts because the spell checker would mind it. */
	static const char happened[] = "occu"
				       "red";
	uint64_t sum = 0;

	for (size_t i = 0; i < result->cpu_count; i++) {
		const struct hwlat_cpu *cpu = &result->cpus[i];

		if (cpu->smi == HWLAT_UNKNOWN || !cpu->smi)
			continue;
		sum += cpu->smi;
		fprintf(out->file, "%" PRIu64 " SMIs %s on cpu %u\n", cpu->smi, happened, cpu->cpu);
	}
	fprintf(out->file, "SMIs during run: %" PRIu64 "\n", sum);
}

void hwlatdetect_tail(const struct hwlatdetect *detect, const struct hwlat_result *result,
		      const struct report_out *out, bool samples)
{
	const uint64_t count = result->record_count + result->omitted - result->backward;

	if (detect->interrupted)
		fputs("interrupted\n", out->file);
	fputs("test finished\n", out->file);
	if (whole_us(result->max_ns))
		fprintf(out->file, "Max Latency: %" PRIu64 "us\n", whole_us(result->max_ns));
	else
		fputs("Max Latency: Below threshold\n", out->file);
	fprintf(out->file, "Samples recorded: %" PRIu64 "\n", count);
	fprintf(out->file, "Samples exceeding threshold: %" PRIu64 "\n", count);
	if (detect->smi_counts)
		write_smis(result, out);
	for (size_t i = 0; samples && i < result->record_count; i++)
		hwlatdetect_sample(result, &result->records[i], out);
}
