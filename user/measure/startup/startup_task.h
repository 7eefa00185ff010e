/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command as a task: startloop times it, a traced run of startloop counts, and further runs split
 * the time into parts.
 */
#ifndef FORKTAX_MEASURE_STARTUP_STARTUP_TASK_H
#define FORKTAX_MEASURE_STARTUP_STARTUP_TASK_H

#include "measure/loop/loop_task.h"
#include "measure/startup/preload.h"

struct startup_program {
	const char *loop; /* path of startloop */
	const char *path; /* of the command */
	char *const *argv; /* NULL-terminated */
	const char *const *environment; /* to be added to ours, NULL-terminated; NULL: none */
	bool may_fail;
};

/* Copies the program; takes over the preload (or NULL). */
struct bench_task *startup_task__new(const struct startup_program *program,
				     struct preload *preload);

#endif
