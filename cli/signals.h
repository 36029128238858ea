/* SPDX-License-Identifier: MIT */
/* Signals that end a run which has something to finish: it completes its step and tidies up. */
#ifndef HADAL_CLI_SIGNALS_H
#define HADAL_CLI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP do no more than set what this returns. @once: a second one of
 * a kind ends the process.
 */
const volatile sig_atomic_t *cli_catch_signals(bool once);

/*
 * The same, @once, and holds them back, so that none is missed between a look and a wait: they come
 * through where a wait such as ppoll() has the mask @before.
 */
const volatile sig_atomic_t *cli_hold_signals(sigset_t *before);

/* Lets them through again. One that comes once more as soon as it was seen is dropped. */
void cli_release_signals(const sigset_t *before);

#endif
