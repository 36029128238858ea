// SPDX-License-Identifier: MIT
/* The hwlat back ends' pieces that need no kernel: records, causes, texts that are kept or read. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/hwlat.h"
#include "lib/hwlat_interrupts.h"
#include "lib/hwlat_module.h"
#include "lib/hwlat_tracer.h"

static const struct hadal_hwlat_gap record = {
	.type = HADAL_HWLAT_GAP,
	.cpu = 3,
	.seq = 7,
	.start_ns = 1000000,
	.start_tsc = 99,
	.duration_ns = 150304,
	.smi = 1,
	.nmi = 2,
	.nmi_ns = 4000,
	.flags = HADAL_HWLAT_SMI_BELIEVED | HADAL_HWLAT_NMI_TIME,
};

static void test_gap_record(void **state)
{
	struct hwlat_gap gap;

	(void)state;
	hwlat_module_gap(&gap, &record);
	assert_int_equal(gap.cpu, 3);
	assert_int_equal(gap.start_ns, 1000000);
	assert_int_equal(gap.duration_ns, 150304);
	assert_int_equal(gap.smi, 1);
	assert_int_equal(gap.nmi, 2);
	assert_int_equal(gap.nmi_ns, 4000);
	assert_int_equal(gap.count, 1);
	assert_int_equal(gap.inner_us, HWLAT_UNKNOWN);
	assert_int_equal(gap.outer_us, HWLAT_UNKNOWN);
	assert_false(gap.backward);
}

/* A counter that nobody believes says nothing by standing still, but by moving it does. */
static void test_unknown_counts(void **state)
{
	struct hadal_hwlat_gap doubtful = record;
	struct hwlat_gap gap;

	(void)state;
	doubtful.flags = HADAL_HWLAT_BACKWARD;
	hwlat_module_gap(&gap, &doubtful);
	assert_int_equal(gap.smi, 1);
	assert_int_equal(gap.nmi_ns, HWLAT_UNKNOWN);
	assert_true(gap.backward);
	doubtful.smi = 0;
	hwlat_module_gap(&gap, &doubtful);
	assert_int_equal(gap.smi, HWLAT_UNKNOWN);
}

static void test_window_record(void **state)
{
	const struct hadal_hwlat_window from = {
		.type = HADAL_HWLAT_WINDOW,
		.cpu = 1,
		.start_ns = 5,
		.duration_ns = 600,
		.smi = 3,
		.nmi = 4,
		.watched_ns = 500,
		.slices = 2,
		.dropped = 9,
	};
	struct hwlat_window window;

	(void)state;
	hwlat_module_window(&window, &from);
	assert_int_equal(window.cpu, 1);
	assert_int_equal(window.start_ns, 5);
	assert_int_equal(window.duration_ns, 600);
	assert_int_equal(window.watched_ns, 500);
	assert_int_equal(window.smi, 3);
	assert_int_equal(window.nmi, 4);
	assert_int_equal(window.dropped, 9);
}

static void test_causes(void **state)
{
	static const struct {
		uint64_t smi, nmi;
		enum hwlat_cause real, virtual;
	} cases[] = {
		{ 1, 0, HWLAT_SMI, HWLAT_SMI },
		{ 2, 1, HWLAT_SMI_NMI, HWLAT_SMI_NMI },
		{ 0, 1, HWLAT_NMI, HWLAT_NMI },
		{ HWLAT_UNKNOWN, 1, HWLAT_NMI, HWLAT_NMI },
		{ 1, HWLAT_UNKNOWN, HWLAT_SMI, HWLAT_SMI },
		{ 0, 0, HWLAT_UNEXPLAINED, HWLAT_INSEPARABLE },
		{ HWLAT_UNKNOWN, HWLAT_UNKNOWN, HWLAT_UNEXPLAINED, HWLAT_INSEPARABLE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct hwlat_gap gap = { .smi = cases[i].smi, .nmi = cases[i].nmi };

		assert_int_equal(hwlat_cause_of(&gap, false), cases[i].real);
		assert_int_equal(hwlat_cause_of(&gap, true), cases[i].virtual);
	}
}

/* The kernel's own work is its own, but an SMI that ends in an interrupt is an SMI. */
static void test_causes_with_the_kernel_around(void **state)
{
	static const struct {
		struct hwlat_gap gap;
		enum hwlat_cause cause;
	} cases[] = {
		{ { .entry = HWLAT_ENTERED }, HWLAT_KERNEL },
		{ { .entry = HWLAT_SWITCHED }, HWLAT_KERNEL },
		{ { .entry = HWLAT_ENTERED, .smi = 1 }, HWLAT_SMI },
		{ { .entry = HWLAT_ENTERED, .nmi = 1 }, HWLAT_NMI },
		{ { .entry = HWLAT_SWITCHED, .smi = 1 }, HWLAT_KERNEL },
		{ { .entry = HWLAT_ENTERED, .stolen = true }, HWLAT_KERNEL },
		{ { .stolen = true }, HWLAT_STEAL },
		{ { .stolen = true, .smi = 1 }, HWLAT_SMI },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(hwlat_cause_of(&cases[i].gap, true), cases[i].cause);
		assert_int_equal(hwlat_cause_of(&cases[i].gap, false), cases[i].cause);
	}
}

static void test_settings_lines(void **state)
{
	struct hwlat_config config = {
		.width_us = 900,
		.window_us = 1000,
		.threshold_us = 5,
		.mode = HWLAT_PER_CPU,
	};
	char *text;

	(void)state;
	cpus_add(&config.cpus, 33);
	assert_int_equal(hwlat_module_settings(&text, &config), 0);
	assert_string_equal(text, "width=900\nwindow=1000\ntracing_thresh=5\nmode=per-cpu\n"
				  "tracing_cpumask=2,00000000\n");
	free(text);
}

static void test_state_file(void **state)
{
	struct tracer_settings set = {
		.mode = "round-robin", .width = 500000, .window = UINT64_MAX, .thresh = 7,
		.last_thresh = 10, .has_last_thresh = true,
	}, again;
	char text[256];

	(void)state;
	tracer_settings_format(&set, text, sizeof(text));
	assert_string_equal(text, "width=500000\nwindow=18446744073709551615\nthresh=7\n"
				  "mode=round-robin\nlast_thresh=10\n");
	assert_int_equal(tracer_settings_parse(&again, text), 0);
	assert_memory_equal(&set, &again, sizeof(set));
	set.has_last_thresh = false;
	set.last_thresh = 0;
	memset(set.mode, 0, sizeof(set.mode));
	tracer_settings_format(&set, text, sizeof(text));
	assert_int_equal(tracer_settings_parse(&again, text), 0);
	assert_memory_equal(&set, &again, sizeof(set));
}

/* A writer that died in the middle must not have half a number believed. */
static void test_state_file_cut_short(void **state)
{
	const char *whole = "width=500000\nwindow=1000000\nthresh=70\nmode=per-cpu\n";
	struct tracer_settings set;
	char text[256];

	(void)state;
	for (size_t length = 0; length < strlen(whole); length++) {
		memcpy(text, whole, length);
		text[length] = '\0';
		assert_int_equal(tracer_settings_parse(&set, text), -EINVAL);
	}
	assert_int_equal(tracer_settings_parse(&set, whole), 0);
	assert_int_equal(tracer_settings_parse(&set, "width=x\nwindow=1\nthresh=1\nmode=\n"),
			 -EINVAL);
}

static void test_interrupts(void **state)
{
	const char *text = "           CPU0       CPU2\n"
			   "  0:         45          0   IO-APIC   2-edge      timer\n"
			   "NMI:         12       3456   Non-maskable interrupts\n"
			   "LOC:          1          2   Local timer interrupts\n";
	uint64_t counts[CPUS_MAX] = { 0 };
	char list[CPUS_LIST_BYTES];
	struct cpus known;

	(void)state;
	known = interrupts_add_row(text, "NMI", counts);
	assert_string_equal(cpus_list(&known, list), "0,2");
	assert_int_equal(counts[0], 12);
	assert_int_equal(counts[2], 3456);
}

static void test_interrupts_without_the_row(void **state)
{
	static const char *const texts[] = { "", "CPU0\n", "CPU0\nNMI:\n", "CPU0\nNMI: x\n",
					     "NMI: 5\n" };
	uint64_t counts[CPUS_MAX] = { 0 };
	struct cpus known;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		known = interrupts_add_row(texts[i], "NMI", counts);
		assert_true(cpus_empty(&known));
	}
}

static const char interrupts[] =
	"           CPU0       CPU2       CPU8191\n"
	"  0:         45          0          1   IO-APIC   2-edge      timer\n"
	"NMI:         12       3456          7   Non-maskable interrupts\n"
	"THR:          1          0\n"
	"DFR:          2          0          5   Deferred Error APIC interrupts\n"
	"ERR:          9\n"
	"MIS:          0\n";

static void test_interrupts_of_a_cpu(void **state)
{
	(void)state;
	assert_int_equal(interrupts_row_of_cpu(interrupts, "NMI", 2), 3456);
	assert_int_equal(interrupts_row_of_cpu(interrupts, "NMI", 1), HWLAT_UNKNOWN);
	assert_int_equal(interrupts_row_of_cpu(interrupts, "NM", 0), HWLAT_UNKNOWN);
	assert_int_equal(interrupts_row_of_cpu(interrupts, "THR", 8191), 0);
	assert_int_equal(interrupts_of_cpu(interrupts, 0), 45 + 12 + 1 + 2 + 9);
	assert_int_equal(interrupts_of_cpu(interrupts, 2), 3456);
	assert_int_equal(interrupts_of_cpu(interrupts, 8191), 1 + 7 + 5);
	assert_int_equal(interrupts_of_cpu(interrupts, 1), HWLAT_UNKNOWN);
}

/* Whatever is missing, no number grows and nothing is read behind the end. */
static void test_interrupts_cut_short(void **state)
{
	const uint64_t whole = interrupts_of_cpu(interrupts, 0);

	(void)state;
	for (size_t length = 0; length < sizeof(interrupts); length++) {
		char *text = strndup(interrupts, length);
		uint64_t counts[CPUS_MAX] = { 0 };
		const uint64_t sum = interrupts_of_cpu(text, 0);

		assert_true(sum == HWLAT_UNKNOWN || sum <= whole);
		interrupts_add_row(text, "NMI", counts);
		assert_true(counts[0] <= 12 && counts[2] <= 3456);
		free(text);
	}
}

static void test_interrupts_with_absurd_columns(void **state)
{
	static const char text[] = "CPU18446744073709551616 CPU9999 CPUx CPU\nNMI: 1 2 3 4\n";
	uint64_t counts[CPUS_MAX] = { 0 };
	const struct cpus known = interrupts_add_row(text, "NMI", counts);

	(void)state;
	assert_true(cpus_empty(&known));
	assert_int_equal(interrupts_of_cpu(text, 0), HWLAT_UNKNOWN);
}

static void test_steal(void **state)
{
	static const char text[] = "cpu  9 8 7 6 5 4 3 21 0 0\n"
				   "cpu1 1 2 3 4 5 6 7 20 0 0\n"
				   "cpu10 1 2 3 4 5 6 7 1 0 0\n"
				   "cpu11 1 2 3\n"
				   "intr 5 5 5 5 5 5 5 5 5\n";

	(void)state;
	assert_int_equal(stat_steal_ns(text, 1), 200000000);
	assert_int_equal(stat_steal_ns(text, 10), 10000000);
	assert_int_equal(stat_steal_ns(text, 11), HWLAT_UNKNOWN);
	assert_int_equal(stat_steal_ns(text, 0), HWLAT_UNKNOWN);
	assert_int_equal(stat_steal_total_ns(text), 210000000);
	assert_int_equal(stat_steal_total_ns(""), 0);
}

static void test_modes(void **state)
{
	static const char *const names[] = { "none", "round-robin", "per-cpu" };
	enum hwlat_mode mode;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(hwlat_mode_parse(names[i], &mode), 0);
		assert_string_equal(hwlat_mode_name(mode), names[i]);
	}
	assert_int_equal(hwlat_mode_parse("None", &mode), -EINVAL);
	assert_int_equal(hwlat_mode_parse("", &mode), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gap_record),
		cmocka_unit_test(test_unknown_counts),
		cmocka_unit_test(test_window_record),
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_causes_with_the_kernel_around),
		cmocka_unit_test(test_settings_lines),
		cmocka_unit_test(test_state_file),
		cmocka_unit_test(test_state_file_cut_short),
		cmocka_unit_test(test_interrupts),
		cmocka_unit_test(test_interrupts_without_the_row),
		cmocka_unit_test(test_interrupts_of_a_cpu),
		cmocka_unit_test(test_interrupts_cut_short),
		cmocka_unit_test(test_interrupts_with_absurd_columns),
		cmocka_unit_test(test_steal),
		cmocka_unit_test(test_modes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
