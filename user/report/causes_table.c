// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/causes_table.h"

#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/shown.h"

enum { ROWS = 5 };

struct cause_line {
	struct cell us, share, calls, faults, cause;
};

static const struct column cause_columns[] = {
	{ "us", COLUMN_NUMBER, CELL_OF(struct cause_line, us), IF_ANY },
	{ "%", COLUMN_NUMBER, CELL_OF(struct cause_line, share), IF_ANY },
	{ "calls", COLUMN_NUMBER, CELL_OF(struct cause_line, calls), IF_ANY },
	{ "faults", COLUMN_NUMBER, CELL_OF(struct cause_line, faults), IF_ANY },
	{ "cause", COLUMN_TEXT, CELL_OF(struct cause_line, cause) },
};

struct causes_table causes_table__new(char *title, double whole_ns)
{
	const struct causes_table causes = { whole_ns, table__titled(title, NULL) };

	TABLE_COLUMNS(causes.table, cause_columns, NULL);
	table__rule(causes.table);
	return causes;
}

static struct cell mean(double number)
{
	return number > 0 ? cell__number(number, DECIMALS_UNLESS_WHOLE) : cell__blank();
}

void causes_table__add(const struct causes_table *causes, double ns, double calls, double faults, char *words)
{
	const struct cause_line line = {
		.us = cell__us(ns),
		.share = causes->whole_ns > 0 ? cell__number(100 * ns / causes->whole_ns, 1) : cell__absent(),
		.calls = mean(calls),
		.faults = mean(faults),
		.cause = cell__own(words),
	};

	table__add(causes->table, &line);
}

void causes_table__show(struct causes_table *causes, const struct report_options *options,
			const struct table_output *output)
{
	table__limit(causes->table, room__of(options, ROWS, SIZE_MAX).rows, "causes");
	table__show(causes->table, output);
}

char *causes_table__object(const struct run *run, uint32_t object, const char *before, const char *after)
{
	autofree char *name = object == NO_OBJECT ? NULL : names__object(run, object, false);

	return text__of("%s%s%s", before, name ? name : "other files", after);
}
