// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/causes_table.h"

#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/shown.h"

enum { ROWS = 3, FEWEST_ROWS = 2 };

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

static struct cell mean(double number)
{
	return number > 0 ? cell__number(number, DECIMALS_UNLESS_WHOLE) : cell__blank();
}

void causes_table__add(struct causes_table *causes, double ns, double calls, double faults, char *words)
{
	causes->rows = checked_grow(causes->rows, causes->count, sizeof(*causes->rows));
	causes->rows[causes->count++] = (struct cause_row){ ns, calls, faults, words };
	causes->sum_ns += ns > 0 ? ns : 0;
}

/* Of what ran side by side no part is a share of the time on the clock. */
static bool has_shares(const struct causes_table *causes)
{
	return causes->whole_ns > 0 && causes->sum_ns <= causes->whole_ns;
}

static void add_line(struct table *table, const struct causes_table *causes, const struct cause_row *row)
{
	const struct cause_line line = {
		.us = cell__us(row->ns),
		.share = has_shares(causes) ? cell__number(100 * row->ns / causes->whole_ns, 1) : cell__absent(),
		.calls = mean(row->calls),
		.faults = mean(row->faults),
		.cause = cell__own(row->words),
	};

	table__add(table, &line);
}

/* Unless it reads "0.0 %". */
static bool has_rest(const struct causes_table *causes)
{
	return has_shares(causes) && causes->sum_ns > 0 &&
	       causes->whole_ns - causes->sum_ns >= 0.0005 * causes->whole_ns;
}

void causes_table__show(struct causes_table *causes, const char *rest, const struct report_options *options,
			const struct table_output *output)
{
	const size_t rows = room__of(options, ROWS, SIZE_MAX).rows;
	struct table *table = table__titled(causes->title, NULL);

	TABLE_COLUMNS(table, cause_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < causes->count; i++)
		add_line(table, causes, &causes->rows[i]);
	/* It has its place among those of the screen. */
	table__limit(table, rows > FEWEST_ROWS && has_rest(causes) ? rows - 1 : rows, "causes");
	if (has_rest(causes))
		add_line(table, causes, &(struct cause_row){ causes->whole_ns - causes->sum_ns, 0, 0,
							     text__of("not known: %s", rest) });
	table__show(table, output);
	if (causes->whole_ns > 0 && !has_shares(causes))
		wrap__print(NULL, "(No shares: threads ran side by side, so their times exceed the time on the clock.)",
			    0, 0, output);
	free(causes->rows);
}

char *causes_table__object(const struct run *run, uint32_t object, const char *before, const char *after)
{
	autofree char *name = object == NO_OBJECT ? NULL : names__object(run, object, false);

	return text__of("%s%s%s", before, name ? name : "other files", after);
}
