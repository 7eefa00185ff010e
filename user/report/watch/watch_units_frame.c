// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of all units: columns that fit, the sorted one marked, rows around the selected one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "format/escape.h"
#include "report/watch/watch_frame.h"

enum { LEAST_NUMBER = 6, LEAST_NAME = 20, LINES_OF_HEADER = 2, MARK_AND_LETTER = 2 };

/* The columns that are shown, in order; the name is the first. */
struct units_table {
	const struct watch_rows *rows;
	bool shows[WATCH_NAME];
	int decimals[WATCH_NAME];
	unsigned int widths[WATCH_NAME], name_width;
};

static unsigned int width_of(const struct units_table *table, int column)
{
	unsigned int width = LEAST_NUMBER;

	for (size_t i = 0; i < table->rows->count; i++) {
		const struct number_text text =
			watch_lines__number(table->rows->rows[i].values[column], table->decimals[column]);

		width = fmax(width, strlen(text.text));
	}
	return width;
}

static unsigned int room_for_name(const struct units_table *table, unsigned int width)
{
	unsigned int taken = 0;

	for (int column = 0; column < WATCH_NAME; column++)
		taken += table->shows[column] ? table->widths[column] + 1 : 0;
	return taken < width ? width - taken : 0;
}

/* The column that can be spared most easily; -1: none. What is sorted by stays. */
static int most_spare(const struct units_table *table, enum watch_column sort)
{
	int spared = -1, spare = 0;

	for (int column = 0; column < WATCH_NAME; column++) {
		if (!table->shows[column] || column == (int)sort || watch_columns[column].spare <= spare)
			continue;
		spared = column;
		spare = watch_columns[column].spare;
	}
	return spared;
}

static struct units_table lay_out(const struct watch_rows *rows, enum watch_column sort, unsigned int width)
{
	struct units_table table = { .rows = rows };
	int spared;

	for (int column = 0; column < WATCH_NAME; column++) {
		table.shows[column] = rows->has[column];
		table.decimals[column] =
			watch_lines__decimals(rows->count, &rows->rows[0].values[column], sizeof(*rows->rows));
		table.widths[column] = width_of(&table, column);
	}
	while (room_for_name(&table, width) < LEAST_NAME && (spared = most_spare(&table, sort)) >= 0)
		table.shows[spared] = false;
	table.name_width = room_for_name(&table, width);
	if (table.name_width < MARK_AND_LETTER)
		table.name_width = MARK_AND_LETTER; /* the terminal cuts the rest */
	return table;
}

/* The mark stands where a column has its blank, or before the name. */
static const char *mark_of(const struct watch_state *state, int column, bool is_upper, bool utf8)
{
	if (is_upper || (int)state->sort != column)
		return " ";
	if (state->is_reversed)
		return utf8 ? "▲" : "^";
	return utf8 ? "▼" : "v";
}

static void add_header(struct screen_lines *lines, const struct units_table *table, const struct watch_state *state,
		       int line, bool utf8)
{
	autofree char *name = watch_lines__fit(watch_columns[WATCH_NAME].header[line], table->name_width - 1, utf8);
	char *text = text__of("%s%s", mark_of(state, WATCH_NAME, line == 0, utf8), name);

	for (int column = 0; column < WATCH_NAME; column++) {
		const char *word = watch_columns[column].header[line];
		const int blanks = (int)table->widths[column] - (int)strlen(word);

		if (table->shows[column])
			text__replace(&text, "%s%*s%s%s", text, blanks, "", mark_of(state, column, line == 0, utf8),
				      word);
	}
	screen_lines__add(lines, text, false);
}

static void add_row(struct screen_lines *lines, const struct units_table *table, const struct watch_row *row,
		    bool is_selected, bool utf8)
{
	autofree char *name = watch_lines__fit(row->unit->name, table->name_width - 1, utf8);
	char *text = text__of("%s%s", is_selected ? ">" : " ", name);

	for (int column = 0; column < WATCH_NAME; column++)
		if (table->shows[column])
			text__replace(&text, "%s %*s", text, (int)table->widths[column],
				      watch_lines__number(row->values[column], table->decimals[column]).text);
	screen_lines__add(lines, text, is_selected);
}

void watch_frame__add_units(struct screen_lines *lines, const struct watch_moment *moment,
			    const struct watch_state *state, const struct watch_size *size)
{
	const struct watch_rows *rows = &moment->rows;
	const struct units_table table = lay_out(rows, state->sort, size->width);
	const size_t selected = watch_state__selected(state, rows);
	const size_t taken = lines->count + LINES_OF_HEADER;
	const size_t room = size->height > taken ? size->height - taken : 0;
	const size_t first = selected < room ? 0 : selected - room + 1;

	for (int line = 0; line < LINES_OF_HEADER; line++)
		add_header(lines, &table, state, line, size->utf8);
	for (size_t i = first; i < rows->count && i < first + room; i++)
		add_row(lines, &table, &rows->rows[i], i == selected, size->utf8);
}
