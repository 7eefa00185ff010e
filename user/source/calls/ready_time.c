// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/ready_time.h"

#include <stdlib.h>

#include "base/memory.h"

enum { MARKS_MOST = 1 << 20 };

static uint64_t up_to(const struct ready_time *time, uint64_t ns)
{
	size_t first = 0, beyond = time->count;

	while (first < beyond) {
		const size_t middle = first + (beyond - first) / 2;

		if (time->marks[middle].end_ns <= ns)
			first = middle + 1;
		else
			beyond = middle;
	}
	return first ? time->marks[first - 1].ns : 0;
}

void ready_time__add(struct ready_time *time, uint64_t begin_ns, uint64_t end_ns, uint64_t ns)
{
	const struct ready_mark *last = time->count ? &time->marks[time->count - 1] : NULL;
	const uint64_t sum = up_to(time, begin_ns) + ns;

	if (!ns || time->count == MARKS_MOST || (last && last->ns >= sum))
		return;
	if (last && last->end_ns > end_ns)
		end_ns = last->end_ns;
	time->marks = checked_grow(time->marks, time->count, sizeof(*time->marks));
	time->marks[time->count++] = (struct ready_mark){ end_ns, sum };
}

uint64_t ready_time__between(const struct ready_time *time, uint64_t begin_ns, uint64_t end_ns)
{
	return up_to(time, end_ns) - up_to(time, begin_ns);
}

void ready_time__release(struct ready_time *time)
{
	free(time->marks);
	*time = (struct ready_time){ 0 };
}
