// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * L7: in $( ), bash executes a program in the child that it has created already; with a redirection it creates
 * a second one, unless exec is written before it.
 */
#include "advice/lines/rules_lines.h"

static void look(void *context, const struct shell_command *command, const struct shell_word *word,
		 const struct shell_substitution *substitution)
{
	const struct shell_command *only = shell_list__only_command(substitution->list);
	struct line_editor *editor = context;
	const struct shell_span name = only ? shell_command__name(only) : (struct shell_span){ 0 };

	if (substitution->kind == SHELL_COMMAND && name.length && only->redirections &&
	    only->words->span.at == name.at && line_subject__is_program(editor->subject, name))
		shell_edits__add(&editor->edits, (struct shell_span){ only->span.at, 0 }, text__of("%s", "exec "),
				 NULL);
}

bool rule__l07_exec_redirected(const struct line_subject *subject, struct advice *advice)
{
	return line_editor__run(
		subject, (struct shell_visitor){ .on_substitution = look },
		"Because of the redirection inside $( ), bash creates a second process for the program. "
		"With exec, or with the redirection outside, as in { x=$(program); } 2>/dev/null, it does not.",
		advice);
}
