// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/lines/shell_edit.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static bool overlaps(struct shell_span a, struct shell_span b)
{
	return a.at < b.at + b.length && b.at < a.at + a.length;
}

void shell_edits__add(struct shell_edits *edits, struct shell_span old, char *now, char *counted)
{
	size_t place = edits->count;
	bool fits = edits->count < EDITS_MOST;

	for (size_t i = 0; i < edits->count; i++)
		fits &= !overlaps(edits->list[i].old, old);
	if (!fits) {
		free(now);
		free(counted);
		return;
	}
	for (; place && edits->list[place - 1].old.at > old.at; place--)
		edits->list[place] = edits->list[place - 1];
	edits->list[place] = (struct shell_edit){ old, now, counted };
	edits->count++;
}

char *shell_edits__line(const struct shell_edits *edits, const struct shell_text *text, bool counted)
{
	const char *at = text->line;
	char *line = text__of("%s", "");

	for (size_t i = 0; i < edits->count; i++) {
		const struct shell_edit *edit = &edits->list[i];

		text__replace(&line, "%s%.*s%s", line, (int)(edit->old.at - at), at,
			      counted && edit->counted ? edit->counted : edit->now);
		at = edit->old.at + edit->old.length;
	}
	text__replace(&line, "%s%s", line, at);
	return line;
}

void shell_edits__release(struct shell_edits *edits)
{
	for (size_t i = 0; i < edits->count; i++) {
		free(edits->list[i].now);
		free(edits->list[i].counted);
	}
	edits->count = 0;
}

static void visit_list(const struct shell_list *list, const struct shell_visitor *visitor);

static void visit_word(const struct shell_command *command, const struct shell_word *word,
		       const struct shell_visitor *visitor)
{
	for (const struct shell_substitution *one = word->inside; one; one = one->next) {
		if (visitor->on_substitution)
			visitor->on_substitution(visitor->context, command, word, one);
		visit_list(one->list, visitor);
	}
}

static void visit_command(const struct shell_command *command, const struct shell_visitor *visitor)
{
	if (visitor->on_command)
		visitor->on_command(visitor->context, command);
	for (const struct shell_word *word = command->assignments; word; word = word->next)
		visit_word(command, word, visitor);
	for (const struct shell_word *word = command->words; word; word = word->next)
		visit_word(command, word, visitor);
	for (const struct shell_redirection *one = command->redirections; one; one = one->next)
		visit_word(command, one->target, visitor);
	if (command->subshell)
		visit_list(command->subshell, visitor);
}

static void visit_list(const struct shell_list *list, const struct shell_visitor *visitor)
{
	for (const struct shell_pipeline *pipeline = list->first; pipeline; pipeline = pipeline->next) {
		if (visitor->on_pipeline)
			visitor->on_pipeline(visitor->context, pipeline);
		for (const struct shell_command *one = pipeline->commands; one; one = one->next)
			visit_command(one, visitor);
	}
}

void shell_text__visit(const struct shell_text *text, const struct shell_visitor *visitor)
{
	visit_list(text->list, visitor);
}
