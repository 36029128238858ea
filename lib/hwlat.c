// SPDX-License-Identifier: MIT
/* A run: one back end, the CPUs kept awake, times made relative, causes told. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/hwlat.h"
#include "lib/hwlat_counters.h"

struct hwlat_run {
	const struct hwlat_backend *backend;
	void *state;
	struct hwlat_config config;
	struct hwlat_facts facts;
	struct hwlat_counters counters;
	uint64_t origin_ns;
	int latency_fd;
};

/* Most capable first. */
static const struct hwlat_backend *const backends[] = { &hwlat_module, &hwlat_tracer, &hwlat_user,
							&hwlat_passive };

static const char *const mode_names[] = {
	[HWLAT_NONE] = "none",
	[HWLAT_ROUND_ROBIN] = "round-robin",
	[HWLAT_PER_CPU] = "per-cpu",
};

const char *hwlat_mode_name(enum hwlat_mode mode)
{
	return mode_names[mode];
}

int hwlat_mode_parse(const char *name, enum hwlat_mode *mode)
{
	for (size_t i = 0; i < sizeof(mode_names) / sizeof(mode_names[0]); i++) {
		if (strcmp(name, mode_names[i]) == 0) {
			*mode = (enum hwlat_mode)i;
			return 0;
		}
	}
	return -EINVAL;
}

int hwlat_default_cpus(struct cpus *cpus)
{
	struct cpus isolated;
	int err = cpus_read(cpus, "online");

	/* Kernels without CPU isolation have no such file. */
	if (!err && cpus_read(&isolated, "isolated") == 0)
		cpus_remove(cpus, &isolated);
	return err;
}

const struct hwlat_backend *hwlat_backend_at(size_t index)
{
	return index < sizeof(backends) / sizeof(backends[0]) ? backends[index] : NULL;
}

const struct hwlat_backend *hwlat_backend_find(const char *name)
{
	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++)
		if (strcmp(name, backends[i]->name) == 0)
			return backends[i];
	return NULL;
}

const char *hwlat_backend_name(const struct hwlat_backend *backend)
{
	return backend->name;
}

bool hwlat_backend_is_passive(const struct hwlat_backend *backend)
{
	return backend->passive;
}

void hwlat_backend_check(const struct hwlat_backend *backend, struct finding *finding)
{
	backend->check(finding);
	if (finding->state == FINDING_READY && !backend->os_clock)
		hwlat_clock_check(finding);
}

/*
 * Documentation/power/pm_qos_interface.rst: a 32-bit limit in microseconds holds for as long as the
 * file is open; 0 leaves the CPUs no sleep state that takes time to wake from.
 */
static int hold_c_states(void)
{
	const int32_t microseconds = 0;
	const int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, &microseconds, sizeof(microseconds)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

int hwlat_run_open(struct hwlat_run **out, const struct hwlat_backend *backend,
		   const struct hwlat_config *config, struct finding *why)
{
	struct hwlat_run *run;
	int err = backend->os_clock ? 0 : hwlat_clock_check(why);

	if (err)
		return err;
	run = calloc(1, sizeof(*run));
	if (!run)
		return -ENOMEM;
	run->backend = backend;
	run->config = *config;
	run->facts.backend = backend->name;
	run->facts.tells_windows = backend->tells_windows;
	run->facts.hypervisor = hwlat_hypervisor();
	run->facts.passive = backend->passive;
	run->facts.floor_ns = HWLAT_UNKNOWN;
	run->facts.cost_ns = HWLAT_UNKNOWN;
	run->latency_fd = -1;
	err = backend->open(&run->state, config, why);
	if (err) {
		free(run);
		return err;
	}
	if (!backend->passive)
		run->latency_fd = hold_c_states();
	run->facts.c_states_off = run->latency_fd >= 0;
	*out = run;
	return 0;
}

int hwlat_run_start(struct hwlat_run *run)
{
	struct timespec now;

	hwlat_counters_open(&run->counters, &run->config.cpus, !run->backend->count);
	clock_gettime(CLOCK_REALTIME, &now);
	run->facts.started_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	run->origin_ns = hwlat_now_ns();
	return run->backend->start(run->state, (int64_t)run->origin_ns - run->facts.started_ns);
}

int hwlat_run_fd(const struct hwlat_run *run)
{
	return run->backend->fd(run->state);
}

/* Between the back end and the caller's sink. */
struct relay {
	const struct hwlat_run *run;
	const struct hwlat_sink *sink;
};

static void relay_gap(void *context, const struct hwlat_gap *gap)
{
	const struct relay *relay = context;
	struct hwlat_gap told = *gap;

	told.start_ns -= (int64_t)relay->run->origin_ns;
	told.cause = hwlat_cause_of(gap, relay->run->facts.hypervisor);
	if (relay->sink->gap)
		relay->sink->gap(relay->sink->context, &told);
}

static void relay_window(void *context, const struct hwlat_window *window)
{
	const struct relay *relay = context;
	struct hwlat_window told = *window;

	told.start_ns -= (int64_t)relay->run->origin_ns;
	if (relay->sink->window)
		relay->sink->window(relay->sink->context, &told);
}

static void relay_counts(void *context, const struct hwlat_counts *counts)
{
	const struct relay *relay = context;
	struct hwlat_counts told = *counts;

	told.start_ns -= (int64_t)relay->run->origin_ns;
	if (relay->sink->counts)
		relay->sink->counts(relay->sink->context, &told);
}

int hwlat_run_read(struct hwlat_run *run, const struct hwlat_sink *sink)
{
	struct relay relay = { .run = run, .sink = sink };
	const struct hwlat_sink between = { relay_gap, relay_window, &relay, relay_counts };

	return run->backend->read(run->state, &between);
}

int hwlat_run_stop(struct hwlat_run *run, const struct hwlat_sink *sink)
{
	struct relay relay = { .run = run, .sink = sink };
	const struct hwlat_sink between = { relay_gap, relay_window, &relay, relay_counts };
	int err;

	run->facts.duration_ns = hwlat_now_ns() - run->origin_ns;
	err = run->backend->stop(run->state, &between, &run->facts);
	hwlat_counters_stop(&run->counters);
	return err;
}

const struct hwlat_facts *hwlat_run_facts(const struct hwlat_run *run)
{
	return &run->facts;
}

uint64_t hwlat_run_count(const struct hwlat_run *run, enum hwlat_counter counter, unsigned int cpu)
{
	const uint64_t own =
		run->backend->count ? run->backend->count(run->state, counter, cpu) : HWLAT_UNKNOWN;

	if (own != HWLAT_UNKNOWN)
		return own;
	if (counter == HWLAT_COUNT_NMI)
		return hwlat_counters_nmi(&run->counters, cpu);
	if (counter == HWLAT_COUNT_SMI && !run->backend->count)
		return hwlat_counters_smi(&run->counters, cpu, run->facts.hypervisor);
	return HWLAT_UNKNOWN;
}

uint64_t hwlat_run_smi(const struct hwlat_run *run, unsigned int cpu)
{
	return hwlat_run_count(run, HWLAT_COUNT_SMI, cpu);
}

uint64_t hwlat_run_nmi(const struct hwlat_run *run, unsigned int cpu)
{
	return hwlat_run_count(run, HWLAT_COUNT_NMI, cpu);
}

int hwlat_run_close(struct hwlat_run *run)
{
	int err = run->backend->close(run->state);

	if (run->latency_fd >= 0)
		close(run->latency_fd);
	hwlat_counters_close(&run->counters);
	free(run);
	return err;
}
