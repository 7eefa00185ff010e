// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/start/start_against.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

struct item {
	const struct start_call *call;
	const char *path; /* NULL: none */
	bool is_there;
};

struct items {
	struct item *items;
	size_t count;
};

/* Of course the two programs have different paths. */
static const char *path_of(const struct start_call *call)
{
	return call->reason == REASON_EXEC || !call->path || !*call->path ? NULL : call->path;
}

static int order_subjects(const struct item *a, const struct item *b)
{
	if (a->path || b->path) {
		const int order = text__compare(a->path, b->path);

		return order ? order : (int)a->call->path_cut - (int)b->call->path_cut;
	}
	if (a->call->reason != b->call->reason)
		return a->call->reason < b->call->reason ? -1 : 1;
	if (a->call->by_shape != b->call->by_shape)
		return a->call->by_shape ? 1 : -1;
	return text__compare(a->call->subject, b->call->subject);
}

/* Names together, in these what is about the same thing; the first call of each first. */
static int order_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	int order = strcmp(a->call->name, b->call->name);

	if (!order)
		order = order_subjects(a, b);
	if (!order)
		order = (int)a->is_there - (int)b->is_there;
	return order ? order : (a->call > b->call) - (a->call < b->call);
}

static void take_calls(struct items *all, const struct start *start, bool is_there)
{
	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		if (!call->denied)
			all->items[all->count++] = (struct item){ call, path_of(call), is_there };
	}
}

/* Calls about one thing; only a difference is kept. */
static void add_row(struct start_against_call *call, const struct item *item, uint64_t here,
		    uint64_t there)
{
	if (here == there)
		return;
	call->rows = checked_grow(call->rows, call->row_count, sizeof(*call->rows));
	call->rows[call->row_count++] = (struct start_against_row){
		.reason = item->call->reason,
		.by_shape = item->call->by_shape,
		.path = text__copy(item->path),
		.path_cut = item->path && item->call->path_cut,
		.subject = text__copy(item->call->subject),
		.here = here,
		.there = there,
	};
}

static struct start_against_call *add_name(struct start_against *against, const char *name)
{
	against->calls =
		checked_grow(against->calls, against->call_count, sizeof(*against->calls));
	against->calls[against->call_count] =
		(struct start_against_call){ .name = checked_strdup(name) };
	return &against->calls[against->call_count++];
}

static void sum_up(struct start_against *against, const struct items *all)
{
	struct start_against_call *call = NULL;

	for (size_t i = 0, end; i < all->count; i = end) {
		const struct item *first = &all->items[i];
		uint64_t counts[2] = { 0 };

		if (!call || strcmp(call->name, first->call->name))
			call = add_name(against, first->call->name);
		for (end = i; end < all->count; end++) {
			const struct item *item = &all->items[end];

			if (strcmp(first->call->name, item->call->name) || order_subjects(first, item))
				break;
			counts[item->is_there]++;
		}
		call->here += counts[false];
		call->there += counts[true];
		add_row(call, first, counts[false], counts[true]);
	}
}

struct start_against *start_against__of(const struct start *here, const struct start *there)
{
	struct start_against *against = checked_calloc(1, sizeof(*against));
	struct items all = {
		.items = checked_calloc(here->call_count + there->call_count, sizeof(*all.items)),
	};

	against->end = there->marks.end;
	memcpy(against->phases, there->phases, sizeof(against->phases));
	against->image_faults = there->image_faults;
	against->unplaced = there->unplaced;
	against->left_out = there->left_out;
	against->beyond = there->beyond;
	against->missed = there->missed;
	take_calls(&all, here, false);
	take_calls(&all, there, true);
	qsort(all.items, all.count, sizeof(*all.items), order_items);
	sum_up(against, &all);
	free(all.items);
	return against;
}
