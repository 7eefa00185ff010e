// SPDX-License-Identifier: GPL-2.0-or-later
/* libsmartcols breaks a text that is too long at any character; people break it between words. */
#include <string.h>
#include <wchar.h>

#include "base/memory.h"
#include "format/escape.h"
#include "format/layout.h"

/* Bytes of the first character, and the columns it takes. */
static size_t first_character(const char *text, size_t *columns)
{
	mbstate_t state = { 0 };
	wchar_t wide;
	size_t length = mbrtowc(&wide, text, strlen(text), &state);
	int width;

	*columns = 1;
	if (length == 0 || length > strlen(text))
		return 1;
	width = wcwidth(wide);
	*columns = width > 0 ? width : 0;
	return length;
}

/* Bytes of the first line of at most `room` columns: up to a space, or where a long word is cut. */
static size_t line_length(const char *text, size_t room)
{
	size_t length = 0, used = 0, space = 0, columns;

	while (text[length]) {
		size_t next = first_character(text + length, &columns);

		if (used + columns > room && length)
			return space ? space : length;
		if (text[length] == ' ' && length)
			space = length;
		used += columns;
		length += next;
	}
	return length;
}

/* Replaces the text by one with a newline after each line. */
static void break_lines(char **cell, size_t room)
{
	char *text = *cell, *rest = text;
	char *broken = checked(malloc(2 * strlen(text) + 1)), *end = broken;

	while (*rest) {
		size_t length = line_length(rest, room);

		end = mempcpy(end, rest, length);
		rest += length;
		rest += strspn(rest, " ");
		if (*rest)
			*end++ = '\n';
	}
	*end = '\0';
	free(text);
	*cell = broken;
}

bool layout__wrap_last(struct layout *layout, size_t width)
{
	struct grid *grid = layout->grid;
	size_t last = grid->columns - 1, others = 0;

	for (size_t column = 0; column < last; column++)
		others += layout->widths[column] + 1;
	if (others + LAYOUT_SHORT_TEXT > width || others + layout->widths[last] <= width)
		return false;
	for (size_t row = 1; row < grid->rows; row++) {
		char **cell = &grid->cells[row * grid->columns + last];

		if (escape__width(*cell) > width - others)
			break_lines(cell, width - others);
	}
	return true;
}
