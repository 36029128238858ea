// SPDX-License-Identifier: MIT
/* Back end "module": our kernel module. The open device is the run, so nothing has to be restored. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hwlat.h"
#include "lib/hwlat_module.h"
#include "uapi/hadal_hwlat.h"

#define RECORDS 256

struct module_run {
	int fd;
	struct cpus smi_known;
	uint64_t smi[CPUS_MAX];
};

void hwlat_module_gap(struct hwlat_gap *gap, const struct hadal_hwlat_gap *record)
{
	const bool smi_known = record->smi || record->flags & HADAL_HWLAT_SMI_BELIEVED;

	*gap = (struct hwlat_gap){
		.start_ns = (int64_t)record->start_ns,
		.duration_ns = record->duration_ns,
		.smi = smi_known ? record->smi : HWLAT_UNKNOWN,
		.nmi = record->nmi,
		.nmi_ns = record->flags & HADAL_HWLAT_NMI_TIME ? record->nmi_ns : HWLAT_UNKNOWN,
		.inner_us = HWLAT_UNKNOWN,
		.outer_us = HWLAT_UNKNOWN,
		.count = 1,
		.cpu = record->cpu,
		.backward = record->flags & HADAL_HWLAT_BACKWARD,
	};
}

void hwlat_module_window(struct hwlat_window *window, const struct hadal_hwlat_window *record)
{
	*window = (struct hwlat_window){
		.start_ns = (int64_t)record->start_ns,
		.duration_ns = record->duration_ns,
		.watched_ns = record->watched_ns,
		.smi = record->smi,
		.nmi = record->nmi,
		.dropped = record->dropped,
		.cpu = record->cpu,
	};
}

static void hand_out(const union hadal_hwlat_record *record, const struct hwlat_sink *sink)
{
	struct hwlat_window window;
	struct hwlat_gap gap;

	if (record->type == HADAL_HWLAT_GAP) {
		hwlat_module_gap(&gap, &record->gap);
		sink->gap(sink->context, &gap);
	} else if (record->type == HADAL_HWLAT_WINDOW) {
		hwlat_module_window(&window, &record->window);
		sink->window(sink->context, &window);
	}
}

static int module_read(void *state, const struct hwlat_sink *sink)
{
	const struct module_run *run = state;
	union hadal_hwlat_record records[RECORDS];
	ssize_t bytes;

	do {
		bytes = read(run->fd, records, sizeof(records));
		if (bytes < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -errno;
		for (size_t i = 0; i < (size_t)bytes / sizeof(records[0]); i++)
			hand_out(&records[i], sink);
	} while (bytes == sizeof(records));
	return 0;
}

/* The first read starts the run. Nothing can be there before the first slice is over. */
static int module_start(void *state, int64_t real_to_boot_ns)
{
	const struct module_run *run = state;
	union hadal_hwlat_record record;

	(void)real_to_boot_ns;
	if (read(run->fd, &record, sizeof(record)) < 0 && errno != EAGAIN)
		return -errno;
	return 0;
}

static int module_fd(const void *state)
{
	return ((const struct module_run *)state)->fd;
}

/* Lines "CPU COUNT"; the count is "-" where nobody can tell. */
static void parse_smi(struct module_run *run, char *text)
{
	char *save, *line;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *blank, *end;
		const unsigned long cpu = strtoul(line, &blank, 10);
		const uint64_t total = strtoull(blank, &end, 10);

		if (*blank != ' ' || end == blank || cpu >= CPUS_MAX)
			continue;
		cpus_add(&run->smi_known, (unsigned int)cpu);
		run->smi[cpu] = total;
	}
}

/* The counters are read before the device is closed: later ones would not be of this run. */
static int module_stop(void *state, const struct hwlat_sink *sink, struct hwlat_facts *facts)
{
	struct module_run *run = state;
	char text[CPUS_LIST_BYTES];
	int err = module_read(run, sink);

	if (file_read_u64(HADAL_HWLAT_SYSFS "/floor", &facts->floor_ns))
		facts->floor_ns = HWLAT_UNKNOWN;
	if (!file_read(HADAL_HWLAT_SYSFS "/smi_total", text, sizeof(text)))
		parse_smi(run, text);
	return err;
}

static uint64_t module_count(const void *state, enum hwlat_counter counter, unsigned int cpu)
{
	const struct module_run *run = state;

	if (counter != HWLAT_COUNT_SMI || !cpus_has(&run->smi_known, cpu))
		return HWLAT_UNKNOWN;
	return run->smi[cpu];
}

static int module_close(void *state)
{
	struct module_run *run = state;

	close(run->fd);
	free(run);
	return 0;
}

int hwlat_module_settings(char **text, const struct hwlat_config *config)
{
	char mask[CPUS_MASK_BYTES];

	if (asprintf(text,
		     "width=%llu\nwindow=%llu\ntracing_thresh=%llu\nmode=%s\ntracing_cpumask=%s\n",
		     (unsigned long long)config->width_us, (unsigned long long)config->window_us,
		     (unsigned long long)config->threshold_us, hwlat_mode_name(config->mode),
		     cpus_mask(&config->cpus, mask)) < 0)
		return -ENOMEM;
	return 0;
}

static int write_settings(int fd, const struct hwlat_config *config, struct finding *why)
{
	char *text;
	int err = hwlat_module_settings(&text, config);

	if (!err && write(fd, text, strlen(text)) < 0) {
		err = -errno;
		finding_set(why, FINDING_BLOCKED,
			    "Are all CPUs still online? `hadal hwlat --help` has the limits.",
			    "the module refused the settings: %s", strerror(-err));
	}
	if (!err || err != -ENOMEM)
		free(text);
	return err;
}

static void explain_open(struct finding *why, int err)
{
	hwlat_module.check(why);
	if (why->state == FINDING_READY)
		finding_set(why, FINDING_BLOCKED, NULL, "%s: %s", HADAL_HWLAT_DEVICE,
			    strerror(err));
}

static int module_open(void **state, const struct hwlat_config *config, struct finding *why)
{
	struct module_run *run = calloc(1, sizeof(*run));
	int err;

	if (!run)
		return -ENOMEM;
	run->fd = open(HADAL_HWLAT_DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (run->fd < 0) {
		err = -errno;
		explain_open(why, -err);
		free(run);
		return err;
	}
	err = write_settings(run->fd, config, why);
	if (err) {
		module_close(run);
		return err;
	}
	*state = run;
	return 0;
}

const struct hwlat_backend hwlat_module = {
	.name = "module",
	.tells_windows = true,
	.check = hwlat_module_check,
	.open = module_open,
	.start = module_start,
	.fd = module_fd,
	.read = module_read,
	.stop = module_stop,
	.count = module_count,
	.close = module_close,
};
