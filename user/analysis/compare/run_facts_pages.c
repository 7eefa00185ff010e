// SPDX-License-Identifier: GPL-2.0-or-later
/* What became of pages, and which symbols were bound: of one recorded child of each group, on average. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/collecting.h"
#include "analysis/compare/page_state.h"
#include "analysis/forks/page_map.h"
#include "analysis/same.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/words/names.h"

/* In whose life, and when. */
static char *phase_title(const struct collecting *collecting, const struct anatomy_row *row)
{
	char *text = names__group(collecting->run, row->group, false);

	if (row->phase == PHASE_PARENT)
		text__replace(&text, "parent of %s", text);
	else if (row->phase == PHASE_EXEC && row->group < collecting->run->group_count)
		text__replace(&text, "%s, after its exec", text);
	return text;
}

static char *offset_words(uint64_t offset, uint64_t page_size)
{
	return text__of("at 0x%" PRIx64, offset / page_size * page_size);
}

/* The page by what lies in it, and where in that; else by its offset. */
static char *page_name(const struct place *place, uint64_t page_size)
{
	uint64_t page = place->symbol_offset / page_size;

	if (place->symbol && page)
		return text__of("%s+0x%" PRIx64, place->symbol, page * page_size);
	return place->symbol ? checked_strdup(place->symbol) : offset_words(place->offset, page_size);
}

static const char *section_of(const struct place *place)
{
	return place->section ? place->section : place_counters[place->kind].key;
}

/* Of a GOT the slot that was written first says nothing of its page: another one, another time. */
static bool is_table(const struct place *place)
{
	return !strncmp(section_of(place), ".got", 4);
}

static char *page_key(const struct collecting *collecting, const struct place *place)
{
	const uint64_t page_size = run__page_bytes(collecting->run);
	autofree char *object = object_key(collecting->run, place->object), *where = NULL;
	bool by_name = shifted__has(collecting->shifted, object);

	where = !by_name	  ? offset_words(place->offset, page_size)
		: is_table(place) ? checked_strdup("")
				  : page_name(place, page_size);
	return text__of("%s\n%s\n%s", object, by_name ? section_of(place) : place_counters[place->kind].key, where);
}

static char *region_title(const struct collecting *collecting, const struct place *place)
{
	autofree char *object = object_title(collecting->run, place->object);

	return text__of("%s %s", object, section_of(place));
}

static char *code_of(const struct anatomy_row *row)
{
	if (row->actor == ACTOR_KERNEL)
		return row->call ? text__of(", in %s", row->call) : text__of("%s", "");
	return row->code.symbol && !row->is_exec ? text__of(", %s", row->code.symbol) : text__of("%s", "");
}

/* What has no file has no page that could be found again: of these it is how many there are. */
static void name_page(const struct collecting *collecting, const struct anatomy_row *row, struct run_fact *fact)
{
	const struct place *place = &row->place;
	autofree char *code = NULL, *page = NULL;

	if (!place__has_object(place) || place->object >= collecting->run->anatomy->object_count) {
		fact->key = text__of("%s\n%d", place_counters[place->kind].key, fact->rank);
		fact->name = checked_strdup(place_counters[place->kind].header);
		fact->state = checked_strdup(page_state_words[fact->rank]);
		return;
	}
	fact->fault = row;
	code = code_of(row);
	fact->key = page_key(collecting, place);
	page = page_name(place, run__page_bytes(collecting->run));
	fact->region = region_title(collecting, place);
	fact->name = text__of("%s %s", fact->region, page);
	fact->state = text__of("%s%s", page_state_words[fact->rank], code);
}

void collect_pages(const struct collecting *collecting)
{
	const struct anatomy *anatomy = collecting->run->anatomy;

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];
		const struct sample *sample = anatomy__sample(anatomy, row->group);
		struct run_fact fact = { .section = SECTION_PAGES, .rank = page_state__by(row) };
		char *group;

		if (!sample || !sample->children || !row->children)
			continue;
		name_page(collecting, row, &fact);
		group = group_key(collecting->run, row->group);
		text__replace(&fact.key, "%s\n%s\n%s", group, phase_counters[row->phase].key, fact.key);
		fact.of = phase_title(collecting, row);
		fact.value = (double)row->children / (double)sample->children;
		collecting__add(collecting, fact);
		free(group);
	}
}

void collect_symbols(const struct collecting *collecting)
{
	const struct run *run = collecting->run;
	const struct anatomy *anatomy = run->anatomy;

	for (size_t i = 0; i < anatomy->symbol_count; i++) {
		const struct binding_symbol *symbol = &anatomy->symbols[i];
		const struct sample *sample = anatomy__sample(anatomy, symbol->group);
		char *object, *group, *title, *name;

		if (!sample || !sample->children || !symbol->children)
			continue;
		object = object_key(run, symbol->object);
		group = group_key(run, symbol->group);
		title = object_title(run, symbol->object);
		name = symbol->symbol ? checked_strdup(symbol->symbol)
				      : text__of("slot 0x%" PRIx64, symbol->slot);
		collecting__add(collecting, (struct run_fact){
			.section = SECTION_SYMBOLS,
			.key = text__of("%s\n%s\n%s", group, object, name),
			.name = text__of("%s in %s", name, title),
			.of = names__group(run, symbol->group, false),
			.state = symbol->provider == NO_OBJECT ? NULL :
								object_title(run, symbol->provider),
			.value = (double)symbol->children / (double)sample->children,
		});
		free(object);
		free(group);
		free(title);
		free(name);
	}
}
