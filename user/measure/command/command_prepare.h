/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a user wants run before each run that is measured: it is for sh -c, and is not measured.
 */
#ifndef FORKTAX_MEASURE_COMMAND_COMMAND_PREPARE_H
#define FORKTAX_MEASURE_COMMAND_COMMAND_PREPARE_H

#include <stdbool.h>

#include "measure/task.h"

/*
 * Runs it to its end (NULL: nothing). What it leaves running in its process group is killed. Unless it
 * succeeds there is a reason (to be freed), or a signal has come.
 */
enum bench_outcome command_prepare__run(const char *command, bool show_output, struct interrupt *interrupt,
					char **reason);

#endif
