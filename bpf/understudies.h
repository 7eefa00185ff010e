/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which of the programs on a tracepoint handles an event, where the kernel may skip each of them: from
 * Linux 7.0 on (drift.h). The thread remembers what was handled last. Of the programs on one tracepoint
 * the first always handles its event, and another one if the last thing handled is of another kind.
 *
 * That is right as long as something else is handled, or forgotten, between two events of one kind:
 * - Between two entries of calls there is an exit. Not every exit is handled, so two forerunners, which
 *   are attached first, forget at every exit what was handled before.
 * - Between two exits there is an entry, unless the second call was denied: there, too, the forerunners
 *   forget.
 * - Between two execs there is an entry, and it is handled.
 *
 * So an event is lost only if all the programs on its tracepoint are skipped, or both forerunners (at most
 * one event for each such exit). The kernel counts what it skips for every program: the least number of
 * those on a tracepoint bounds what is lost (programs__misses()), and where it is 0 nothing is.
 *
 * No names of the kernel's or of libbpf: a unit test goes through all cases of this file.
 */
#pragma once

#include "task.h"

/* `rank`: 0 for the first of the programs. To be asked once by each program that runs. */
static inline __attribute__((always_inline)) int takes_event(struct task_value *value, enum event event, int rank)
{
	if (rank && value->handled == event)
		return 0;
	value->handled = event;
	return 1;
}

/* What a forerunner does. */
static inline __attribute__((always_inline)) void forget_handled(struct task_value *value)
{
	value->handled = 0;
}
