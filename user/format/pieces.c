// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/pieces.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/escape.h"

/* Bytes of the first piece, with the blanks behind it; `is_path`: whether it stands in a path, before and after. */
static size_t piece_length(const char *text, bool *is_path)
{
	size_t length = strspn(text, "/.");

	*is_path |= *text == '/' || (*text == '.' && text[length - 1] == '/');
	length += strcspn(text + length, *is_path ? " /" : " ");
	if (text[length] == '/')
		return length + 1;
	*is_path = false;
	return length + strspn(text + length, " ");
}

static size_t columns_of(const char *text, size_t length)
{
	size_t used = 0, columns;

	while (length && text[length - 1] == ' ')
		length--;
	for (size_t i = 0; i < length; used += columns)
		i += escape__character(text + i, &columns);
	return used;
}

size_t pieces__longest(const char *text)
{
	size_t longest = 0;
	bool is_path = false;

	while (*text) {
		const size_t length = piece_length(text, &is_path), columns = columns_of(text, length);

		longest = columns > longest ? columns : longest;
		text += length;
	}
	return longest;
}

/* Bytes of the word, with the blanks behind it. */
static size_t word_length(const char *text)
{
	const size_t length = strcspn(text, " ");

	return length + strspn(text + length, " ");
}

/* Bytes of the first line. A path that fits the next line as a whole is not broken; `room` for neither: it is. */
static size_t line_length(const char *text, size_t room, bool *is_path)
{
	size_t length = 0, word = 0;

	while (text[length]) {
		bool goes_on = *is_path;
		const size_t next = piece_length(text + length, &goes_on);

		if (length && columns_of(text, length + next) > room) {
			if (!word || columns_of(text + word, word_length(text + word)) > room)
				break;
			*is_path = false;
			return word;
		}
		*is_path = goes_on;
		length += next;
		if (text[length - 1] == ' ')
			word = length;
	}
	return length;
}

char *pieces__lines(const char *text, size_t room)
{
	char *lines = checked(malloc(2 * strlen(text) + 1)), *end = lines;
	bool is_path = false;

	while (*text) {
		const size_t length = line_length(text, room, &is_path);
		const bool is_last = !text[length];

		end = mempcpy(end, text, length);
		while (!is_last && end[-1] == ' ')
			end--;
		if (!is_last)
			*end++ = '\n';
		text += length;
	}
	*end = '\0';
	return lines;
}
