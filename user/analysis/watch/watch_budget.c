// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/watch/watch_budget.h"

struct events {
	double calls, faults, forks;
};

static struct events events_of(const struct watch_sample *sample)
{
	struct events sum = { 0 };

	for (size_t i = 0; sample && i < sample->unit_count; i++) {
		sum.calls += (double)sample->units[i].calls;
		sum.faults += (double)sample->units[i].faults;
		sum.forks += (double)sample->units[i].forks;
	}
	return sum;
}

static double at_least_zero(double value) /* a unit that is forgotten takes its counts along */
{
	return value > 0 ? value : 0;
}

static double seconds_of_programs(const struct watch_costs *costs, const struct watch_sample *before,
				  const struct watch_sample *now)
{
	const struct events old = events_of(before), new = events_of(now);

	return (at_least_zero(new.calls - old.calls) * costs->call +
		at_least_zero(new.faults - old.faults) * costs->fault +
		at_least_zero(new.forks - old.forks) * costs->fork) / 1e9;
}

void watch_budget__add(struct watch_budget *budget, const struct watch_sample *before, struct watch_sample *now,
		       double seconds)
{
	double programs = seconds_of_programs(&budget->costs, before, now), own;

	budget->program_seconds += programs;
	now->program_seconds = budget->program_seconds;
	now->budget = budget->share;
	if (!before || seconds <= 0)
		return;
	own = now->own_cpu_seconds - before->own_cpu_seconds;
	if (budget->share > 0 && programs + own > budget->share * budget->cpus * seconds)
		budget->over++;
	else
		budget->over = 0;
}

bool watch_budget__is_exceeded(struct watch_budget *budget, enum watch_level level)
{
	if (budget->over < BUDGET_PATIENCE || level + 1 >= WATCH_LEVELS)
		return false;
	budget->over = 0;
	return true;
}
