// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/page_reasons.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/check_names.h"
#include "analysis/check/page_list.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

/* Is the place among those that the metric counts? Its names: analysis/check/run_metrics.c. */
static bool is_counted(const struct check_finding *finding, const struct baseline_place *place)
{
	if (strcmp(place->of, finding->of) != 0)
		return false;
	if (!strcmp(finding->name, "pages dirtied by ld.so"))
		return place->actor == ACTOR_LDSO;
	if (!strcmp(finding->name, "pages written after a fork"))
		return place->class == FAULT_COW_COPY;
	if (!strcmp(finding->name, "pages of files copied"))
		return place->class == FAULT_FILE_COW;
	return place->class == FAULT_ZERO_FILL;
}

/* Rows of the run that the place is made of. */
struct rows {
	const struct check_names *names;
	const struct baseline_place *place;
};

static bool is_in(const struct rows *rows, const struct anatomy_row *row)
{
	const struct baseline_place *place = rows->place;
	const enum fault_class class = row->class == FAULT_COW_REUSE ? FAULT_COW_COPY : row->class;
	autofree char *object = NULL;

	if (class != place->class || row->actor != place->actor ||
	    strcmp(check_names__row(rows->names, row), place->of) != 0 ||
	    strcmp(row->place.section ? row->place.section : place_counters[row->place.kind].header,
		   place->section) != 0)
		return false;
	object = place__has_object(&row->place) ? check_names__object(rows->names, row->place.object) : NULL;
	return !text__compare(object, place->object);
}

/* "page 0x3 (table, in main)": which one, at what, in which code. To be freed. */
static char *page_words(const struct check_names *names, const struct anatomy_row *row)
{
	const struct place *code = &row->code;
	autofree char *symbol = row->place.symbol ? text__of(" (%s)", row->place.symbol) : checked_strdup("");
	autofree char *by = NULL, *object = NULL;

	if (row->call) {
		by = text__of(", by the kernel in %s", row->call);
	} else if (code->symbol) {
		object = check_names__object(names, code->object);
		by = text__of(", in %s%s%s", code->symbol, object ? " of " : "", object ? text__file_name(object) : "");
	}
	return text__of("page 0x%" PRIx64 "%s%s", run__page_at(names->run, row->place.offset), symbol, by ? by : "");
}

/* The pages that are new, if that is known; to be freed, NULL: none. */
static char *new_pages(const struct rows *rows, const struct baseline_place *before)
{
	const struct anatomy *anatomy = rows->names->run->anatomy;
	struct name_list list = { .most = 3 };
	char *last = NULL;

	for (size_t i = 0; anatomy && i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];
		char *words;

		if (!is_in(rows, row) ||
		    (before && (!before->pages ||
				page_text__has(before->pages, run__page_at(rows->names->run, row->place.offset)))))
			continue;
		words = page_words(rows->names, row);
		if (!last || strcmp(words, last) != 0)
			name_list__add(&list, words);
		free(last);
		last = words;
	}
	free(last);
	return name_list__finish(&list);
}

static const char *const actor_words[ACTOR_COUNT] = {
	[ACTOR_LDSO] = "ld.so", [ACTOR_PROGRAM] = "the program", [ACTOR_KERNEL] = "the kernel",
};

static void say_place(struct check_finding *finding, const struct rows *rows, const struct baseline_place *before)
{
	const struct baseline_place *place = rows->place;
	autofree char *pages = rows->names ? new_pages(rows, before) : NULL;

	check_finding__say(finding, "%s%s%s: %" PRIu64 " by %s, %" PRIu64 " before%s%s", place->section,
			   place->object ? " of " : "", place->object ? place->object : "", place->faults,
			   actor_words[place->actor], before ? before->faults : 0, pages ? ": " : "",
			   pages ? pages : "");
}

/* The place as it was in the baseline; NULL: it was in none of its runs. */
static const struct baseline_place *place_before(const struct check_result *result, const struct baseline_place *place)
{
	const struct baseline_context *then = result->then;

	return then->place_count ? bsearch(place, then->places, then->place_count, sizeof(*place),
					   baseline_place__compare)
				 : NULL;
}

/* Of one whose runs were not alike nothing is known but that. */
static bool has_more(const struct baseline_place *place, const struct baseline_place *before)
{
	return !place->occurrences.vary && !(before && before->occurrences.vary) &&
	       place->faults > (before ? before->faults : 0);
}

void page_reasons__add(struct check_finding *finding, const struct check_result *result,
		       const struct check_names *names)
{
	for (size_t i = 0; i < result->now.place_count; i++) {
		const struct rows rows = { names, &result->now.places[i] };
		const struct baseline_place *before = place_before(result, rows.place);

		if (is_counted(finding, rows.place) && has_more(rows.place, before))
			say_place(finding, &rows, before);
	}
}

bool page_reasons__are_same(const struct check_finding *finding, const struct check_finding *other,
			    const struct check_result *result)
{
	size_t shared = 0;

	for (size_t i = 0; i < result->now.place_count; i++) {
		const struct baseline_place *place = &result->now.places[i];

		if (!has_more(place, place_before(result, place)))
			continue;
		if (is_counted(finding, place) != is_counted(other, place))
			return false;
		shared += is_counted(finding, place);
	}
	return shared;
}
