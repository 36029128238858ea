// SPDX-License-Identifier: MIT
/* The first login that is still there, out of the login manager's session files. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/boot_source.h"

#define SESSIONS "/run/systemd/sessions"
#define SESSION_BYTES 4096u

/* struct login - the earliest user's session, microseconds of the kernel's clock */
struct login {
	const struct boot_tree *tree;
	uint64_t usec;
};

/* The text behind KEY= at the start of a line, or NULL. */
static const char *value_of(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL)
		if (strncmp(text, key, len) == 0)
			return text + len;
	return NULL;
}

static int take_session(void *context, const char *name)
{
	struct login *login = context;
	char path[sizeof(SESSIONS) + 257], text[SESSION_BYTES];
	const char *class, *usec;
	uint64_t value;

	snprintf(path, sizeof(path), SESSIONS "/%s", name);
	if (boot_tree_text(login->tree, path, text, sizeof(text)) <= 0)
		return 0;
	class = value_of(text, "CLASS=");
	usec = value_of(text, "MONOTONIC=");
	if (!class || !usec || strncmp(class, "user", 4) != 0 || !strchr("\n-", class[4]))
		return 0;
	value = strtoull(usec, NULL, 10);
	if (value && value < login->usec)
		login->usec = value;
	return 0;
}

static void *login_open(const struct boot_tree *tree, struct finding *finding)
{
	struct login *login = malloc(sizeof(*login));

	if (!login)
		return boot_source_no_memory(finding);
	*login = (struct login){ tree, INT64_MAX / 1000 };
	if (boot_tree_each(tree, SESSIONS, take_session, login) == 0 &&
	    login->usec < INT64_MAX / 1000)
		return login;
	finding_set(finding, FINDING_ABSENT, "Log in on a console or by SSH first.",
		    "nobody is logged in (" SESSIONS ")");
	free(login);
	return NULL;
}

/* From where user space was up, if that was before. */
static int64_t latest_before(const struct hadal_boot *boot, int64_t ns)
{
	int64_t latest = 0;

	for (size_t i = 0; i < boot->span_count; i++) {
		const struct hadal_span *span = &boot->spans[i];
		int64_t end = span->start_ns + span->duration_ns;

		if (span->clock == HADAL_CLOCK_KERNEL && end > latest)
			latest = end;
	}
	return latest < ns ? latest : ns;
}

static int login_read(void *state, struct hadal_boot *boot, struct finding *finding)
{
	const struct login *login = state;
	int64_t ns = (int64_t)login->usec * 1000;
	int64_t start = latest_before(boot, ns);

	if (hadal_boot_add_span(boot, "login", HADAL_CLOCK_KERNEL, "until the first login", start,
				ns - start) < 0)
		return -ENOMEM;
	finding_set(finding, FINDING_READY, NULL,
		    "the first login that is still open, %" PRIu64 ".%03" PRIu64
		    " s after the kernel's zero",
		    login->usec / 1000000, login->usec / 1000 % 1000);
	return 1;
}

const struct boot_source boot_source_login = {
	.name = "login",
	.open = login_open,
	.read = login_read,
	.close = free,
};
