// SPDX-License-Identifier: MIT
/* Back end "tracer": the kernel's own, in a trace instance of ours. */
#include <errno.h>
#include <kbuffer.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#include "lib/hwlat.h"
#include "lib/hwlat_tracer.h"

/* One CPU's part of the instance's buffer. */
struct reader {
	struct tracefs_cpu *file;
	int cpu;
};

struct tracer_run {
	struct guardian guardian;
	struct tracefs_instance *instance;
	struct tep_handle *formats;
	struct tep_event *event;
	struct kbuffer *pages;
	void *page;
	struct reader *readers;
	size_t reader_count;
	int64_t real_to_boot_ns;
	uint64_t lost;
};

static uint64_t field(const struct tracer_run *run, const void *data, const char *name,
		      uint64_t missing)
{
	unsigned long long value;

	if (tep_read_number_field(tep_find_field(run->event, name), data, &value))
		return missing;
	return value;
}

/*
 * One record a window. Its time is taken right after the window's first gap, whose own length is
 * not told: the start is right for a window with one gap, and otherwise as good as can be had.
 */
static void to_gap(struct hwlat_gap *gap, const struct tracer_run *run, const void *data, int cpu)
{
	const uint64_t inner = field(run, data, "duration", 0);
	const uint64_t outer = field(run, data, "outer_duration", 0);
	const int64_t end_ns = (int64_t)(field(run, data, "tv_sec", 0) * 1000000000 +
					 field(run, data, "tv_nsec", 0)) +
			       run->real_to_boot_ns;
	const uint64_t longest_us = inner > outer ? inner : outer;

	*gap = (struct hwlat_gap){
		.start_ns = end_ns - (int64_t)longest_us * 1000,
		.duration_ns = longest_us * 1000,
		.smi = HWLAT_UNKNOWN,
		.nmi = field(run, data, "nmi_count", HWLAT_UNKNOWN),
		.nmi_ns = field(run, data, "nmi_total_ts", HWLAT_UNKNOWN),
		.inner_us = inner,
		.outer_us = outer,
		.count = field(run, data, "count", 1),
		.cpu = (uint32_t)cpu,
		/* The tracer's unsigned division makes a step back about 2^64/1000 us. */
		.backward = longest_us > INT64_MAX / 1000,
	};
	if (gap->backward) {
		gap->duration_ns = 0;
		gap->start_ns = end_ns;
	}
}

static void hand_out_page(struct tracer_run *run, int cpu, const struct hwlat_sink *sink)
{
	struct hwlat_gap gap;
	int missed;
	void *data;

	if (kbuffer_load_subbuffer(run->pages, run->page))
		return;
	missed = kbuffer_missed_events(run->pages);
	if (missed)
		run->lost += missed > 0 ? (uint64_t)missed : 1;
	while ((data = kbuffer_read_event(run->pages, NULL))) {
		if (tep_data_type(run->formats, &(struct tep_record){ .data = data }) ==
		    run->event->id) {
			to_gap(&gap, run, data, cpu);
			sink->gap(sink->context, &gap);
		}
		kbuffer_next_event(run->pages, NULL);
	}
}

static int tracer_read(void *state, const struct hwlat_sink *sink)
{
	struct tracer_run *run = state;

	for (size_t i = 0; i < run->reader_count; i++)
		while (tracefs_cpu_read(run->readers[i].file, run->page, true) > 0)
			hand_out_page(run, run->readers[i].cpu, sink);
	return 0;
}

static int tracer_start(void *state, int64_t real_to_boot_ns)
{
	struct tracer_run *run = state;

	run->real_to_boot_ns = real_to_boot_ns;
	return tracefs_trace_on(run->instance) ? -EIO : 0;
}

static int tracer_fd(const void *state)
{
	(void)state;
	return -1;
}

static int tracer_stop(void *state, const struct hwlat_sink *sink, struct hwlat_facts *facts)
{
	struct tracer_run *run = state;
	int err = tracefs_trace_off(run->instance) ? -EIO : 0;
	int read_err = tracer_read(run, sink);

	facts->lost = run->lost;
	return err ? err : read_err;
}

/* The instance can go only when nobody holds a file of it open. */
static int tracer_close(void *state)
{
	struct tracer_run *run = state;
	int err;

	for (size_t i = 0; i < run->reader_count; i++)
		tracefs_cpu_close(run->readers[i].file);
	free(run->readers);
	free(run->page);
	kbuffer_free(run->pages);
	tep_free(run->formats);
	tracefs_instance_free(run->instance);
	err = guardian_end(&run->guardian);
	free(run);
	return err;
}

/* Only the one event: all the others take longer to read than the machine takes to set up. */
static int load_format(struct tracer_run *run)
{
	char *format = tracefs_event_file_read(NULL, "ftrace", "hwlat", "format", NULL);
	int err = -EIO;

	run->formats = tep_alloc();
	if (format && run->formats &&
	    !tep_parse_event(run->formats, format, strlen(format), "ftrace"))
		run->event = tep_find_event_by_name(run->formats, "ftrace", "hwlat");
	if (run->event)
		err = 0;
	free(format);
	return err;
}

static int open_readers(struct tracer_run *run, const struct cpus *cpus)
{
	run->readers = calloc(cpus_count(cpus), sizeof(run->readers[0]));
	if (!run->readers)
		return -ENOMEM;
	for (int cpu = cpus_next(cpus, -1); cpu >= 0; cpu = cpus_next(cpus, cpu)) {
		struct tracefs_cpu *file = tracefs_cpu_open(run->instance, cpu, true);

		if (!file)
			return -EIO;
		run->readers[run->reader_count++] = (struct reader){ file, cpu };
	}
	run->pages = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST, KBUFFER_ENDIAN_SAME_AS_HOST);
	run->page = malloc((size_t)tracefs_cpu_read_size(run->readers[0].file));
	return run->pages && run->page ? 0 : -ENOMEM;
}

static int open_buffer(struct tracer_run *run, const struct hwlat_config *config)
{
	int err = load_format(run);

	if (err)
		return err;
	run->instance = tracefs_instance_alloc(NULL, TRACER_INSTANCE);
	return run->instance ? open_readers(run, &config->cpus) : -ENOMEM;
}

static int tracer_open(void **state, const struct hwlat_config *config, struct finding *why)
{
	struct tracer_run *run = calloc(1, sizeof(*run));
	int err;

	if (!run)
		return -ENOMEM;
	err = guardian_start(&run->guardian, config, why);
	if (err) {
		free(run);
		return err;
	}
	err = open_buffer(run, config);
	if (err) {
		finding_set(why, FINDING_BLOCKED, NULL, "its records cannot be read: %s",
			    strerror(-err));
		tracer_close(run);
		return err;
	}
	*state = run;
	return 0;
}

const struct hwlat_backend hwlat_tracer = {
	.name = "tracer",
	.check = tracer_check,
	.open = tracer_open,
	.start = tracer_start,
	.fd = tracer_fd,
	.read = tracer_read,
	.stop = tracer_stop,
	.close = tracer_close,
};
