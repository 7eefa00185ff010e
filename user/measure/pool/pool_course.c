// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/pool/pool_course.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "pool/pool_members.h"
#include "pool/rollup.h"

enum { STEP_NS = 100000000, SOON_NS = 20000000, MOMENTS_MOST = 512 };

void pool_course__begin(struct pool_course *course)
{
	const double now = clock__now_ns();

	*course = (struct pool_course){ .begin_ns = now, .next_ns = now, .step_ns = STEP_NS };
}

/* Of all members; ABSENT: a member ended meanwhile, or may not be read. */
static uint64_t sum_of(pid_t master)
{
	struct pool_members members = { 0 };
	char *reason = NULL;
	uint64_t sum = 0;

	if (pool_members__find(&members, master, &reason)) {
		free(reason);
		return ABSENT;
	}
	for (size_t i = 0; i < members.count && sum != ABSENT; i++) {
		struct rollup rollup;

		rollup__read(&rollup, members.list[i].pid);
		sum = rollup.pss_anon == ABSENT || rollup.swap_pss == ABSENT ?
			      ABSENT : sum + rollup.pss_anon + rollup.swap_pss;
	}
	pool_members__release(&members);
	return sum;
}

/* Every second moment is enough. */
static void thin_out(struct pool_course *course)
{
	for (size_t i = 0; 2 * i < course->count; i++)
		course->list[i] = course->list[2 * i];
	course->count = (course->count + 1) / 2;
	course->step_ns *= 2;
}

void pool_course__look(struct pool_course *course, pid_t master)
{
	const double now = clock__now_ns();
	uint64_t bytes;

	if (now < course->next_ns)
		return;
	bytes = sum_of(master);
	course->next_ns = now + (bytes == ABSENT ? SOON_NS : course->step_ns);
	if (bytes == ABSENT)
		return;
	if (course->count == MOMENTS_MOST)
		thin_out(course);
	course->list = checked_grow(course->list, course->count, sizeof(*course->list));
	course->list[course->count++] =
		(struct pool_moment){ .ns = now - course->begin_ns, .bytes = bytes };
}
