// SPDX-License-Identifier: MIT
/* Findings: whether something can be used here, why not, and what changes that. */
#include <stdarg.h>
#include <stdio.h>

#include "hadal/finding.h"

void finding_set(struct finding *finding, enum finding_state state, const char *next,
		 const char *reason, ...)
{
	va_list ap;

	finding->state = state;
	snprintf(finding->next, sizeof(finding->next), "%s", next ? next : "");
	va_start(ap, reason);
	vsnprintf(finding->reason, sizeof(finding->reason), reason, ap);
	va_end(ap);
}
