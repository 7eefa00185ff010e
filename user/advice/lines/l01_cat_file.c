// SPDX-License-Identifier: GPL-2.0-or-later
/* L1: bash reads a file itself for $(<file). */
#include <stdlib.h>

#include "advice/lines/rules_lines.h"
#include "base/autofree.h"

static void look(void *context, const struct shell_command *command, const struct shell_word *word,
		 const struct shell_substitution *substitution)
{
	const struct shell_command *only = shell_list__only_command(substitution->list);
	struct line_editor *editor = context;
	autofree char *file = NULL;

	if (substitution->kind != SHELL_COMMAND || !line_subject__calls(editor->subject, only, "cat", 1) ||
	    !shell_word__is_file(only->words->next))
		return;
	file = shell_word__quoted(only->words->next);
	shell_edits__add(&editor->edits, substitution->span, text__of("$(<%s)", file), NULL);
}

bool rule__l01_cat_file(const struct line_subject *subject, struct advice *advice)
{
	return !subject->is_sh &&
	       line_editor__run(subject, (struct shell_visitor){ .on_substitution = look },
				"It starts cat only to read a file, which bash 5.2 and later do without a process.",
				advice);
}
