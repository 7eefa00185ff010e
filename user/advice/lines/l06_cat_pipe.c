// SPDX-License-Identifier: GPL-2.0-or-later
/* L6: a program can read the file itself: "cat file | program" is one process too many. */
#include "advice/lines/rules_lines.h"
#include "base/autofree.h"

static void look(void *context, const struct shell_pipeline *pipeline)
{
	const struct shell_command *cat = pipeline->commands, *reader = cat->next;
	struct line_editor *editor = context;
	autofree char *file = NULL, *command = NULL;
	struct shell_span both;

	if (pipeline->count < 2 || !line_subject__calls(editor->subject, cat, "cat", 1) ||
	    !shell_word__is_file(cat->words->next) || reader->subshell || !reader->words ||
	    !line_subject__is_program(editor->subject, shell_command__name(reader)))
		return;
	for (const struct shell_redirection *one = reader->redirections; one; one = one->next)
		if (*one->span.at == '<' || *one->span.at == '0')
			return;
	file = shell_word__quoted(cat->words->next);
	command = shell_span__copy(reader->span);
	both = (struct shell_span){ cat->span.at, (size_t)(reader->span.at + reader->span.length - cat->span.at) };
	shell_edits__add(&editor->edits, both, text__of("%s <%s", command, file), NULL);
}

bool rule__l06_cat_pipe(const struct line_subject *subject, struct advice *advice)
{
	return line_editor__run(subject, (struct shell_visitor){ .on_pipeline = look },
				"It starts cat to feed a program that can read the file itself.", advice);
}
