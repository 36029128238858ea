// SPDX-License-Identifier: MIT
/* Runs the sources: all that works, or the one that was asked for. */
#include <cap-ng.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hadal/boot_live.h"
#include "lib/boot_source.h"

/* In the order in which the boot went, and in which later ones look at what earlier ones found. */
static const struct boot_source *const sources[] = {
	&boot_source_sysfs,  &boot_source_devmem, &boot_source_devicetree, &boot_source_fpdt,
	&boot_source_loader, &boot_source_kernel, &boot_source_systemd,	   &boot_source_login,
};

#define SOURCES (sizeof(sources) / sizeof(sources[0]))

_Static_assert(SOURCES <= HADAL_BOOT_MAX_SOURCES, "room for every source");

const char *const hadal_live_sources[] = {
	"sysfs", "devmem", "devicetree", "fpdt", "loader", "kernel", "systemd", "login", NULL,
};

/* struct hadal_live - the opened sources; no state where one could not be, or was not asked for */
struct hadal_live {
	struct boot_tree tree;
	void *states[SOURCES];
	struct finding findings[SOURCES];
	bool asked[SOURCES];
};

void *boot_source_no_memory(struct finding *finding)
{
	finding_set(finding, FINDING_BLOCKED, "Free some memory.", "not enough memory");
	return NULL;
}

int hadal_live_open(struct hadal_live **result, const char *root, const char *source)
{
	struct hadal_live *live = calloc(1, sizeof(*live));
	int ret;

	if (!live)
		return -ENOMEM;
	ret = boot_tree_open(&live->tree, root);
	if (ret < 0) {
		free(live);
		return ret;
	}
	for (size_t i = 0; i < SOURCES; i++) {
		/* The kernel's zero is what all others are related by. */
		live->asked[i] = !source || strcmp(sources[i]->name, source) == 0 ||
				 sources[i] == &boot_source_kernel;
		if (live->asked[i])
			live->states[i] = sources[i]->open(&live->tree, &live->findings[i]);
		else
			finding_set(&live->findings[i], FINDING_READY, NULL,
				    "not asked for: --source=%s", source);
	}
	*result = live;
	return 0;
}

int hadal_live_drop_privilege(void)
{
	if (capng_get_caps_process() < 0)
		return -EPERM;
	capng_clear(CAPNG_SELECT_CAPS);
	return capng_apply(CAPNG_SELECT_CAPS) < 0 ? -EPERM : 0;
}

static void record(struct hadal_boot *boot, const struct boot_source *source, bool used,
		   const struct finding *finding)
{
	struct hadal_boot_source *at = &boot->sources[boot->source_count++];

	snprintf(at->name, sizeof(at->name), "%s", source->name);
	at->used = used;
	at->finding = *finding;
}

/* Reads source @i: 1 if it told anything, 0 if not, -ENOMEM. */
static int read_source(struct hadal_live *live, size_t i, struct hadal_boot *boot)
{
	struct finding *finding = &live->findings[i];
	int ret = 0;

	if (live->states[i] && sources[i]->table && boot->has_stamps)
		finding_set(finding, FINDING_READY, NULL,
			    "not needed: the same table was read already");
	else if (live->states[i])
		ret = sources[i]->read(live->states[i], boot, finding);
	record(boot, sources[i], ret > 0, finding);
	return ret;
}

static bool tells_before_kernel(const struct hadal_boot *boot)
{
	for (size_t i = 0; i < boot->span_count; i++)
		if (boot->spans[i].clock == HADAL_CLOCK_COUNTER)
			return true;
	return boot->has_stamps;
}

int hadal_live_read(struct hadal_live *live, struct hadal_boot *boot, uint32_t tick_khz)
{
	const struct hadal_counter *counter = NULL;
	bool tells;
	int ret;

	boot->source = "machine";
	boot->khz_from = "unknown";
	for (size_t i = 0; i < SOURCES; i++) {
		ret = read_source(live, i, boot);
		if (ret < 0)
			return ret;
		if (sources[i] == &boot_source_kernel)
			counter = live->states[i];
	}
	if (tick_khz) {
		boot->khz = tick_khz;
		boot->khz_from = "--tick-khz";
	}
	tells = tells_before_kernel(boot);
	ret = hadal_boot_relate(boot, counter);
	return ret < 0 ? ret : tells;
}

void hadal_live_close(struct hadal_live *live)
{
	for (size_t i = 0; i < SOURCES; i++)
		if (live->states[i])
			sources[i]->close(live->states[i]);
	boot_tree_close(&live->tree);
	free(live);
}
