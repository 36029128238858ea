/* SPDX-License-Identifier: MIT */
/*
 * libhadal, findings: whether something can be used here, why not, and what changes that. The same
 * words are a line of `hadal doctor` and the message of a verb that could not go on.
 */
#ifndef HADAL_FINDING_H
#define HADAL_FINDING_H

enum finding_state {
	FINDING_READY,	 /* can be used now */
	FINDING_BLOCKED, /* is there, but something is in the way */
	FINDING_ABSENT,	 /* is not there */
};

/*
 * struct finding - one answer
 * @reason: what was found, a phrase without a full stop
 * @next: what to do about it, a sentence or a command; empty if there is nothing to do
 */
struct finding {
	enum finding_state state;
	char reason[160];
	char next[240];
};

/* Sets all of @finding; the rest is the format of @reason. @next may be NULL. */
void finding_set(struct finding *finding, enum finding_state state, const char *next,
		 const char *reason, ...) __attribute__((format(printf, 4, 5)));

#endif
