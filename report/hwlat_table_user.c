// SPDX-License-Identifier: MIT
/* What the back end "user" could not exclude, for people. */
#include <inttypes.h>

#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

static void write_kernel(const struct hwlat_kernel *kernel, FILE *file)
{
	char longest[32], alone[32];

	if (kernel->told == HWLAT_TOLD_MARKER)
		fprintf(file,
			"The kernel ran in %" PRIu64
			" more gap%s, the longest %s; --all lists them.\n",
			kernel->gaps, report_plural(kernel->gaps),
			hwlat_length(kernel->max_ns, longest));
	else
		fprintf(file,
			"In %" PRIu64
			" more gap%s, the longest %s, the kernel may have run; --all lists "
			"them. Here only\ncounters tell, and of no single gap for sure.\n",
			kernel->gaps, report_plural(kernel->gaps),
			hwlat_length(kernel->max_ns, longest));
	if (kernel->shared)
		fputs("The hypervisor shows like the kernel here: gaps of its making are among them.\n",
		      file);
	if (kernel->alone_max_ns)
		fprintf(file,
			"A stall that ends in an interrupt counts among them: it cannot be longer than %s.\n",
			hwlat_length(kernel->alone_max_ns, alone));
	if (kernel->throttled_ns)
		fprintf(file, "Of these, the kernel's limit for real-time threads took %s.\n",
			hwlat_length(kernel->throttled_ns, longest));
}

static bool knows_smis(const struct hwlat_result *result)
{
	for (size_t i = 0; i < result->cpu_count; i++)
		if (result->cpus[i].smi != HWLAT_UNKNOWN)
			return true;
	return false;
}

void hwlat_table_user_notes(const struct hwlat_result *result, FILE *file)
{
	const struct hwlat_facts *facts = &result->facts;

	write_kernel(&facts->kernel, file);
	if (!knows_smis(result) && !facts->hypervisor)
		fputs("SMIs cannot be counted here: they look like any other stall.\n", file);
	if (!facts->realtime)
		fputs("There was no real-time priority: other programs had their turns.\n", file);
	if (!facts->locked)
		fputs("Memory could not be locked: page faults count as the kernel's.\n", file);
	if (facts->os_clock)
		fputs("The kernel does not trust the CPU's counter, so its own clock was read.\n",
		      file);
}
