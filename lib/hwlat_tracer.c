// SPDX-License-Identifier: MIT
/* Back end "tracer": the kernel's own, in a trace instance of ours. */
#include <errno.h>
#include <stdlib.h>
#include <tracefs.h>

#include "lib/hwlat.h"
#include "lib/hwlat_tracer.h"

struct tracer_run {
	struct guardian guardian;
	struct tracefs_instance *instance;
	struct tep_handle *events;
	int64_t real_to_boot_ns;
	uint64_t lost;
};

static uint64_t field(struct tep_event *event, struct tep_record *record, const char *name,
		      uint64_t missing)
{
	unsigned long long value;

	if (tep_get_field_val(NULL, event, name, record, &value, 0))
		return missing;
	return value;
}

/*
 * One record a window. Its time is taken right after the window's first gap, whose own length is
 * not told: the start is right for a window with one gap, and otherwise as good as can be had.
 */
static void to_gap(struct hwlat_gap *gap, const struct tracer_run *run, struct tep_event *event,
		   struct tep_record *record, int cpu)
{
	const uint64_t inner = field(event, record, "duration", 0);
	const uint64_t outer = field(event, record, "outer_duration", 0);
	const int64_t end_ns = (int64_t)(field(event, record, "tv_sec", 0) * 1000000000 +
					 field(event, record, "tv_nsec", 0)) + run->real_to_boot_ns;
	const uint64_t longest_us = inner > outer ? inner : outer;

	*gap = (struct hwlat_gap){
		.start_ns = end_ns - (int64_t)longest_us * 1000,
		.duration_ns = longest_us * 1000,
		.smi = HWLAT_UNKNOWN,
		.nmi = field(event, record, "nmi_count", HWLAT_UNKNOWN),
		.nmi_ns = field(event, record, "nmi_total_ts", HWLAT_UNKNOWN),
		.inner_us = inner,
		.outer_us = outer,
		.count = field(event, record, "count", 1),
		.cpu = (uint32_t)cpu,
		/* The tracer's unsigned division makes a step back about 2^64/1000 us. */
		.backward = longest_us > INT64_MAX / 1000,
	};
	if (gap->backward) {
		gap->duration_ns = 0;
		gap->start_ns = end_ns;
	}
}

struct reading {
	struct tracer_run *run;
	const struct hwlat_sink *sink;
};

static int on_event(struct tep_event *event, struct tep_record *record, int cpu, void *context)
{
	const struct reading *reading = context;
	struct hwlat_gap gap;

	if (record->missed_events)
		reading->run->lost += record->missed_events > 0 ?
					      (uint64_t)record->missed_events : 1;
	to_gap(&gap, reading->run, event, record, cpu);
	reading->sink->gap(reading->sink->context, &gap);
	return 0;
}

static int tracer_read(void *state, const struct hwlat_sink *sink)
{
	struct tracer_run *run = state;
	struct reading reading = { .run = run, .sink = sink };

	errno = 0;
	if (tracefs_iterate_raw_events(run->events, run->instance, NULL, 0, on_event, &reading) < 0)
		return errno && errno != EAGAIN ? -errno : 0;
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

	tep_free(run->events);
	tracefs_instance_free(run->instance);
	err = guardian_end(&run->guardian);
	free(run);
	return err;
}

/* Only the one event: all the others take longer to read than the machine takes to set up. */
static struct tep_handle *load_event(void)
{
	struct tep_handle *events = tep_alloc();
	char *format;
	int size;

	if (!events)
		return NULL;
	format = tracefs_event_file_read(NULL, "ftrace", "hwlat", "format", &size);
	if (!format || tep_parse_event(events, format, (unsigned long)size, "ftrace")) {
		tep_free(events);
		events = NULL;
	}
	free(format);
	return events;
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
	run->instance = tracefs_instance_alloc(NULL, TRACER_INSTANCE);
	run->events = load_event();
	if (!run->instance || !run->events) {
		finding_set(why, FINDING_BLOCKED, NULL, "its event format cannot be read");
		tracer_close(run);
		return -EIO;
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
