// SPDX-License-Identifier: GPL-2.0-or-later
/* L14: printf writes a text to a file without a process; cat needs one for a here-document. */
#include <string.h>

#include "advice/lines/rules_lines.h"
#include "base/autofree.h"

/* Of cat <<EOF >file: what is written to; NULL: it is something else. */
static const struct shell_redirection *output_of(const struct shell_command *command)
{
	const struct shell_redirection *first = command->redirections, *second = first ? first->next : NULL, *output;

	if (!second || second->next || first->is_here == second->is_here)
		return NULL;
	output = first->is_here ? second : first;
	return *output->span.at == '>' && output->span.at[1] != '&' && !output->target->inside ? output : NULL;
}

static void look(void *context, const struct shell_pipeline *pipeline)
{
	const struct shell_command *command = pipeline->commands;
	struct line_editor *editor = context;
	const struct shell_redirection *output;
	autofree char *to = NULL;

	if (pipeline->count != 1 || pipeline->is_background || command->is_words || command->assignments ||
	    command->subshell || shell_word__count(command->words) != 1 || !shell_word__is(command->words, "cat") ||
	    !line_subject__is_program(editor->subject, shell_command__name(command)))
		return;
	output = output_of(command);
	if (!output)
		return;
	to = shell_span__copy(output->span);
	shell_edits__add(&editor->edits, command->span, text__of("printf '%%s\\n' \"...\" %s", to),
			 text__of(": %s", to));
}

bool rule__l14_here_document(const struct line_subject *subject, struct advice *advice)
{
	return line_editor__run(subject, (struct shell_visitor){ .on_pipeline = look },
				"It starts cat to write a here-document to a file, which the builtin printf does, too.",
				advice);
}
