// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/tree/executions.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/lines/script_lines.h"

enum { WORDS_LONGEST = 48 };

bool execution__is_whole(const struct execution *execution)
{
	return execution->bytes <= EXECUTION_TEXT;
}

bool execution__is_known(const struct execution *execution)
{
	return execution->bytes <= EXECUTION_HASHED;
}

char *execution__words(const struct execution *row)
{
	char *text = text__of("%s", text__file_name(row->arguments[0])), *cut;

	for (size_t i = 1; i < row->argument_count; i++)
		text__replace(&text, strpbrk(row->arguments[i], " \t\n'\"\\$*") ? "%s '%s'" : "%s %s", text,
			      row->arguments[i]);
	cut = script_line__beginning(text, WORDS_LONGEST);
	free(text);
	return cut;
}
