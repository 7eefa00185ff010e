// SPDX-License-Identifier: GPL-2.0-or-later
/* Which calls were counted, where -P has selected some. */
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

/* That of its first run stands for all; "": all calls, or none were counted. To be freed. */
static char *selection_of(const struct compare_column *column)
{
	return column->run_count ? words__paths(column->runs[0]) : text__of("%s", "");
}

static bool differs(const struct comparison *comparison)
{
	autofree char *first = selection_of(&comparison->columns[0]);
	bool differs = false;

	for (size_t i = 1; i < comparison->column_count; i++) {
		autofree char *other = selection_of(&comparison->columns[i]);

		differs |= comparison->columns[i].run_count && strcmp(first, other) != 0;
	}
	return differs;
}

void compare__print_selection(const struct comparison *comparison, const struct table_output *output)
{
	const bool each = differs(comparison);
	autofree char *text = text__of("%s", each ? "The columns do not count the same system calls:" : "");

	for (size_t i = 0; i < (each ? comparison->column_count : 1); i++) {
		const struct compare_column *column = &comparison->columns[i];
		autofree char *selection = selection_of(column);

		if (each)
			text__replace(&text, "%s%s %s %s%s%s", text, i ? "," : "", column->label,
				      *selection ? "only those" : "all", selection, *selection ? " (-P)" : "");
		else if (*selection)
			text__replace(&text, "Only the system calls%s are counted (-P)", selection);
	}
	if (*text) {
		text__replace(&text, "%s.", text);
		wrap__print(NULL, text, 0, 0, output);
	}
}
