// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/watch/watch_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/full_screen.h"

enum { PAGE_OF_ROWS = 10, KEY_ESCAPE = '\033', KEY_BACKSPACE = 0x7f };

size_t watch_state__selected(const struct watch_state *state, const struct watch_rows *rows)
{
	for (size_t i = 0; state->selected && i < rows->count; i++)
		if (!strcmp(rows->rows[i].unit->name, state->selected))
			return i;
	return 0;
}

/* The selection stays with the unit when rows change places. */
static void select_row(struct watch_state *state, const struct watch_rows *rows, size_t row)
{
	if (!rows->count)
		return;
	free(state->selected);
	state->selected = text__copy(rows->rows[row < rows->count ? row : rows->count - 1].unit->name);
}

static void move(struct watch_state *state, const struct watch_rows *rows, int key)
{
	const size_t at = watch_state__selected(state, rows);

	if (key == SCREEN_KEY_UP)
		select_row(state, rows, at ? at - 1 : 0);
	else if (key == SCREEN_KEY_DOWN)
		select_row(state, rows, at + 1);
	else if (key == SCREEN_KEY_PAGE_UP)
		select_row(state, rows, at > PAGE_OF_ROWS ? at - PAGE_OF_ROWS : 0);
	else if (key == SCREEN_KEY_PAGE_DOWN)
		select_row(state, rows, at + PAGE_OF_ROWS);
	else if (key == SCREEN_KEY_HOME)
		select_row(state, rows, 0);
	else if (key == SCREEN_KEY_END)
		select_row(state, rows, SIZE_MAX);
}

static void leave_unit(struct watch_state *state)
{
	free(state->unit);
	state->unit = NULL;
}

static void enter_unit(struct watch_state *state, const struct watch_rows *rows)
{
	if (!rows->count)
		return;
	select_row(state, rows, watch_state__selected(state, rows));
	state->unit = text__copy(state->selected);
}

/* The next column that is there, name included: to the right (1) or to the left (-1). */
static void sort_by_neighbour(struct watch_state *state, const struct watch_rows *rows, int direction)
{
	int column = state->sort;

	do
		column = (column + direction + WATCH_COLUMN_COUNT) % WATCH_COLUMN_COUNT;
	while (!rows->has[column]);
	state->sort = column;
}

static void sort_by_letter(struct watch_state *state, const struct watch_rows *rows, int key)
{
	for (int column = 0; column < WATCH_COLUMN_COUNT; column++)
		if (watch_columns[column].key == key && rows->has[column])
			state->sort = column;
}

static void key_of_units(struct watch_state *state, int key, const struct watch_rows *rows)
{
	if (key == 'd' || key == '\n' || key == '\r')
		enter_unit(state, rows);
	else if (key == '<' || key == SCREEN_KEY_LEFT)
		sort_by_neighbour(state, rows, -1);
	else if (key == '>' || key == SCREEN_KEY_RIGHT)
		sort_by_neighbour(state, rows, 1);
	else if (key > 0xff)
		move(state, rows, key);
	else
		sort_by_letter(state, rows, key);
}

bool watch_state__key(struct watch_state *state, int key, const struct watch_rows *rows)
{
	if (key == 'q')
		return false;
	if (state->shows_help || key == 'h' || key == '?')
		state->shows_help = !state->shows_help; /* any key leaves the help */
	else if (key == 'p' || key == ' ')
		state->is_paused = !state->is_paused;
	else if (key == 'r')
		state->is_reversed = !state->is_reversed;
	else if (!state->unit)
		key_of_units(state, key, rows);
	else if (key == 'd' || key == KEY_ESCAPE || key == KEY_BACKSPACE || key == SCREEN_KEY_LEFT || key == '\n' ||
		 key == '\r')
		leave_unit(state);
	return true;
}

void watch_state__release(struct watch_state *state)
{
	free(state->selected);
	free(state->unit);
	*state = (struct watch_state){ 0 };
}
