// SPDX-License-Identifier: GPL-2.0-or-later
/* L10: the output of a builtin needs no child. */
#include <ctype.h>
#include <string.h>

#include "advice/lines/rules_lines.h"

/* The name in name=$(...), if that is all that the command does; empty: it does more. */
static struct shell_span assigned(const struct shell_command *command, const struct shell_word *word,
				  const struct shell_substitution *substitution)
{
	const char *at = substitution->span.at;
	const bool is_quoted = at > word->span.at && at[-1] == '"';
	const char *end = at + substitution->span.length + is_quoted;

	at -= is_quoted;
	if (command->words || command->redirections || command->assignments != word || word->next ||
	    at <= word->span.at || at[-1] != '=' || at[-2] == '+' || end != word->span.at + word->span.length)
		return (struct shell_span){ 0 };
	return (struct shell_span){ word->span.at, (size_t)(at - 1 - word->span.at) };
}

/* $( ) takes a newline at the end away, and zeros; printf -v ends at a zero. */
static bool may_print_other(struct shell_span call)
{
	static const char *const escapes[] = { "\\n", "\\0", "\\x", "\\1", "$'" };

	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++)
		if (memmem(call.at, call.length, escapes[i], strlen(escapes[i])))
			return true;
	return false;
}

static void look(void *context, const struct shell_command *command, const struct shell_word *word,
		 const struct shell_substitution *substitution)
{
	const struct shell_command *only = shell_list__only_command(substitution->list);
	const struct shell_span name = assigned(command, word, substitution);
	struct line_editor *editor = context;
	const char *behind = substitution->span.at + substitution->span.length;
	const bool goes_on = isalnum((unsigned char)*behind) || *behind == '_' || *behind == '[';
	struct shell_span rest;

	if (substitution->kind != SHELL_COMMAND || !only || only->redirections)
		return;
	if (shell_command__calls(only, "pwd", 0)) {
		shell_edits__add(&editor->edits, substitution->span, text__of("%s", goes_on ? "${PWD}" : "$PWD"), NULL);
		return;
	}
	if (!name.length || !shell_word__is(only->words, "printf") || !only->words->next ||
	    *only->words->next->span.at == '-' || may_print_other(only->span) || editor->subject->is_sh)
		return;
	rest = (struct shell_span){ only->words->next->span.at,
				    (size_t)(only->span.at + only->span.length - only->words->next->span.at) };
	shell_edits__add(&editor->edits, word->span,
			 text__of("printf -v %.*s %.*s", (int)name.length, name.at, (int)rest.length, rest.at), NULL);
}

bool rule__l10_builtin_output(const struct line_subject *subject, struct advice *advice)
{
	return line_editor__run(subject, (struct shell_visitor){ .on_substitution = look },
				"It creates a child only to read what a builtin prints.", advice);
}
