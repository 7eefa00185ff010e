// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_baseline.h"

#include <stdlib.h>

#include "base/memory.h"

enum { WORD_BITS = 64, WINDOW_WORDS = WINDOW_PAGES / WORD_BITS };

void pool_baseline__begin(struct pool_baseline *baseline, const struct pool_member *members,
			  size_t count, uint64_t now)
{
	pool_baseline__release(baseline);
	baseline->members = checked_calloc(count, sizeof(*baseline->members));
	baseline->member_count = count;
	baseline->taken = now;
	for (size_t i = 0; i < count; i++)
		baseline->members[i] = (struct baseline_member){ members[i].process.pid,
								 members[i].process.started };
}

void pool_baseline__release(struct pool_baseline *baseline)
{
	for (size_t i = 0; i < baseline->window_count; i++)
		free(baseline->windows[i].sharers);
	free(baseline->windows);
	free(baseline->members);
	*baseline = (struct pool_baseline){ 0 };
}

static struct baseline_window *last_window(struct pool_baseline *baseline, uint64_t number)
{
	struct baseline_window *window;

	if (baseline->window_count &&
	    baseline->windows[baseline->window_count - 1].number == number)
		return &baseline->windows[baseline->window_count - 1];
	baseline->windows = checked_grow(baseline->windows, baseline->window_count,
					 sizeof(*baseline->windows));
	window = &baseline->windows[baseline->window_count++];
	*window = (struct baseline_window){ .number = number };
	window->sharers = checked_calloc(baseline->member_count * WINDOW_WORDS,
					 sizeof(*window->sharers));
	return window;
}

static uint64_t *sharers_of(const struct baseline_window *window, uint32_t member,
			    unsigned int page)
{
	return &window->sharers[member * WINDOW_WORDS + page / WORD_BITS];
}

void pool_baseline__record(struct pool_baseline *baseline, const struct pool_window *window,
			   const struct pool_groups *groups, unsigned int page,
			   const struct pool_group *shown)
{
	const struct member_view *first = window->views;
	struct baseline_window *recorded;

	if (!shown && !(first->is_master && frame__is_page(first->frame[page])))
		return;
	recorded = last_window(baseline, window->number);
	recorded->frame[page] = shown ? shown->frame : first->frame[page];
	for (size_t i = 0; shown && i < window->view_count; i++) {
		const struct member_view *view = &window->views[i];

		if (groups->of[i] == shown - groups->list)
			*sharers_of(recorded, view->member - window->members, page) |=
				1ull << page % WORD_BITS;
	}
}

static int by_number(const void *key, const void *window)
{
	uint64_t left = *(const uint64_t *)key;
	uint64_t right = ((const struct baseline_window *)window)->number;

	return left < right ? -1 : left > right;
}

const struct baseline_window *pool_baseline__window(const struct pool_baseline *baseline,
						    uint64_t number)
{
	if (!baseline || !baseline->window_count)
		return NULL;
	return bsearch(&number, baseline->windows, baseline->window_count,
		       sizeof(*baseline->windows), by_number);
}

uint32_t pool_baseline__member(const struct pool_baseline *baseline,
			       const struct pool_process *process)
{
	for (size_t i = 0; i < baseline->member_count; i++)
		if (baseline->members[i].pid == process->pid &&
		    baseline->members[i].started == process->started)
			return i;
	return NO_BASELINE;
}

bool baseline_window__shares(const struct baseline_window *window, uint32_t member,
			     unsigned int page)
{
	return member != NO_BASELINE &&
	       *sharers_of(window, member, page) >> page % WORD_BITS & 1;
}
