// SPDX-License-Identifier: MIT
/* Signals that end a run which has something to finish: caught, held back, let through again. */
#include <stddef.h>
#include <time.h>

#include "cli/signals.h"

#define ECHO_NS 50000000

static const int caught[] = { SIGINT, SIGTERM, SIGHUP };
static volatile sig_atomic_t seen;

static void on_signal(int number)
{
	seen = number;
}

static sigset_t set_of_caught(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaddset(&set, caught[i]);
	return set;
}

const volatile sig_atomic_t *cli_catch_signals(bool once)
{
	const struct sigaction action = {
		.sa_handler = on_signal,
		.sa_flags = once ? (int)SA_RESETHAND : 0,
	};

	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &action, NULL);
	return &seen;
}

const volatile sig_atomic_t *cli_hold_signals(sigset_t *before)
{
	const sigset_t set = set_of_caught();

	sigprocmask(SIG_BLOCK, &set, before);
	return cli_catch_signals(true);
}

/* timeout(1) signals its child and then the whole group: that is one wish, and no hurry. */
static void take_echo(void)
{
	const struct timespec wait = { .tv_nsec = ECHO_NS };
	const sigset_t set = set_of_caught();

	sigtimedwait(&set, NULL, &wait);
}

void cli_release_signals(const sigset_t *before)
{
	if (seen)
		take_echo();
	sigprocmask(SIG_SETMASK, before, NULL);
}
