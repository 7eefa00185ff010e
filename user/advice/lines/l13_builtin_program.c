// SPDX-License-Identifier: GPL-2.0-or-later
/* L13: a builtin by the path of its program is a process. */
#include <string.h>

#include "advice/lines/rules_lines.h"
#include "base/autofree.h"

static void look(void *context, const struct shell_command *command)
{
	static const char *const same[] = { "[", "test", "true", "false", "echo", NULL };
	struct line_editor *editor = context;
	const struct shell_span name = shell_command__name(command);
	autofree char *path = shell_span__copy(name);

	/* Whether echo of another shell knows -n and -e is not known. */
	if (editor->subject->is_sh && !strcmp(text__file_name(path), "echo"))
		return;
	if (command->subshell || !name.length || command->words->span.at != name.at || *path != '/' ||
	    !text__is_any(text__file_name(path), same) || !line_subject__is_program(editor->subject, name))
		return;
	shell_edits__add(&editor->edits, name, text__of("%s", text__file_name(path)), NULL);
}

bool rule__l13_builtin_program(const struct line_subject *subject, struct advice *advice)
{
	return line_editor__run(subject, (struct shell_visitor){ .on_command = look },
				"It starts a program that is a builtin of bash, too.", advice);
}
