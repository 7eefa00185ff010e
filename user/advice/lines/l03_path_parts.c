// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * L3: basename and dirname of a variable: an expansion does the same. $0 is often a name without a slash:
 * dirname prints "." for that.
 */
#include <string.h>

#include "advice/lines/rules_lines.h"
#include "base/autofree.h"

/* y=$(basename "$x" .c): two expansions, if nothing else is assigned or executed. */
static void strip_suffix(struct line_editor *editor, const struct shell_command *command, const struct shell_word *word,
			 const struct shell_substitution *substitution, struct shell_span name,
			 const struct shell_word *suffix)
{
	const char *equals = memchr(word->span.at, '=', word->span.length);
	const struct shell_span to = { word->span.at, equals ? (size_t)(equals - word->span.at) : 0 };
	autofree char *text = shell_span__copy(suffix->span);

	if (command->words || command->assignments != word || word->next || !equals || equals[-1] == '+' ||
	    equals + 1 != substitution->span.at || substitution->span.at + substitution->span.length !=
	    word->span.at + word->span.length || suffix->inside || strpbrk(text, "*?[]\\'\"$`~{}"))
		return;
	shell_edits__add(&editor->edits, word->span,
			 text__of("%.*s=${%.*s##*/} %.*s=${%.*s%%%s}", (int)to.length, to.at, (int)name.length, name.at,
				  (int)to.length, to.at, (int)to.length, to.at, text), NULL);
}

static void look(void *context, const struct shell_command *command, const struct shell_word *word,
		 const struct shell_substitution *substitution)
{
	const struct shell_command *only = shell_list__only_command(substitution->list);
	struct line_editor *editor = context;
	struct shell_span name;

	if (substitution->kind != SHELL_COMMAND || !only || !only->words->next)
		return;
	name = shell_word__variable(only->words->next, false);
	if (!name.length)
		return;
	if (line_subject__calls(editor->subject, only, "basename", 1))
		shell_edits__add(&editor->edits, substitution->span, shell_expansion__with(name, "##*/"), NULL);
	else if (line_subject__calls(editor->subject, only, "dirname", 1) && !shell_span__is(name, "0"))
		shell_edits__add(&editor->edits, substitution->span, shell_expansion__with(name, "%/*"), NULL);
	else if (line_subject__calls(editor->subject, only, "basename", 2))
		strip_suffix(editor, command, word, substitution, name, only->words->next->next);
}

bool rule__l03_path_parts(const struct line_subject *subject, struct advice *advice)
{
	return line_editor__run(subject, (struct shell_visitor){ .on_substitution = look },
				"It starts a program to cut a path at its last slash.", advice);
}
