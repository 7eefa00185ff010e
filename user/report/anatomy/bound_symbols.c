// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/bound_list.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

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

/* What the table is about. */
struct bound_table {
	const struct run *run;
	bool groups, generations; /* there are several */
};

static struct cell bound_share(const void *subject, const void *row, int index)
{
	const struct bound *bound = row;

	if (!bound__of(bound))
		return cell__absent();
	return cell__number(100.0 * (double)bound__children(bound) / (double)bound__of(bound), 0);
}

static struct cell bound_whose(const void *subject, const void *row, int index)
{
	return cell__text(bound__whose(row));
}

static struct cell bound_children(const void *subject, const void *row, int index)
{
	return cell__count(bound__children(row));
}

static struct cell bound_slot(const void *subject, const void *row, int index)
{
	return cell__own(text__of("0x%" PRIx64, ((const struct bound *)row)->symbol->slot));
}

static struct cell bound_name(const void *subject, const void *row, int index)
{
	const struct binding_symbol *symbol = ((const struct bound *)row)->symbol;

	if (symbol->symbol)
		return cell__text(symbol->symbol);
	return cell__own(text__of("slot 0x%" PRIx64, symbol->slot));
}

static struct cell bound_object(const void *subject, const void *row, int index)
{
	return cell__object(((const struct bound_table *)subject)->run,
			    ((const struct bound *)row)->symbol->object);
}

static struct cell bound_provider(const void *subject, const void *row, int index)
{
	uint32_t provider = ((const struct bound *)row)->symbol->provider;

	return provider == NO_OBJECT ?
		       cell__blank() :
		       cell__object(((const struct bound_table *)subject)->run, provider);
}

static struct cell bound_group(const void *subject, const void *row, int index)
{
	return cell__group(((const struct bound_table *)subject)->run,
			   ((const struct bound *)row)->symbol->group);
}

static struct cell bound_method(const void *subject, const void *row, int index)
{
	enum binding_method method = ((const struct bound *)row)->symbol->method;

	return cell__names(checked_strdup(methods[method]),
			   checked_strdup(binding_method_keys[method]));
}

static const struct column bound_columns[] = {
	{ "in %", COLUMN_NUMBER, .cell = bound_share },
	{ "of", COLUMN_TEXT, .cell = bound_whose, WHEN(struct bound_table, generations),
	  .data_always = true },
	{ "children", COLUMN_COUNT, .cell = bound_children, .view = VIEW_DATA },
	{ "slot", COLUMN_COUNT, .cell = bound_slot, .view = VIEW_DATA },
	{ "symbol", COLUMN_TEXT, .cell = bound_name },
	{ "bound in", COLUMN_TEXT, .cell = bound_object },
	{ "to", COLUMN_TEXT, .cell = bound_provider },
	{ "children of", COLUMN_TEXT, .cell = bound_group, WHEN(struct bound_table, groups),
	  .data_always = true },
	{ "known by", COLUMN_TEXT, .cell = bound_method },
};

void report__print_binding_cost(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	const struct anatomy *anatomy = run->anatomy;
	char *us, *text;

	if (!anatomy->symbol_count || !anatomy->got_reads)
		return;
	us = words__us((double)anatomy->got_ns / (double)anatomy->got_reads);
	text = text__of("Comparing the GOT took the recorded children %" PRIu64 " reads of a page, %s "
		     "us each.",
		     anatomy->got_reads, us);
	wrap__print(NULL, text, 0, 0, output);
	free(us);
	free(text);
}

struct table *report__bound_symbols(const struct run *run, const struct report_options *options)
{
	static const char title[] = "Symbols that children bind again";
	struct bound_table about = { run, has_groups(run->anatomy), false };
	size_t count;
	struct bound *list = bound_list__of(run->anatomy, &count);
	struct table *table = table__titled(
		count > MOST_SYMBOLS ? text__of("%s (%d of %zu: --json or --csv)", title,
						MOST_SYMBOLS, count) :
				       checked_strdup(title),
		checked_strdup(title));

	about.generations = has_generations(list, count);
	TABLE_COLUMNS(table, bound_columns, &about);
	table__rule(table);
	for (size_t i = 0; i < count; i++)
		table__add_for(table, i < MOST_SYMBOLS ? VIEW_BOTH : VIEW_DATA, &list[i]);
	free(list);
	return table;
}
