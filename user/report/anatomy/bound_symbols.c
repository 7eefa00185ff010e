// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/bound_list.h"
#include "report/anatomy/words_anatomy.h"
#include "report/words.h"

enum { MOST_SYMBOLS = 30 }; /* in text; some programs bind hundreds in every child */

/* In words what binding_method_keys say to machines. */
static const char *const methods[BINDING_METHOD_COUNT] = {
	[BY_GOT_DIFFERENCE] = "the GOT before and after",
	[BY_FIRST_SLOT] = "the first slot of the page only",
};

static bool has_groups(const struct anatomy *anatomy)
{
	for (size_t i = 1; i < anatomy->symbol_count; i++)
		if (anatomy->symbols[i].group != anatomy->symbols[0].group)
			return true;
	return false;
}

/* Of some group several generations are told apart. */
static bool has_generations(const struct bound *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].generation != GENERATION_COUNT)
			return true;
	return false;
}

static void add_columns(struct table *table, bool groups, bool generations, bool full)
{
	table__column(table, "in %", ALIGN_RIGHT);
	if (generations)
		table__column(table, "of", ALIGN_LEFT);
	if (full) {
		table__column(table, "children", ALIGN_RIGHT);
		table__column(table, "slot", ALIGN_RIGHT);
	}
	table__column(table, "symbol", ALIGN_LEFT);
	table__column(table, "bound in", ALIGN_LEFT);
	table__column(table, "to", ALIGN_LEFT);
	if (groups)
		table__column(table, "children of", ALIGN_LEFT);
	table__column(table, "known by", ALIGN_LEFT);
	table__rule(table);
}

static void add_names(struct table *table, const struct run *run,
		      const struct binding_symbol *symbol, bool full)
{
	char *object = words__object(run, symbol->object, full);
	char *provider = words__object(run, symbol->provider, full);

	if (symbol->symbol)
		table__text(table, symbol->symbol);
	else
		table__format(table, "slot 0x%" PRIx64, symbol->slot);
	table__text(table, object);
	table__text(table, symbol->provider == NO_OBJECT ? "" : provider);
	free(object);
	free(provider);
}

static void add_symbol(struct table *table, const struct run *run, const struct bound *bound,
		       bool groups, bool generations, bool full)
{
	const struct binding_symbol *symbol = bound->symbol;

	table__row(table);
	if (bound__of(bound))
		table__format(table, "%.0f",
			      100.0 * (double)bound__children(bound) / (double)bound__of(bound));
	else
		table__count(table, ABSENT);
	if (generations)
		table__text(table, bound__whose(bound));
	if (full) {
		table__count(table, bound__children(bound));
		table__format(table, "0x%" PRIx64, symbol->slot);
	}
	add_names(table, run, symbol, full);
	if (groups) {
		char *group = words__group(run, symbol->group, full);

		table__text(table, group);
		free(group);
	}
	table__text(table, full ? binding_method_keys[symbol->method] : methods[symbol->method]);
}

void report__print_binding_cost(const struct run *run, const struct table_output *output)
{
	const struct anatomy *anatomy = run->anatomy;
	char *us, *text;

	if (!anatomy->symbol_count || !anatomy->got_reads)
		return;
	us = words__us((double)anatomy->got_ns / (double)anatomy->got_reads);
	text = words("Comparing the GOT took the recorded children %" PRIu64 " reads of a page, %s "
		     "us each.",
		     anatomy->got_reads, us);
	wrap__print(NULL, text, 0, 0, output);
	free(us);
	free(text);
}

struct table *report__bound_symbols(const struct run *run, const struct report_options *options)
{
	const struct anatomy *anatomy = run->anatomy;
	bool full = options->csv, groups = full || has_groups(anatomy), generations;
	size_t count, most;
	struct bound *list;
	struct table *table;
	char *title;

	if (!anatomy->symbol_count)
		return NULL;
	list = bound_list__of(anatomy, &count);
	most = full || count <= MOST_SYMBOLS ? count : MOST_SYMBOLS;
	generations = full || has_generations(list, count);
	title = most < count ? words("Symbols that children bind again (%zu of %zu: --json or --csv)",
				     most, count)
			     : words("Symbols that children bind again");
	table = table__new(title);
	free(title);
	add_columns(table, groups, generations, full);
	for (size_t i = 0; i < most; i++)
		add_symbol(table, run, &list[i], groups, generations, full);
	free(list);
	return table;
}
