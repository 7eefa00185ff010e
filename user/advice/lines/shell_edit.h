/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The same line with some parts written in another way.
 */
#ifndef FORKTAX_ADVICE_LINES_SHELL_EDIT_H
#define FORKTAX_ADVICE_LINES_SHELL_EDIT_H

#include "advice/lines/shell_text.h"

enum { EDITS_MOST = 16 };

struct shell_edit {
	struct shell_span old;
	char *now; /* owned */
	char *counted; /* owned: what is counted instead, where the reader does not understand `now`; NULL: `now` */
};

struct shell_edits {
	struct shell_edit list[EDITS_MOST];
	size_t count;
};

/*
 * Takes over both texts. A part that overlaps another one that is edited stays as it is, as does one
 * beyond the most.
 */
void shell_edits__add(struct shell_edits *edits, struct shell_span old, char *now, char *counted);
/* The whole line with them, to be freed. */
char *shell_edits__line(const struct shell_edits *edits, const struct shell_text *text, bool counted);
void shell_edits__release(struct shell_edits *edits);

/* Calls one of these for each part of the line; NULL: of no interest. */
struct shell_visitor {
	void *context;
	void (*on_pipeline)(void *context, const struct shell_pipeline *pipeline);
	void (*on_command)(void *context, const struct shell_command *command);
	/* In a word of the command, or of its redirections. `words` is the list that the word is in. */
	void (*on_substitution)(void *context, const struct shell_command *command, const struct shell_word *word,
				const struct shell_substitution *substitution);
};
void shell_text__visit(const struct shell_text *text, const struct shell_visitor *visitor);

#endif
