// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether an object has the same layout in all runs is seen from its symbols: of one that was built
 * again, or of another version, some lie elsewhere. Inodes do not tell: a linker's new file often
 * gets the one of the old file.
 */
#include "analysis/compare/shifted.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/same.h"
#include "base/memory.h"

struct symbol_occurrence {
	char *object; /* key, owned by the list of keys */
	const char *section, *symbol;
	uint64_t base; /* where it begins */
	const struct run *run;
};

struct occurrences {
	struct symbol_occurrence *list;
	size_t count;
	char **keys;
	size_t key_count;
};

static char *keep_key(struct occurrences *occurrences, char *key)
{
	occurrences->keys = checked_grow(occurrences->keys, occurrences->key_count, sizeof(*occurrences->keys));
	return occurrences->keys[occurrences->key_count++] = key;
}

static void look_at_run(struct occurrences *occurrences, const struct run *run)
{
	const struct anatomy *anatomy = run->anatomy;
	char **keys = checked_calloc(anatomy->object_count, sizeof(*keys)); /* each made once */

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct place *place = &anatomy->rows[i].place;

		if (!place__has_object(place) || place->object >= anatomy->object_count ||
		    !place->symbol || !place->section)
			continue;
		if (!keys[place->object])
			keys[place->object] = keep_key(occurrences, object_key(run, place->object));
		occurrences->list = checked_grow(occurrences->list, occurrences->count, sizeof(*occurrences->list));
		occurrences->list[occurrences->count++] = (struct symbol_occurrence){
			keys[place->object], place->section, place->symbol,
			place->offset - place->symbol_offset, run,
		};
	}
	free(keys);
}

static int by_symbol(const struct symbol_occurrence *a, const struct symbol_occurrence *b)
{
	int order = strcmp(a->object, b->object);

	if (!order)
		order = strcmp(a->section, b->section);
	return order ? order : strcmp(a->symbol, b->symbol);
}

static int by_symbol_and_run(const void *left, const void *right)
{
	const struct symbol_occurrence *a = left, *b = right;
	int order = by_symbol(a, b);

	if (!order)
		order = a->run < b->run ? -1 : a->run > b->run;
	return order ? order : a->base < b->base ? -1 : a->base > b->base;
}

/* Of the same symbol. Two places in one run are two symbols of that name, which tell nothing. */
static bool lie_apart(const struct symbol_occurrence *occurrences, size_t count)
{
	bool apart = false;

	for (size_t i = 1; i < count; i++) {
		if (occurrences[i].base == occurrences[i - 1].base)
			continue;
		if (occurrences[i].run == occurrences[i - 1].run)
			return false;
		apart = true;
	}
	return apart;
}

static void add_key(struct shifted *shifted, const char *key)
{
	if (shifted->count && !strcmp(shifted->keys[shifted->count - 1], key))
		return;
	shifted->keys = checked_grow(shifted->keys, shifted->count, sizeof(*shifted->keys));
	shifted->keys[shifted->count++] = checked_strdup(key);
}

struct shifted shifted__of(const struct compare_column *columns, size_t count)
{
	struct shifted shifted = { 0 };
	struct occurrences occurrences = { 0 };
	size_t same;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < columns[i].run_count; k++)
			if (columns[i].runs[k]->anatomy)
				look_at_run(&occurrences, columns[i].runs[k]);
	if (occurrences.count)
		qsort(occurrences.list, occurrences.count, sizeof(*occurrences.list), by_symbol_and_run);
	for (size_t i = 0; i < occurrences.count; i += same) {
		for (same = 1; i + same < occurrences.count &&
			       !by_symbol(&occurrences.list[i], &occurrences.list[i + same]);
		     same++)
			;
		if (lie_apart(&occurrences.list[i], same))
			add_key(&shifted, occurrences.list[i].object);
	}
	for (size_t i = 0; i < occurrences.key_count; i++)
		free(occurrences.keys[i]);
	free(occurrences.keys);
	free(occurrences.list);
	return shifted;
}

static int by_text(const void *key, const void *element)
{
	return strcmp(key, *(char *const *)element);
}

bool shifted__has(const struct shifted *shifted, const char *key)
{
	return shifted->count && bsearch(key, shifted->keys, shifted->count, sizeof(*shifted->keys), by_text);
}

void shifted__free(struct shifted *shifted)
{
	for (size_t i = 0; i < shifted->count; i++)
		free(shifted->keys[i]);
	free(shifted->keys);
}
