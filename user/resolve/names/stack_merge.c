// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/unite.h"
#include "model/stacks/stacks.h"
#include "resolve/names/stack_names.h"

struct numbered_stack {
	struct call_stack stack;
	uint32_t number; /* before */
};

static int by_frames(const struct call_stack *a, const struct call_stack *b)
{
	if (a->frame_count != b->frame_count)
		return a->frame_count < b->frame_count ? -1 : 1;
	if (a->stop != b->stop)
		return a->stop < b->stop ? -1 : 1;
	if (a->proven != b->proven)
		return a->proven < b->proven ? -1 : 1;
	return memcmp(a->frames, b->frames, a->frame_count * sizeof(*a->frames));
}

static int by_contents(const void *left, const void *right)
{
	const struct numbered_stack *a = left, *b = right;
	const int order = by_frames(&a->stack, &b->stack);

	return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* Returns the new number of each stack, to be freed. */
static uint32_t *merge_stacks(struct stacks *stacks)
{
	struct numbered_stack *sorted = checked_calloc(stacks->count, sizeof(*sorted));
	uint32_t *numbers = checked_calloc(stacks->count, sizeof(*numbers));
	size_t kept = 0;

	for (size_t i = 0; i < stacks->count; i++)
		sorted[i] = (struct numbered_stack){ stacks->list[i], i };
	qsort(sorted, stacks->count, sizeof(*sorted), by_contents);
	for (size_t i = 0; i < stacks->count; i++) {
		if (kept && !by_frames(&stacks->list[kept - 1], &sorted[i].stack))
			free(sorted[i].stack.frames);
		else
			stacks->list[kept++] = sorted[i].stack;
		numbers[sorted[i].number] = kept - 1;
	}
	stacks->count = kept;
	free(sorted);
	return numbers;
}

static int by_row(const void *left, const void *right)
{
	const struct stack_share *a = left, *b = right;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->stack > b->stack) - (a->stack < b->stack);
}

static void join_shares(void *kept, void *more)
{
	struct stack_share *share = kept, *other = more;

	share->faults += other->faults;
	share->timed += other->timed;
	share->ns += other->ns;
}

static void merge_shares(struct stacks *stacks, const uint32_t *numbers)
{
	for (size_t i = 0; i < stacks->share_count; i++)
		stacks->shares[i].stack = numbers[stacks->shares[i].stack];
	stacks->share_count = unite(stacks->shares, stacks->share_count, sizeof(*stacks->shares), by_row, join_shares);
}

static int by_kind(const void *left, const void *right)
{
	const struct stack_call *a = left, *b = right;
	int order = strcmp(a->call, b->call);

	order = order ? order : (a->exe > b->exe) - (a->exe < b->exe);
	return order ? order : (a->stack > b->stack) - (a->stack < b->stack);
}

static int by_calls(const void *left, const void *right)
{
	const struct stack_call *a = left, *b = right;

	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return by_kind(left, right);
}

static void join_calls(void *kept, void *more)
{
	struct stack_call *call = kept, *other = more;

	call->calls += other->calls;
	free(other->call);
}

static void merge_calls(struct stacks *stacks, const uint32_t *numbers)
{
	for (size_t i = 0; i < stacks->call_count; i++)
		if (stacks->calls[i].stack != NO_STACK)
			stacks->calls[i].stack = numbers[stacks->calls[i].stack];
	stacks->call_count = unite(stacks->calls, stacks->call_count, sizeof(*stacks->calls), by_kind, join_calls);
	if (stacks->call_count)
		qsort(stacks->calls, stacks->call_count, sizeof(*stacks->calls), by_calls);
}

static void forget_unused(struct stacks *stacks)
{
	uint32_t *numbers = checked_calloc(stacks->frame_count, sizeof(*numbers)); /* from 1; 0: unused */
	size_t kept = 0;

	for (size_t i = 0; i < stacks->count; i++)
		for (size_t k = 0; k < stacks->list[i].frame_count; k++)
			numbers[stacks->list[i].frames[k]] = 1;
	for (size_t i = 0; i < stacks->frame_count; i++) {
		if (numbers[i]) {
			stacks->frames[kept] = stacks->frames[i];
			numbers[i] = ++kept;
		} else {
			free(stacks->frames[i].place.section);
			free(stacks->frames[i].place.symbol);
		}
	}
	stacks->frame_count = kept;
	for (size_t i = 0; i < stacks->count; i++)
		for (size_t k = 0; k < stacks->list[i].frame_count; k++)
			stacks->list[i].frames[k] = numbers[stacks->list[i].frames[k]] - 1;
	free(numbers);
}

void stacks__merge(struct stacks *stacks)
{
	uint32_t *numbers;

	if (!stacks->count)
		return;
	numbers = merge_stacks(stacks);
	merge_shares(stacks, numbers);
	merge_calls(stacks, numbers);
	free(numbers);
	forget_unused(stacks);
}
