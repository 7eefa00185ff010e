// SPDX-License-Identifier: GPL-2.0-or-later
/* L8: one awk selects lines, cuts fields and replaces text: a chain of filters is one process for each. */
#include <string.h>

#include "advice/lines/rules_lines.h"
#include "base/autofree.h"

static bool is_option(const struct shell_word *word, const char *letters)
{
	const struct shell_span span = word->span;

	for (size_t i = 1; span.length && *span.at == '-' && i < span.length; i++)
		if (strchr(letters, span.at[i]))
			return true;
	return false;
}

/* awk has no groups to refer to, and reads other escaped characters in another way. */
static bool has_escapes(const struct shell_word *word)
{
	const struct shell_span span = word->span;

	for (size_t i = 0; i + 1 < span.length; i++)
		if (span.at[i] == '\\' && !strchr("./$*[]\"^t", span.at[++i]))
			return true;
	return false;
}

/* Options of these letters do what awk does not, or not so easily. */
static bool is_filter(const struct line_subject *subject, const struct shell_command *command)
{
	static const struct {
		const char *name, *refused;
	} filters[] = { { "grep", "rRfPzABCLlHhZqbmcw" }, { "sed", "izfsu" }, { "cut", "bcz" }, { "awk", "f" } };
	const struct shell_word *word = command->words;

	if (!word || command->assignments || command->subshell || command->is_words ||
	    !line_subject__is_program(subject, shell_command__name(command)))
		return false;
	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		if (!shell_word__is(word, filters[i].name))
			continue;
		for (const struct shell_word *operand = word->next; operand; operand = operand->next)
			if (operand->inside || is_option(operand, filters[i].refused) || has_escapes(operand))
				return false;
		return true;
	}
	return false;
}

/* The chain is counted as its first filter. */
static void look(void *context, const struct shell_pipeline *pipeline)
{
	const struct shell_command *begin = NULL, *end = NULL;
	struct line_editor *editor = context;
	struct shell_span both;

	for (const struct shell_command *one = pipeline->commands; one; one = one->next) {
		const bool joins = is_filter(editor->subject, one) && (!begin || !one->redirections);

		if (joins && !begin)
			begin = one;
		if (joins)
			end = one;
		else if (begin)
			break;
	}
	if (!begin || begin == end)
		return;
	both = (struct shell_span){ begin->span.at, (size_t)(end->span.at + end->span.length - begin->span.at) };
	shell_edits__add(&editor->edits, both, text__of("%s", "awk '...'"), shell_span__copy(begin->span));
}

bool rule__l08_one_awk(const struct line_subject *subject, struct advice *advice)
{
	if (!line_editor__run(subject, (struct shell_visitor){ .on_pipeline = look },
			      "It pipes the output of one filter to the next.", advice))
		return false;
	/* awk is counted as the first filter, but it is another program, and larger than most. */
	if (advice->predicted_faults.known)
		estimate__widen(&advice->predicted_faults, advice->predicted_faults.low / 2,
				advice->predicted_faults.high);
	if (advice->predicted_ns.known)
		estimate__widen(&advice->predicted_ns, 0, advice->predicted_ns.high);
	return true;
}
