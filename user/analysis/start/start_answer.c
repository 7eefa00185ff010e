// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/start/start_answer.h"

#include <math.h>

bool start__executes_another(const struct start *start)
{
	const struct start_call *last = start->call_count ? &start->calls[start->call_count - 1] : NULL;

	return last && last->returned && last->reason == REASON_EXEC_OTHER;
}

bool start_answer__is_prelude(const struct run *run)
{
	return run->start && start__executes_another(run->start) && run->wall_ns != ABSENT &&
	       run->start->marks.end < run->wall_ns / 2;
}

static double phase_ns(const struct start *start, enum start_phase phase)
{
	return start->phases[phase].ns == ABSENT ? 0 : (double)start->phases[phase].ns;
}

static struct start_answer traced_answer(const struct start *start)
{
	struct start_answer answer = {
		.parts = {
			[PART_OF_KERNEL] = phase_ns(start, START_EXEC),
			[PART_OF_LDSO] = phase_ns(start, START_SETUP) + phase_ns(start, START_SEARCH) +
					 phase_ns(start, START_MAP) + phase_ns(start, START_RELOCATE) +
					 phase_ns(start, START_LDSO),
			[PART_OF_LIBC] = phase_ns(start, START_LIBC),
			[PART_OF_INIT] = phase_ns(start, START_INIT),
		},
		.before = start->marks.main == ABSENT ? NAN : (double)start->marks.main,
		.all = (double)start->marks.end,
		.traced = true,
	};

	return answer;
}

/* Without ld.so the first instruction is the program's own. */
static double ldso_ns(const struct start *start)
{
	return start->marks.first != ABSENT && start->marks.first == start->marks.entry
		       ? 0
		       : start->untraced[START_PART_LDSO];
}

/* Where another program is executed, the untraced runs show only when that one ends. */
static struct start_answer untraced_answer(const struct start *start)
{
	const double *untraced = start->untraced;
	struct start_answer answer = {
		.parts = {
			[PART_OF_KERNEL] = untraced[START_PART_KERNEL],
			[PART_OF_LDSO] = ldso_ns(start),
			[PART_OF_LIBC] = untraced[START_PART_LIBC],
		},
	};

	for (int part = 0; part < ANSWER_PART_COUNT; part++)
		answer.before += answer.parts[part];
	answer.all = start__executes_another(start) ? NAN :
		     answer.before + untraced[START_PART_MAIN] +
		     (isnan(untraced[START_PART_END]) ? 0 : untraced[START_PART_END]);
	return answer;
}

struct start_answer start_answer__of(const struct start *start)
{
	const struct start_answer untraced = untraced_answer(start);

	return isnan(untraced.all) ? traced_answer(start) : untraced;
}
