// SPDX-License-Identifier: MIT
/* What hwlat can do here: its back ends, and the clock, the counters and the switch they rest on. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hadal/doctor.h"
#include "lib/file.h"
#include "lib/hwlat.h"
#include "lib/hwlat_smi.h"
#include "lib/hwlat_tracer.h"

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define LATENCY_DEVICE "/dev/cpu_dma_latency"

static void check_clock(struct finding *finding)
{
	char name[64];

	if (hwlat_clock_check(finding))
		return;
	if (file_read(CLOCKSOURCE, name, sizeof(name)))
		snprintf(name, sizeof(name), "unknown");
	name[strcspn(name, "\n")] = '\0';
	finding_set(finding, FINDING_READY, NULL, "trusted by the kernel, whose clock is %s", name);
}

static void check_c_states(struct finding *finding)
{
	if (access(LATENCY_DEVICE, W_OK) == 0)
		finding_set(finding, FINDING_READY, NULL, "can be held off during a run");
	else if (errno == EACCES)
		finding_set(finding, FINDING_BLOCKED, "Run it as root: sudo hadal hwlat",
			    LATENCY_DEVICE " is closed to this user");
	else
		finding_set(finding, FINDING_ABSENT,
			    "Runs are made without; boot with "
			    "processor.max_cstate=1 if wake-ups disturb.",
			    LATENCY_DEVICE ": %s", strerror(errno));
}

static void check_leftover(struct finding *finding)
{
	if (access(TRACER_STATE_FILE, F_OK) != 0)
		finding_set(finding, FINDING_READY, NULL, "none of an earlier run are left");
	else
		finding_set(finding, FINDING_BLOCKED, "If no run is on: sudo hadal hwlat --restore",
			    "a run has the tracer, or was killed with its guardian");
}

void hwlat_doctor(const struct doctor_sink *sink)
{
	static const struct {
		const char *name;
		void (*check)(struct finding *finding);
	} rest[] = {
		{ "TSC", check_clock },
		{ "SMI counter", hwlat_smi_check },
		{ "C-states", check_c_states },
		{ "settings", check_leftover },
	};
	const struct hwlat_backend *backend;
	struct finding finding;

	for (size_t i = 0; (backend = hwlat_backend_at(i)); i++) {
		backend->check(&finding);
		sink->line(sink->context, backend->name, &finding);
	}
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
		rest[i].check(&finding);
		sink->line(sink->context, rest[i].name, &finding);
	}
}
