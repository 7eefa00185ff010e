// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/watch/watch_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/escape.h"
#include "format/pieces.h"

/* Bytes of the escaped text that take at most so many columns. */
static size_t bytes_of(const char *text, unsigned int width, size_t *taken)
{
	size_t bytes = 0, columns;

	*taken = 0;
	while (text[bytes]) {
		const size_t length = escape__character(text + bytes, &columns);

		if (*taken + columns > width)
			break;
		*taken += columns;
		bytes += length;
	}
	return bytes;
}

/* Escaped text, with a sign at its end if it was cut; to be freed. */
static char *cut(const char *text, unsigned int width, bool utf8)
{
	size_t taken, bytes = bytes_of(text, width, &taken);

	if (!text[bytes])
		return text__copy(text);
	bytes = bytes_of(text, width - 1, &taken);
	return text__of("%.*s%s", (int)bytes, text, utf8 ? "…" : "~");
}

void watch_lines__add(struct screen_lines *lines, char *text, unsigned int most, const struct watch_size *size)
{
	autofree char *safe = escape__text(text, size->utf8);
	autofree char *broken = pieces__lines(safe, size->width);
	char *rest, *line = strtok_r(broken, "\n", &rest);

	free(text);
	for (unsigned int i = 0; line && i < most; i++) {
		/* What does not fit goes on behind the last line, to be cut there. */
		autofree char *last = i + 1 == most && *rest ? text__of("%s %s", line, rest) : text__copy(line);

		screen_lines__add(lines, cut(last, size->width, size->utf8), false);
		line = strtok_r(NULL, "\n", &rest);
	}
}

char *watch_lines__fit(const char *text, unsigned int width, bool utf8)
{
	autofree char *safe = escape__text(text, utf8);
	autofree char *fitting = cut(safe, width, utf8);
	const size_t columns = escape__width(fitting);

	return text__of("%s%*s", fitting, (int)(columns < width ? width - columns : 0), "");
}
