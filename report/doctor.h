/* SPDX-License-Identifier: MIT */
/* The writers of `hadal doctor`. */
#ifndef HADAL_REPORT_DOCTOR_H
#define HADAL_REPORT_DOCTOR_H

#include "hadal/finding.h"
#include "report/report.h"

/* One line for people, under the name of the verb that it is about, and what to do below it. */
void doctor_write_line(const char *name, const struct finding *finding,
		       const struct report_out *out);

/* The same as an object: verb, name, state, reason, next. Owned by the caller. */
struct json_object *doctor_json_line(const char *verb, const char *name,
				     const struct finding *finding);

#endif
