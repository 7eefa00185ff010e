// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/watch/watch_budget.h"

#include <math.h>

static void add_unit(struct watch_events *sum, const struct watch_unit *unit)
{
	sum->calls += unit->calls;
	sum->faults += unit->faults;
	sum->forks += unit->forks;
	for (int birth = 0; birth < BIRTH_COUNT; birth++)
		sum->writes += unit->by_birth[birth][FAULT_COW_COPY] + unit->by_birth[birth][FAULT_COW_REUSE];
}

/* By how the kernel half has met them, as it would at `level`. */
static struct watch_events events_of(const struct watch_sample *sample, enum watch_meeting meeting,
				     enum watch_level level)
{
	struct watch_events sum = { 0 };

	if (sample && meeting == WATCH_PASSED)
		return sample->passed;
	for (size_t i = 0; sample && i < sample->unit_count; i++) {
		const bool is_classified = sample->units[i].is_chosen && level == WATCH_CLASSES;

		if (is_classified == (meeting == WATCH_CLASSIFIED))
			add_unit(&sum, &sample->units[i]);
	}
	return sum;
}

static double grown(uint64_t before, uint64_t now) /* a unit that is forgotten takes its counts along */
{
	return now > before ? (double)(now - before) : 0;
}

static double seconds_of_programs(const struct watch_budget *budget, enum watch_level level,
				  const struct watch_sample *before, const struct watch_sample *now)
{
	double ns = 0;

	for (int meeting = 0; meeting < WATCH_MEETINGS; meeting++) {
		const struct watch_costs *costs = &budget->costs[level][meeting];
		const struct watch_events old = events_of(before, meeting, level);
		const struct watch_events new = events_of(now, meeting, level);

		ns += grown(old.calls, new.calls) * costs->call + grown(old.faults, new.faults) * costs->fault +
		      grown(old.forks, new.forks) * costs->fork + grown(old.writes, new.writes) * costs->write;
	}
	return ns / 1e9;
}

static double wait_of(const struct watch_budget *budget)
{
	return fmax(budget->wait, budget->up_after);
}

/* Is half of the budget enough for the level above? */
static bool is_calm(const struct watch_budget *budget, const struct watch_sample *before,
		    const struct watch_sample *now, double own, double seconds)
{
	return now->level > budget->wanted && before->level == now->level &&
	       own + seconds_of_programs(budget, now->level - 1, before, now) <=
		       budget->share * budget->cpus * seconds / 2;
}

static void note_held(struct watch_budget *budget, double seconds)
{
	budget->held += seconds;
	if (!budget->is_on_trial || budget->held < wait_of(budget))
		return;
	budget->is_on_trial = false;
	budget->wait = 0;
}

void watch_budget__add(struct watch_budget *budget, const struct watch_sample *before, struct watch_sample *now,
		       double seconds)
{
	const double programs = seconds_of_programs(budget, now->level, before, now);
	double own;

	budget->program_seconds += programs;
	now->program_seconds = budget->program_seconds;
	now->budget = budget->share;
	now->steps_down = budget->steps_down;
	now->steps_up = budget->steps_up;
	if (!before || seconds <= 0 || budget->share <= 0)
		return;
	own = now->own_cpu_seconds - before->own_cpu_seconds;
	budget->over = programs + own > budget->share * budget->cpus * seconds ? budget->over + 1 : 0;
	budget->calm = is_calm(budget, before, now, own, seconds) ? budget->calm + seconds : 0;
	note_held(budget, seconds);
}

static enum watch_level step_down(struct watch_budget *budget, enum watch_level level)
{
	budget->over = 0;
	budget->calm = 0;
	budget->steps_down++;
	if (budget->is_on_trial)
		budget->wait = fmin(2 * wait_of(budget), fmax(BUDGET_WAIT_MOST, budget->up_after));
	budget->is_on_trial = false;
	return level + 1;
}

static enum watch_level step_up(struct watch_budget *budget, enum watch_level level)
{
	budget->over = 0;
	budget->calm = 0;
	budget->held = 0;
	budget->is_on_trial = true;
	budget->steps_up++;
	return level - 1;
}

enum watch_level watch_budget__choose(struct watch_budget *budget, enum watch_level level)
{
	if (budget->over >= BUDGET_PATIENCE && level + 1 < WATCH_LEVELS)
		return step_down(budget, level);
	if (level > budget->wanted && budget->calm >= wait_of(budget) && budget->calm > 0)
		return step_up(budget, level);
	return level;
}
