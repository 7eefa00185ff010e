// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text.h"
#include "report/watch/watch_frame.h"

void watch_frame__add_help(struct screen_lines *lines, const struct watch_moment *moment,
			   const struct watch_size *size)
{
	static const char *const keys[] = {
		"up down  select a unit     d Enter  its groups, and back",
		"< >      sort by another   r        reverse the order",
		"p        pause             q        quit",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		watch_lines__add(lines, text__of("%s", keys[i]), 1, size);
	watch_lines__add(lines, text__of("%s", "Letters sort by a column:"), 1, size);
	for (int column = 0; column < WATCH_COLUMN_COUNT; column++) {
		const struct watch_column_words *words = &watch_columns[column];

		if (moment->rows.has[column])
			watch_lines__add(lines, text__of("  %c  %s %s: %s", words->key, words->header[0], words->header[1],
							 words->meaning), 1, size);
	}
}
