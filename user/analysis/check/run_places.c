// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/page_list.h"
#include "analysis/check/run_metrics.h"
#include "base/memory.h"
#include "base/text.h"

/* A place, and the page of one of its faults. */
struct page_of {
	struct baseline_place place;
	uint64_t page;
};

struct list {
	struct page_of *pages;
	size_t count;
};

static bool is_reported(const struct anatomy_row *row)
{
	if (!fault_class__dirties(row->class) && row->class != FAULT_COW_REUSE)
		return false;
	return row->actor != ACTOR_KERNEL || row->place.kind != PLACE_TLS;
}

static void add(struct list *list, const struct check_names *names, const struct anatomy_row *row)
{
	const struct place *place = &row->place;
	const char *section = place->section ? place->section : place_counters[place->kind].header;

	list->pages = checked_grow(list->pages, list->count, sizeof(*list->pages));
	list->pages[list->count++] = (struct page_of){
		.place = {
			.of = checked_strdup(check_names__row(names, row)),
			/* Which of two makes the copy depends on who comes first. */
			.class = row->class == FAULT_COW_REUSE ? FAULT_COW_COPY : row->class,
			.actor = row->actor,
			.object = place__has_object(place)
					  ? check_names__object(names, place->object) : NULL,
			.section = checked_strdup(section),
			.faults = row->faults,
			.occurrences = { .runs = 1 },
		},
		.page = run__page_at(names->run, place->offset),
	};
}

static int by_place(const void *left, const void *right)
{
	const struct page_of *a = left, *b = right;
	int places = baseline_place__compare(&a->place, &b->place);

	return places ? places : (a->page > b->page) - (a->page < b->page);
}

/* The texts of the first of them become the place's. */
static struct baseline_place take(struct page_of *pages, size_t count)
{
	struct baseline_place place = pages[0].place;
	struct page_list list = { 0 };

	for (size_t i = 0; i < count; i++)
		page_list__add(&list, pages[i].page);
	if (place.object)
		place.pages = page_list__text(&list);
	page_list__release(&list);
	for (size_t i = 1; i < count; i++) {
		place.faults += pages[i].place.faults;
		baseline_place__release(&pages[i].place);
	}
	return place;
}

void run_places__take(const struct check_names *names, struct baseline_context *into)
{
	const struct anatomy *anatomy = names->run->anatomy;
	struct list list = { 0 };

	for (size_t i = 0; anatomy && i < anatomy->row_count; i++)
		if (is_reported(&anatomy->rows[i]))
			add(&list, names, &anatomy->rows[i]);
	if (list.count)
		qsort(list.pages, list.count, sizeof(*list.pages), by_place);
	into->places = checked_calloc(list.count, sizeof(*into->places));
	for (size_t i = 0, next; i < list.count; i = next) {
		for (next = i + 1; next < list.count; next++)
			if (baseline_place__compare(&list.pages[i].place, &list.pages[next].place))
				break;
		into->places[into->place_count++] = take(&list.pages[i], next - i);
	}
	free(list.pages);
}
