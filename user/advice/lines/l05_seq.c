// SPDX-License-Identifier: GPL-2.0-or-later
/* L5: loops over numbers need no program: {1..9} is the same list, and (( )) counts to a bound that is a variable. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "advice/lines/rules_lines.h"

/* No number of "seq" is longer. */
enum { DIGITS_MOST = 9 };

static bool is_number(struct shell_span span)
{
	for (size_t i = 0; i < span.length; i++)
		if (!isdigit((unsigned char)span.at[i]))
			return false;
	return span.length > 0 && span.length <= DIGITS_MOST && (*span.at != '0' || span.length == 1);
}

static bool is_bound(const struct shell_word *word)
{
	return is_number(word->span) || shell_word__variable(word, false).length;
}

/* As it is written in (( )): without its quotes. */
static struct shell_span bound_of(const struct shell_word *word)
{
	const struct shell_span span = word->span;

	return *span.at == '"' ? (struct shell_span){ span.at + 1, span.length - 2 } : span;
}

/* for i in $(seq a b) */
static void look(void *context, const struct shell_command *command)
{
	static const struct shell_span one = { "1", 1 };
	struct line_editor *editor = context;
	const struct shell_word *word = command->is_words ? command->words : NULL, *last;
	const struct shell_command *only;
	struct shell_span from = one, to, whole;

	if (!word || word->next || !word->inside || !shell_word__is_only(word, word->inside) || !command->name)
		return;
	only = shell_list__only_command(word->inside->list);
	if (!line_subject__calls(editor->subject, only, "seq", 1) &&
	    !line_subject__calls(editor->subject, only, "seq", 2))
		return;
	last = only->words->next;
	if (last->next) {
		if (!is_bound(last))
			return;
		from = bound_of(last);
		last = last->next;
	}
	if (!is_bound(last))
		return;
	to = bound_of(last);
	if (is_number(from) && is_number(to)) {
		if (atol(from.at) <= atol(to.at) && !editor->subject->is_sh)
			shell_edits__add(&editor->edits, word->span,
					 text__of("{%.*s..%.*s}", (int)from.length, from.at, (int)to.length, to.at),
					 NULL);
		return;
	}
	whole = (struct shell_span){ command->name->span.at,
				     (size_t)(word->span.at + word->span.length - command->name->span.at) };
	if (!editor->subject->is_sh)
		shell_edits__add(&editor->edits, whole,
				 text__of("((%1$.*2$s = %3$.*4$s; %1$.*2$s <= %5$.*6$s; %1$.*2$s++))",
					  command->name->span.at, (int)command->name->span.length, from.at,
					  (int)from.length, to.at, (int)to.length),
				 text__of("%s", "name in words"));
}

bool rule__l05_seq(const struct line_subject *subject, struct advice *advice)
{
	return line_editor__run(subject, (struct shell_visitor){ .on_command = look },
				"It starts seq to count.", advice);
}
