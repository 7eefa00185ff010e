/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a user wants run around a command that is measured: each hook is for sh -c, and is not measured.
 */
#ifndef FORKTAX_MEASURE_COMMAND_COMMAND_HOOKS_H
#define FORKTAX_MEASURE_COMMAND_COMMAND_HOOKS_H

#include <stdbool.h>

#include "measure/task.h"

enum command_hook {
	HOOK_SETUP, /* once, before the first run of the command, warm-ups included */
	HOOK_PREPARE, /* before each run */
	HOOK_CLEANUP, /* once, after the last run of all commands, also if that came early */
	HOOK_COUNT
};

/* The options that set them. */
extern const char *const command_hook_options[HOOK_COUNT];

/*
 * Runs a hook to its end (NULL: nothing). What it leaves running in its process group is killed. Unless it
 * succeeds there is a reason (to be freed), or a signal has come.
 */
enum bench_outcome command_hook__run(enum command_hook hook, const char *command, bool show_output,
				     struct interrupt *interrupt, char **reason);

#endif
