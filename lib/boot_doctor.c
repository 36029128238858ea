// SPDX-License-Identifier: MIT
/* What hadal doctor says of the boot: what came of each source. */
#include "hadal/boot_live.h"
#include "hadal/doctor.h"

static void read_sources(struct hadal_live *live, const struct doctor_sink *sink)
{
	struct hadal_boot boot = { 0 };

	if (hadal_live_read(live, &boot, 0) >= 0)
		for (size_t i = 0; i < boot.source_count; i++)
			sink->line(sink->context, boot.sources[i].name, &boot.sources[i].finding);
	hadal_boot_free(&boot);
}

void boot_doctor(const struct doctor_sink *sink)
{
	struct finding finding;
	struct hadal_live *live;

	if (hadal_live_open(&live, NULL, NULL) < 0)
		return;
	if (hadal_live_drop_privilege() == 0) {
		read_sources(live, sink);
	} else {
		finding_set(&finding, FINDING_BLOCKED, NULL,
			    "the process cannot give up its privilege, so nothing is read");
		sink->line(sink->context, "sources", &finding);
	}
	hadal_live_close(live);
}
