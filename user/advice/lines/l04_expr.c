// SPDX-License-Identifier: GPL-2.0-or-later
/* L4: the shell can count itself. */
#include <ctype.h>

#include "advice/lines/rules_lines.h"

/* A number without a leading zero, which would be octal, or $name. */
static struct shell_span operand_of(const struct shell_word *word)
{
	const struct shell_span span = word->span;

	if (shell_word__variable(word, false).length)
		return *span.at == '"' ? (struct shell_span){ span.at + 1, span.length - 2 } : span;
	for (size_t i = 0; i < span.length; i++)
		if (!isdigit((unsigned char)span.at[i]))
			return (struct shell_span){ 0 };
	return span.length > 1 && *span.at == '0' ? (struct shell_span){ 0 } : span;
}

static const char *operator_of(const struct shell_word *word)
{
	static const struct {
		const char *written, *means;
	} operators[] = {
		{ "+", "+" }, { "-", "-" }, { "/", "/" }, { "%", "%" }, { "\\*", "*" }, { "'*'", "*" },
		{ "\"*\"", "*" },
	};

	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (shell_word__is(word, operators[i].written))
			return operators[i].means;
	return NULL;
}

static void look(void *context, const struct shell_command *command, const struct shell_word *word,
		 const struct shell_substitution *substitution)
{
	const struct shell_command *only = shell_list__only_command(substitution->list);
	struct line_editor *editor = context;
	struct shell_span left, right;
	const char *operator;

	if (substitution->kind != SHELL_COMMAND || !line_subject__calls(editor->subject, only, "expr", 3))
		return;
	if (command->is_tested && !command->words)
		return; /* expr fails if it prints 0, or if an operand is no number */
	left = operand_of(only->words->next);
	operator = operator_of(only->words->next->next);
	right = operand_of(only->words->next->next->next);
	if (left.length && operator && right.length)
		shell_edits__add(&editor->edits, substitution->span,
				 text__of("$((%.*s %s %.*s))", (int)left.length, left.at, operator, (int)right.length,
					  right.at), NULL);
}

bool rule__l04_expr(const struct line_subject *subject, struct advice *advice)
{
	return line_editor__run(subject, (struct shell_visitor){ .on_substitution = look },
				"It starts expr to compute what the shell can compute itself.", advice);
}
