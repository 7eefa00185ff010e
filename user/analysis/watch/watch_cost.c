// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/watch/watch_cost.h"

static void add_unit(struct watch_events *sum, const struct watch_unit *unit)
{
	sum->calls += unit->calls;
	sum->faults += unit->faults;
	sum->forks += unit->forks;
	for (int birth = 0; birth < BIRTH_COUNT; birth++)
		sum->writes += unit->by_birth[birth][FAULT_COW_COPY] + unit->by_birth[birth][FAULT_COW_REUSE];
}

/* By how the kernel half has met them. */
static struct watch_events events_of(const struct watch_sample *sample, enum watch_meeting meeting)
{
	struct watch_events sum = { 0 };

	if (sample && meeting == WATCH_PASSED)
		return sample->passed;
	for (size_t i = 0; sample && i < sample->unit_count; i++)
		add_unit(&sum, &sample->units[i]);
	return sum;
}

static double grown(uint64_t before, uint64_t now) /* a unit that is forgotten takes its counts along */
{
	return now > before ? (double)(now - before) : 0;
}

double watch_cost__seconds(const struct watch_costs *costs, const struct watch_sample *before,
			   const struct watch_sample *now)
{
	double ns = 0;

	for (int meeting = 0; meeting < WATCH_MEETINGS; meeting++) {
		const struct watch_events old = events_of(before, meeting), new = events_of(now, meeting);

		ns += grown(old.calls, new.calls) * costs[meeting].call +
		      grown(old.faults, new.faults) * costs[meeting].fault +
		      grown(old.forks, new.forks) * costs[meeting].fork +
		      grown(old.writes, new.writes) * costs[meeting].write;
	}
	return ns / 1e9;
}
