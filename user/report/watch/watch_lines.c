// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/watch/watch_lines.h"

#include <math.h>
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

/* By the largest number, as in all columns of numbers. */
int watch_lines__decimals(size_t count, const double *first, size_t distance)
{
	double largest = 0;
	bool are_whole = true;

	for (size_t i = 0; i < count; i++) {
		const double value = *(const double *)((const char *)first + i * distance);

		if (isnan(value))
			continue;
		largest = fmax(largest, value);
		are_whole &= value == rint(value);
	}
	return are_whole ? 0 : number__decimals(largest);
}

static struct number_text words_of(const char *words)
{
	struct number_text text;

	strcpy(text.text, words);
	return text;
}

struct number_text watch_lines__number(double value, int decimals)
{
	static const char *const least[] = { "<1", "<0.1", "<0.01" };
	struct number_text text;

	if (isnan(value))
		return words_of("-");
	text = number__fixed(value, decimals);
	return value > 0 && strtod(text.text, NULL) == 0 ? words_of(least[decimals]) : text;
}
