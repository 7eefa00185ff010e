/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command of the user's as a task: an operation is one run of it. A traced run is kept as it is,
 * among the results of the variant.
 */
#ifndef FORKTAX_MEASURE_COMMAND_COMMAND_TASK_H
#define FORKTAX_MEASURE_COMMAND_COMMAND_TASK_H

#include "measure/command/command_rounds.h"

/*
 * Keeps what it is given, all of which must outlive it. A failure of the command is stored in
 * `end`. The variant has room for rounds->traced runs.
 */
struct bench_task *command_task__new(struct variant *variant, const struct rounds *rounds,
				     struct rounds_end *end);

#endif
