// SPDX-License-Identifier: GPL-2.0-or-later
/* L12: ( ) costs a child; { } does not. */
#include <string.h>

#include "advice/lines/rules_lines.h"

/* Of a command that leaves nothing behind which ( ) would have kept from the shell. */
static bool leaves_nothing(const struct line_subject *subject, const struct shell_command *command)
{
	static const char *const harmless[] = { ":", "echo", "printf", "true", "false", "test", "[", "pwd", NULL };
	const struct shell_span name = shell_command__name(command);
	size_t i = 0;

	if (command->subshell || command->is_words || !name.length || command->words->span.at != name.at ||
	    (command->assignments && shell_command__is_builtin(name)))
		return false;
	while (harmless[i] && !shell_span__is(name, harmless[i]))
		i++;
	if (harmless[i])
		return !shell_span__is(name, "printf") || !shell_word__is(command->words->next, "-v");
	return line_subject__is_program(subject, name);
}

static bool is_harmless(const struct line_subject *subject, const struct shell_list *list)
{
	for (const struct shell_pipeline *one = list->first; one; one = one->next) {
		if (one->is_background)
			return false;
		if (one->count == 1 && !leaves_nothing(subject, one->commands))
			return false;
	}
	return list->first;
}

/* Expansions that set a variable, which ( ) keeps from the shell: ${x:=y}, $((x++)). */
static bool sets_variables(struct shell_span span)
{
	return memmem(span.at, span.length, "((", 2) || memmem(span.at, span.length, ":=", 2) ||
	       (memmem(span.at, span.length, "${", 2) && memchr(span.at, '=', span.length)) ||
	       memmem(span.at, span.length, "BASHPID", 7) || memmem(span.at, span.length, "BASH_SUBSHELL", 13);
}

static void look(void *context, const struct shell_pipeline *pipeline)
{
	const struct shell_command *command = pipeline->commands;
	struct line_editor *editor = context;
	const char *begin, *end;

	if (pipeline->count != 1 || pipeline->is_background || !command->subshell ||
	    !is_harmless(editor->subject, command->subshell) || sets_variables(command->span))
		return;
	begin = command->span.at + 1;
	end = begin;
	for (const struct shell_pipeline *one = command->subshell->first; one; one = one->next)
		for (const struct shell_command *each = one->commands; each; each = each->next)
			end = each->span.at + each->span.length;
	while (*begin == ' ' || *begin == '\t')
		begin++;
	shell_edits__add(&editor->edits, (struct shell_span){ command->span.at, command->subshell_length },
			 text__of("{ %.*s; }", (int)(end - begin), begin), NULL);
}

bool rule__l12_subshell(const struct line_subject *subject, struct advice *advice)
{
	return line_editor__run(subject, (struct shell_visitor){ .on_pipeline = look },
				"It creates a child for ( ), though its commands leave nothing behind.", advice);
}
