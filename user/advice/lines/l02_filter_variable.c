// SPDX-License-Identifier: GPL-2.0-or-later
/* L2: sed, tr, cut or awk of a variable's value: an expansion does the same. */
#include <stdlib.h>
#include <string.h>

#include "advice/lines/rules_lines.h"

/* What a filter does, as the operation of an expansion: "//a/b"; to be freed. NULL: something else. */
typedef char *filter_fn(const struct shell_word *operands, size_t count);

static struct shell_span span_of(const char *at, const char *end)
{
	return (struct shell_span){ at, (size_t)(end - at) };
}

/* Of a pattern that stands for itself, with escaped dots; a slash is escaped for an expansion. NULL: another one. */
static char *pattern_of(struct shell_span span, bool is_replacement)
{
	char *text = text__of("%s", "");

	for (size_t i = 0; i < span.length; i++) {
		const char c = span.at[i];

		if (c == '\\' && i + 1 < span.length && span.at[i + 1] == '.' && !is_replacement)
			text__replace(&text, "%s%c", text, span.at[++i]);
		else if (strchr("_,:=@%+- ", c) || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
			 (c == '.' && is_replacement))
			text__replace(&text, "%s%c", text, c);
		else if (c == '/')
			text__replace(&text, "%s%s", text, is_replacement ? "/" : "\\/");
		else {
			free(text);
			return NULL;
		}
	}
	return text;
}

/* A pattern that begins with # or % would be an anchor: none of these is taken as plain. */
static char *operation_of(struct shell_span pattern, struct shell_span replacement, bool all)
{
	const bool at_begin = pattern.length && *pattern.at == '^';
	const bool at_end = pattern.length && pattern.at[pattern.length - 1] == '$';
	char *from, *to, *text = NULL;

	pattern.at += at_begin;
	pattern.length -= (size_t)at_begin + at_end;
	from = pattern_of(pattern, false);
	to = pattern_of(replacement, true);
	if (from && to && *from && *from != '%' && !(at_begin && at_end))
		text = text__of("/%s%s/%s", at_begin ? "#" : at_end ? "%" : all ? "/" : "", from, to);
	free(from);
	free(to);
	return text;
}

/* s/pattern/replacement/[g] */
static char *by_sed(const struct shell_word *operands, size_t count)
{
	struct shell_span span = operands->span;
	const char *at, *middle, *last, *end;

	if (count != 1)
		return NULL;
	if (span.length >= 2 && (*span.at == '\'' || *span.at == '"') && span.at[span.length - 1] == *span.at)
		span = (struct shell_span){ span.at + 1, span.length - 2 };
	else if (memchr(span.at, '\\', span.length))
		return NULL;
	end = span.at + span.length;
	if (span.length < 4 || *span.at != 's' || !strchr("/,|:#@", span.at[1]))
		return NULL;
	at = span.at + 2;
	middle = memchr(at, span.at[1], (size_t)(end - at));
	last = middle ? memchr(middle + 1, span.at[1], (size_t)(end - middle - 1)) : NULL;
	if (!last || !(last + 1 == end || (last + 2 == end && last[1] == 'g')))
		return NULL;
	return operation_of(span_of(at, middle), span_of(middle + 1, last), last + 1 < end);
}

static bool is_one_character(const struct shell_word *word)
{
	return shell_word__literal(word).length == 1;
}

/* tr a b, tr -d a */
static char *by_tr(const struct shell_word *operands, size_t count)
{
	struct shell_span from, to = { 0 };

	if (count != 2 || !is_one_character(operands->next))
		return NULL;
	if (shell_word__is(operands, "-d")) {
		from = shell_word__literal(operands->next);
	} else {
		if (!is_one_character(operands))
			return NULL;
		from = shell_word__literal(operands);
		to = shell_word__literal(operands->next);
	}
	return *from.at == '-' || *from.at == '\\' ? NULL : operation_of(from, to, true);
}

/* cut -dC -f1 */
static char *by_cut(const struct shell_word *operands, size_t count)
{
	const struct shell_span first = operands->span;
	struct shell_span delimiter = { first.at + 2, first.length - 2 };

	if (count == 3 && shell_word__is(operands, "-d")) {
		delimiter = operands->next->span;
		operands = operands->next;
	} else if (count != 2 || first.length < 3 || memcmp(first.at, "-d", 2)) {
		return NULL;
	}
	if (delimiter.length == 3 && (*delimiter.at == '\'' || *delimiter.at == '"'))
		delimiter = (struct shell_span){ delimiter.at + 1, 1 };
	if (delimiter.length != 1 || !strchr(":.,/=_@+-", *delimiter.at) || !shell_word__is(operands->next, "-f1"))
		return NULL;
	return text__of("%%%%%c*", *delimiter.at);
}

/* awk -FC '{print $1}' */
static char *by_awk(const struct shell_word *operands, size_t count)
{
	struct shell_span option = operands->span;

	if (count != 2 || !shell_word__is(operands->next, "'{print $1}'"))
		return NULL;
	if (option.length != 3 || memcmp(option.at, "-F", 2) || !strchr(":.,/=_@-", option.at[2]))
		return NULL;
	return text__of("%%%%%c*", option.at[2]);
}

static filter_fn *filter_of(const struct line_subject *subject, const struct shell_command *command)
{
	static const struct {
		const char *name;
		filter_fn *filter;
	} filters[] = { { "sed", by_sed }, { "tr", by_tr }, { "cut", by_cut }, { "awk", by_awk } };

	if (command->assignments || !line_subject__is_program(subject, shell_command__name(command)))
		return NULL;
	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
		if (shell_word__is(command->words, filters[i].name) && command->words->next)
			return filters[i].filter;
	return NULL;
}

/* The variable whose value is piped, by echo "$x" or printf '%s\n' "$x". */
static struct shell_span value_of(const struct shell_command *command)
{
	const struct shell_word *format = command->words ? command->words->next : NULL;

	if (shell_command__calls(command, "echo", 1))
		return shell_word__variable(format, true);
	if (shell_command__calls(command, "printf", 2) &&
	    (shell_word__is(format, "'%s\\n'") || shell_word__is(format, "'%s'") || shell_word__is(format, "\"%s\"")))
		return shell_word__variable(format->next, true);
	return (struct shell_span){ 0 };
}

/* echo "$x" | filter, or filter <<<"$x". */
static struct shell_span input_of(const struct shell_pipeline *pipeline, const struct shell_command **filter)
{
	const struct shell_command *first = pipeline->commands;
	const struct shell_redirection *input = first->redirections;

	*filter = first->next;
	if (pipeline->count == 2 && !first->next->redirections)
		return value_of(first);
	*filter = first;
	if (pipeline->count == 1 && input && !input->next && input->span.length > 3 &&
	    !memcmp(input->span.at, "<<<", 3))
		return shell_word__variable(input->target, true);
	return (struct shell_span){ 0 };
}

static void look(void *context, const struct shell_command *command, const struct shell_word *word,
		 const struct shell_substitution *substitution)
{
	const struct shell_pipeline *only = shell_list__only_pipeline(substitution->list);
	struct line_editor *editor = context;
	const struct shell_command *last;
	struct shell_span name;
	filter_fn *filter;
	char *operation;

	if (substitution->kind != SHELL_COMMAND || !only)
		return;
	name = input_of(only, &last);
	filter = name.length ? filter_of(editor->subject, last) : NULL;
	operation = filter ? filter(last->words->next, shell_word__count(last->words) - 1) : NULL;
	/* Every shell removes a suffix, only some replace text. */
	if (operation && !(*operation == '/' && editor->subject->is_sh))
		shell_edits__add(&editor->edits, substitution->span, shell_expansion__with(name, operation), NULL);
	free(operation);
}

bool rule__l02_filter_variable(const struct line_subject *subject, struct advice *advice)
{
	return line_editor__run(subject, (struct shell_visitor){ .on_substitution = look },
				"It pipes a variable to a program that an expansion replaces.", advice);
}
