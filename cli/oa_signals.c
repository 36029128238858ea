// SPDX-License-Identifier: MIT
/* Signals that end a sub-verb which has changed something: it finishes its step and tidies up. */
#include <signal.h>

#include "cli/oa.h"

static volatile sig_atomic_t seen;

static void on_signal(int number)
{
	seen = number;
}

const volatile sig_atomic_t *oa_catch_signals(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND };

	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &action, NULL);
	return &seen;
}
