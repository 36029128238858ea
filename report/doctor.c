// SPDX-License-Identifier: MIT
/* The lines of `hadal doctor`. */
#include "report/doctor.h"

static const char *const state_words[] = {
	[FINDING_READY] = "ready",
	[FINDING_BLOCKED] = "blocked",
	[FINDING_ABSENT] = "absent",
};

static const char *const state_colors[] = {
	[FINDING_READY] = "\033[32m",
	[FINDING_BLOCKED] = "\033[33m",
	[FINDING_ABSENT] = "\033[2m",
};

void doctor_write_line(const char *name, const struct finding *finding,
		       const struct report_out *out)
{
	fprintf(out->file, "  %-12s %s%-8s%s %s\n", name,
		out->color ? state_colors[finding->state] : "", state_words[finding->state],
		out->color ? "\033[0m" : "", finding->reason);
	if (*finding->next)
		fprintf(out->file, "  %-12s %-8s -> %s\n", "", "", finding->next);
}

struct json_object *doctor_json_line(const char *verb, const char *name,
				     const struct finding *finding)
{
	struct json_object *line = json_object_new_object();

	json_object_object_add(line, "verb", json_object_new_string(verb));
	json_object_object_add(line, "name", json_object_new_string(name));
	json_object_object_add(line, "state", json_object_new_string(state_words[finding->state]));
	json_object_object_add(line, "reason", json_object_new_string(finding->reason));
	json_object_object_add(line, "next",
			       *finding->next ? json_object_new_string(finding->next) : NULL);
	return line;
}
