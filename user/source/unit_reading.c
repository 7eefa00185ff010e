// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/unit_reading.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/text.h"

static const struct {
	const char *one, *several, *why;
} words[UNIT_LOSSES] = {
	[LOST_THREADS] = { "thread is", "threads are",
			   "not counted: the kernel had no memory for what is kept of each" },
	[LOST_UPDATES] = { "update was", "updates were",
			   "refused by a table that was full: each may stand for any number of events" },
	[LOST_MISSES] = { "event at most was", "events at most were",
			  "not counted: a task was preempted inside a program, and the kernel ran no other" },
	[LOST_CALLS] = { "call was", "calls were", "not counted: a thread was entering a watched cgroup" },
};

uint64_t unit_losses__sum(const uint64_t *lost)
{
	uint64_t sum = 0;

	for (int kind = 0; kind < UNIT_LOSSES; kind++)
		sum += lost[kind];
	return sum;
}

char *unit_losses__say(const uint64_t *lost, uint64_t *said)
{
	for (int kind = 0; kind < UNIT_LOSSES; kind++) {
		if (!lost[kind] || lost[kind] < 2 * said[kind])
			continue;
		said[kind] = lost[kind];
		return text__of("%" PRIu64 " %s %s", lost[kind],
				number__plural((double)lost[kind], words[kind].one, words[kind].several),
				words[kind].why);
	}
	return NULL;
}

void unit_reading__release(struct unit_reading *reading)
{
	free(reading->units);
	free(reading->kinds);
	*reading = (struct unit_reading){ 0 };
}
