// SPDX-License-Identifier: GPL-2.0-or-later
/* What follows from the copies of a pool. */
#include "model/workers/workers_flow.h"

#include <stdlib.h>

#include "base/memory.h"

int64_t workers_flow__gap(const struct workers_flow *flow, bool *known)
{
	const struct flow_cross_check *cross_check = &flow->cross_check;

	*known = cross_check->before_bytes != ABSENT && cross_check->after_bytes != ABSENT &&
		 cross_check->copied_bytes != ABSENT;
	return cross_check->before_bytes + cross_check->copied_bytes + cross_check->filled_bytes -
	       cross_check->given_back_bytes - cross_check->after_bytes;
}

bool workers_flow__cross_check_matches(const struct workers_flow *flow)
{
	bool known;
	int64_t gap = workers_flow__gap(flow, &known);

	return known && llabs(gap) <= (int64_t)(1024 * flow->member_count);
}

bool workers_flow__is_worker(const struct workers_flow *flow, size_t member)
{
	return (member || flow->orphans) && !flow->members[member].executed;
}

size_t workers_flow__workers(const struct workers_flow *flow)
{
	size_t count = 0;

	for (size_t i = 0; i < flow->member_count; i++)
		count += workers_flow__is_worker(flow, i);
	return count;
}

bool workers_flow__is_exact(const struct workers_flow *flow)
{
	return flow->events_exact && !flow->lost && !flow->beyond && !flow->unattributed && !flow->stacks_lost;
}

void workers_flow__find_half_lives(struct workers_flow *flow)
{
	uint64_t *copies = checked_calloc(flow->member_count, sizeof(*copies));

	for (size_t i = 0; i < flow->member_count; i++)
		flow->members[i].half_life_ns = ABSENT;
	for (size_t i = 0; i < flow->copy_count; i++) {
		const struct flow_copy *copy = &flow->copies[i];
		struct flow_member *member = &flow->members[copy->member];
		uint64_t begin = member->born_ns == ABSENT ? 0 : member->born_ns;

		if (member->half_life_ns == ABSENT && member->shared_before && member->shared_before != ABSENT &&
		    2 * ++copies[copy->member] >= member->shared_before)
			member->half_life_ns = copy->ns - begin;
	}
	free(copies);
}

enum { FIRST_NS = 1000000000 };

static bool is_early(const struct workers_flow *flow, const struct flow_copy *copy)
{
	const struct flow_member *member = &flow->members[copy->member];

	return workers_flow__is_worker(flow, copy->member) && member->born_ns != ABSENT &&
	       copy->ns - member->born_ns <= FIRST_NS;
}

/* By page, then by member. */
static int by_address(const void *left, const void *right, void *context)
{
	const struct flow_copy *copies = ((const struct workers_flow *)context)->copies;
	const struct flow_copy *a = &copies[*(const size_t *)left];
	const struct flow_copy *b = &copies[*(const size_t *)right];

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->member < b->member ? -1 : a->member > b->member;
}

/* How many members copied the page of the first of these early copies; stores how many those are. */
static size_t members_of(const struct workers_flow *flow, const size_t *early, size_t count, size_t *length)
{
	size_t members = 1, i = 1;

	for (; i < count; i++) {
		const struct flow_copy *copy = &flow->copies[early[i]];

		if (copy->address != flow->copies[early[0]].address)
			break;
		members += copy->member != flow->copies[early[i - 1]].member;
	}
	*length = i;
	return members;
}

size_t *workers_flow__common(const struct workers_flow *flow, size_t *count)
{
	size_t *early = checked_calloc(flow->copy_count + 1, sizeof(*early));
	size_t born = 0, found = 0, length;

	*count = 0;
	for (size_t i = 0; i < flow->member_count; i++)
		born += workers_flow__is_worker(flow, i) && flow->members[i].born_ns != ABSENT;
	for (size_t i = 0; i < flow->copy_count; i++)
		if (is_early(flow, &flow->copies[i]))
			early[found++] = i;
	qsort_r(early, found, sizeof(*early), by_address, (void *)flow);
	for (size_t i = 0; born > 1 && i < found; i += length)
		if (members_of(flow, early + i, found - i, &length) == born)
			early[(*count)++] = early[i];
	if (*count)
		return early;
	free(early);
	return NULL;
}
