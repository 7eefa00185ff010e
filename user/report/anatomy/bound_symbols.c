// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

enum { MOST_SYMBOLS = 30 }; /* in text; some programs bind hundreds in every child */

/* binding_method_keys in words. */
static const char *const methods[BINDING_METHOD_COUNT] = {
	[BY_GOT_DIFFERENCE] = "the GOT before and after",
	[BY_FIRST_SLOT] = "the first slot of the page only",
};

/* A symbol in one generation of children; in all, if there is only one. */
struct bound {
	const struct binding_symbol *symbol;
	const struct sample *sample; /* NULL: not known */
	int generation; /* GENERATION_COUNT: all */
};

/* Recorded children of that generation that bound it. */
static uint64_t children_of(const struct bound *bound)
{
	return bound->generation == GENERATION_COUNT ? bound->symbol->children
						     : bound->symbol->generations[bound->generation];
}

/* All there are; 0: not known. */
static uint64_t sampled_of(const struct bound *bound)
{
	if (!bound->sample)
		return 0;
	return bound->generation == GENERATION_COUNT ? bound->sample->children
						     : bound->sample->generations[bound->generation];
}

static const char *whose_of(const struct bound *bound)
{
	static const char *const whose[] = {
		[GENERATION_UNKNOWN] = "of a generation not known",
		[GENERATION_CHILD] = "children",
		[GENERATION_GRANDCHILD] = "grandchildren",
		[GENERATION_LATER] = "of later generations",
		[GENERATION_COUNT] = "",
	};

	return whose[bound->generation];
}

/* In the order of the run, by generation; to be freed. */
static struct bound *list_of(const struct anatomy *anatomy, size_t *count)
{
	struct bound *list = checked_calloc(anatomy->symbol_count * GENERATION_COUNT, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < anatomy->symbol_count; i++) {
		struct bound bound = { &anatomy->symbols[i], anatomy__sample(anatomy, anatomy->symbols[i].group),
				       GENERATION_COUNT };

		if (!bound.sample || !sample__is_mixed(bound.sample)) {
			list[(*count)++] = bound;
			continue;
		}
		for (bound.generation = 0; bound.generation < GENERATION_COUNT; bound.generation++)
			if (children_of(&bound))
				list[(*count)++] = bound;
	}
	return list;
}

static bool has_groups(const struct anatomy *anatomy)
{
	for (size_t i = 1; i < anatomy->symbol_count; i++)
		if (anatomy->symbols[i].group != anatomy->symbols[0].group)
			return true;
	return false;
}

/* Does some group have children of several generations? */
static bool has_generations(const struct bound *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].generation != GENERATION_COUNT)
			return true;
	return false;
}

/* What the table is about. */
struct bound_table {
	bool groups, generations; /* there are several */
};

struct bound_line {
	double percent;
	const char *whose;
	struct cell name, object, provider, group;
	const char *method;
};

static const struct column bound_columns[] = {
	{ "in %", NUMBER_OF(struct bound_line, percent) },
	{ "of", TEXT_OF(struct bound_line, whose), WHEN(struct bound_table, generations) },
	{ "symbol", COLUMN_TEXT, CELL_OF(struct bound_line, name) },
	{ "bound in", COLUMN_TEXT, CELL_OF(struct bound_line, object) },
	{ "to", COLUMN_TEXT, CELL_OF(struct bound_line, provider) },
	{ "children of", COLUMN_TEXT, CELL_OF(struct bound_line, group), WHEN(struct bound_table, groups) },
	{ "known by", TEXT_OF(struct bound_line, method) },
};

static struct bound_line line_of_bound(const struct run *run, const struct bound *bound)
{
	const struct binding_symbol *symbol = bound->symbol;
	double all = sampled_of(bound);

	return (struct bound_line){
		.percent = all > 0 ? 100.0 * (double)children_of(bound) / all : NAN,
		.whose = whose_of(bound),
		.name = symbol->symbol ? cell__text(symbol->symbol) :
					 cell__own(text__of("slot 0x%" PRIx64, symbol->slot)),
		.object = cell__object(run, symbol->object),
		.provider = symbol->provider == NO_OBJECT ? cell__blank() : cell__object(run, symbol->provider),
		.group = cell__group(run, symbol->group),
		.method = methods[symbol->method],
	};
}

struct table *report__bound_symbols(const struct run *run, const struct report_options *options)
{
	struct bound_table about = { has_groups(run->anatomy), false };
	size_t count;
	autofree struct bound *list = list_of(run->anatomy, &count);
	const struct room room = room__of(options, 0, MOST_SYMBOLS);
	struct table *table = table__titled(room__title(&room, "Symbols that children bind again", count), NULL);

	about.generations = has_generations(list, count);
	TABLE_COLUMNS(table, bound_columns, &about);
	table__rule(table);
	for (size_t i = 0; i < count && i < room.rows; i++) {
		const struct bound_line line = line_of_bound(run, &list[i]);

		table__add(table, &line);
	}
	return table;
}
