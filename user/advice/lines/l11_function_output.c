// SPDX-License-Identifier: GPL-2.0-or-later
/* L11: a function whose output is read by $( ) costs a child, which executes no program. */
#include "advice/lines/rules_lines.h"

/* What stands for the call when processes are counted: its operands are still expanded. */
static char *without_call(const struct shell_command *call)
{
	char *text = text__of("%s", "$REPLY");

	for (const struct shell_word *word = call->words; word; word = word->next)
		for (const struct shell_substitution *one = word->inside; one; one = one->next)
			text__replace(&text, "%s%.*s", text, (int)one->span.length, one->span.at);
	return text;
}

/* Neither a builtin nor a program that a child executed: a function. */
static void look(void *context, const struct shell_command *command, const struct shell_word *word,
		 const struct shell_substitution *substitution)
{
	const struct shell_command *only = shell_list__only_command(substitution->list);
	struct line_editor *editor = context;
	const struct shell_span name = only ? shell_command__name(only) : (struct shell_span){ 0 };

	if (substitution->kind != SHELL_COMMAND || !name.length || only->redirections ||
	    only->words->span.at != name.at || shell_command__is_builtin(name) ||
	    line_subject__is_program(editor->subject, name))
		return;
	shell_edits__add(&editor->edits, substitution->span,
			 text__of("$REPLY, after %.*s, which sets it", (int)only->span.length, only->span.at),
			 without_call(only));
}

/* Does a command of the line give its output to a pipe, or a subshell? Its processes stay, and $( ) is needed again. */
static bool prints_by_children(const char *line)
{
	struct shell_text *text = line ? shell_text__read(line) : NULL;
	bool found = !text;

	for (const struct shell_pipeline *one = text ? text->list->first : NULL; one; one = one->next)
		found |= one->count > 1 || one->is_background || (one->commands && one->commands->subshell);
	shell_text__free(text);
	return found;
}

struct callees {
	const struct line_subject *subject;
	bool print_by_children; /* at least one of them */
};

static void look_into(void *context, const struct shell_command *command, const struct shell_word *word,
		      const struct shell_substitution *substitution)
{
	const struct shell_command *only = shell_list__only_command(substitution->list);
	struct callees *callees = context;
	const struct script_lines *lines = callees->subject->run->lines;

	for (size_t i = 0; only && i < lines->count; i++) {
		const struct script_line *row = &lines->rows[i];

		if (row->function && shell_span__is(shell_command__name(only), row->function))
			callees->print_by_children |= prints_by_children(row->text);
	}
}

static bool callees_print_by_children(const struct line_subject *subject)
{
	struct callees callees = { .subject = subject };

	shell_text__visit(subject->text, &(struct shell_visitor){ .context = &callees, .on_substitution = look_into });
	return callees.print_by_children;
}

bool rule__l11_function_output(const struct line_subject *subject, struct advice *advice)
{
	if (!line_editor__run(subject, (struct shell_visitor){ .on_substitution = look },
			      "It creates a child that executes no program, to read what a function prints (or a "
			      "command that was not found).",
			      advice))
		return false;
	text__replace(&advice->action,
		      "Let the function set a variable (printf -v, or REPLY=...) and call it without "
		      "$( ); bash 5.3 reads its output without a child by ${ function; }. Now: %s",
		      subject->text->line);
	if (callees_print_by_children(subject)) {
		line_saving__may_be_none(advice);
		text__replace(&advice->evidence,
			      "%s The function pipes, or has lines that are not understood: if it prints what such a "
			      "line prints, it needs $( ) itself, and nothing is saved.",
			      advice->evidence);
	}
	return true;
}
