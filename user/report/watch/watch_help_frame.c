// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "report/watch/watch_frame.h"

/* "copied MiB/s"; "processes", which the header divides: "pro-", "cesses". */
static char *title_of(const struct watch_column_words *words)
{
	const char *first = words->header[0];
	const size_t length = strlen(first);

	if (length && first[length - 1] == '-')
		return text__of("%.*s%s", (int)length - 1, first, words->header[1]);
	return text__of("%s%s%s", first, length ? " " : "", words->header[1]);
}

void watch_frame__add_help(struct screen_lines *lines, const struct watch_moment *moment,
			   const struct watch_size *size)
{
	static const char *const keys[] = {
		"up down  select a unit     d Enter  show its groups, and back",
		"< >      sort by the next  r        reverse the order",
		"p        pause             q        quit",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		watch_lines__add(lines, text__of("%s", keys[i]), 1, size);
	watch_lines__add(lines, text__of("%s", "Letters sort by a column:"), 1, size);
	for (int column = 0; column < WATCH_COLUMN_COUNT; column++) {
		const struct watch_column_words *words = &watch_columns[column];

		autofree char *title = title_of(words);

		if (moment->rows.has[column])
			watch_lines__add(lines, text__of("  %c  %s: %s", words->key, title, words->meaning), 1, size);
	}
}
