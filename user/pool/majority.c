// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/majority.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A view, and what its page holds. */
struct ballot {
	uint64_t hash[2];
	uint32_t view;
};

static bool has_page(const struct member_view *view, unsigned int page)
{
	return frame__is_page(view->frame[page]);
}

static void read_wanted(struct contents *contents, const struct pool_window *window, const bool wanted[WINDOW_PAGES])
{
	for (size_t i = 0; i < window->view_count; i++)
		for (unsigned int page = 0; page < WINDOW_PAGES; page++)
			if (wanted[page] && has_page(&window->views[i], page))
				contents__verdict(contents, i, page)->class = CONTENTS_ASKED;
	contents__read_hashes(contents, window);
}

static int by_hash(const void *left, const void *right)
{
	const struct ballot *a = left, *b = right;
	int order = memcmp(a->hash, b->hash, sizeof(a->hash));

	return order ? order : (a->view > b->view) - (a->view < b->view);
}

/* The first view of those that are most; of as many the oldest. */
static uint32_t most(struct ballot *ballots, size_t count)
{
	uint32_t best = NO_VIEW;
	size_t votes = 0, length;

	qsort(ballots, count, sizeof(*ballots), by_hash);
	for (size_t i = 0; i < count; i += length) {
		for (length = 1; i + length < count; length++)
			if (memcmp(ballots[i].hash, ballots[i + length].hash, sizeof(ballots[i].hash)))
				break;
		if (length > votes || (length == votes && ballots[i].view < best)) {
			votes = length;
			best = ballots[i].view;
		}
	}
	return best;
}

/* Of those that have the backing of the first one with a page. */
static uint32_t vote(const struct contents *contents, const struct pool_window *window, unsigned int page,
		     struct ballot *ballots)
{
	const struct pool_vma *backing = NULL;
	size_t count = 0, present = 0;
	uint32_t first = NO_VIEW;

	for (size_t i = 0; i < window->view_count; i++) {
		const struct member_view *view = &window->views[i];
		const struct verdict *verdict = contents__verdict(contents, i, page);

		if (!has_page(view, page))
			continue;
		if (!backing) {
			backing = member_view__vma(view, page);
			first = i;
		}
		if (!pool_vma__has_backing_of(member_view__vma(view, page), backing))
			continue;
		present++;
		if (verdict->class != CONTENTS_IDENTICAL)
			continue; /* it could not be read */
		memcpy(ballots[count].hash, verdict->hash, sizeof(verdict->hash));
		ballots[count++].view = i;
	}
	if (present < 2)
		return NO_VIEW;
	return count ? most(ballots, count) : first;
}

void majority__find(struct contents *contents, const struct pool_window *window,
		    const bool wanted[WINDOW_PAGES], uint32_t majority[WINDOW_PAGES])
{
	struct ballot *ballots = checked_calloc(window->view_count, sizeof(*ballots));

	contents__begin(contents, window);
	read_wanted(contents, window, wanted);
	for (unsigned int page = 0; page < WINDOW_PAGES; page++)
		majority[page] = wanted[page] ? vote(contents, window, page, ballots) : NO_VIEW;
	free(ballots);
}
