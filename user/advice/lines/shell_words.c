// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/lines/shell_words.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

static const struct shell_span none;

static struct shell_span without(struct shell_span span, size_t left, size_t right)
{
	return (struct shell_span){ span.at + left, span.length - left - right };
}

static bool is_in(struct shell_span span, char open, char close)
{
	return span.length >= 2 && span.at[0] == open && span.at[span.length - 1] == close;
}

/* A name, or one digit. */
static bool is_parameter(struct shell_span span)
{
	if (span.length == 1 && isdigit((unsigned char)*span.at))
		return true;
	if (!span.length || isdigit((unsigned char)*span.at))
		return false;
	for (size_t i = 0; i < span.length; i++)
		if (!isalnum((unsigned char)span.at[i]) && span.at[i] != '_')
			return false;
	return true;
}

struct shell_span shell_word__variable(const struct shell_word *word, bool with_quotes)
{
	struct shell_span span = word->span;

	if (is_in(span, '"', '"'))
		span = without(span, 1, 1);
	else if (with_quotes)
		return none;
	if (!span.length || *span.at != '$')
		return none;
	span = without(span, 1, 0);
	if (is_in(span, '{', '}'))
		span = without(span, 1, 1);
	return is_parameter(span) ? span : none;
}

static bool has_only(struct shell_span span, const char *others)
{
	for (size_t i = 0; i < span.length; i++)
		if (!isalnum((unsigned char)span.at[i]) && !strchr(others, span.at[i]))
			return false;
	return true;
}

bool shell_word__is_file(const struct shell_word *word)
{
	struct shell_span span = word->span;

	if (word->inside || !span.length || *span.at == '-')
		return false;
	if (shell_word__variable(word, false).length)
		return true;
	if (is_in(span, '"', '"'))
		return span.length > 2 && has_only(without(span, 1, 1), "_,:=%/+-. ${}") && span.at[1] != '-';
	return has_only(span, "_,:=@%/+-.");
}

char *shell_word__quoted(const struct shell_word *word)
{
	const struct shell_span name = shell_word__variable(word, false);

	if (name.length && *word->span.at != '"')
		return text__of("\"%.*s\"", (int)word->span.length, word->span.at);
	return shell_span__copy(word->span);
}

struct shell_span shell_word__literal(const struct shell_word *word)
{
	struct shell_span span = word->span;
	const bool is_quoted = is_in(span, '\'', '\'') || is_in(span, '"', '"');

	if (is_quoted)
		span = without(span, 1, 1);
	return has_only(span, is_quoted ? "_,:=@%/+- " : "_,:=@%/+-") ? span : none;
}

bool shell_word__is(const struct shell_word *word, const char *text)
{
	return word && shell_span__is(word->span, text);
}

const struct shell_pipeline *shell_list__only_pipeline(const struct shell_list *list)
{
	const struct shell_pipeline *first = list->first;

	return first && !first->next && !first->is_background ? first : NULL;
}

const struct shell_command *shell_list__only_command(const struct shell_list *list)
{
	const struct shell_pipeline *only = shell_list__only_pipeline(list);
	const struct shell_command *command = only && only->count == 1 ? only->commands : NULL;

	return command && command->words && !command->assignments && !command->is_words && !command->subshell ? command
														: NULL;
}

bool shell_command__calls(const struct shell_command *command, const char *name, size_t words)
{
	return command && !command->is_words && !command->subshell && !command->assignments && !command->redirections &&
	       shell_word__is(command->words, name) && shell_word__count(command->words) == words + 1;
}

bool shell_word__is_only(const struct shell_word *word, const struct shell_substitution *substitution)
{
	return word->span.at == substitution->span.at && word->span.length == substitution->span.length;
}

bool shell_words__have(const struct shell_word *list, const struct shell_word *word)
{
	for (; list; list = list->next)
		if (list == word)
			return true;
	return false;
}

char *shell_expansion__with(struct shell_span name, const char *operation)
{
	return text__of("${%.*s%s}", (int)name.length, name.at, operation);
}
