/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One line of a bash script, as far as its processes depend on it. The reader gives up on anything that it does not
 * understand: case, [[ ]], arrays, definitions of functions, what goes on in the next line, pipes
 * to or from loops. So what it returns is the line as bash reads it.
 */
#ifndef FORKTAX_ADVICE_LINES_SHELL_TEXT_H
#define FORKTAX_ADVICE_LINES_SHELL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A part of the line, as written. */
struct shell_span {
	const char *at;
	size_t length;
};

enum shell_substitution_kind { SHELL_COMMAND, SHELL_PROCESS };

struct shell_substitution {
	struct shell_span span; /* with its delimiters: "$(...)", "`...`", "<(...)" */
	enum shell_substitution_kind kind;
	struct shell_list *list;
	struct shell_substitution *next; /* of the same word */
};

struct shell_word {
	struct shell_span span;
	struct shell_substitution *inside; /* NULL: none */
	struct shell_word *next;
};

struct shell_redirection {
	struct shell_span span;
	bool is_input; /* of a file, by "<" alone */
	bool is_here; /* a here-document, which follows the line: the target is its delimiter */
	struct shell_word *target;
	struct shell_redirection *next;
};

struct shell_command {
	struct shell_span span;
	struct shell_word *assignments, *words; /* NULL: none */
	struct shell_redirection *redirections;
	struct shell_list *subshell; /* NULL: a simple command */
	size_t subshell_length; /* from the start of the command to the end of "( )" */
	bool is_tested; /* its exit status is: behind if, while, until and "!", before && and || */
	bool is_words; /* of "for name in": they are expanded, nothing is executed */
	struct shell_word *name; /* of "for name"; NULL: it is none */
	struct shell_command *next; /* it is piped to */
};

struct shell_pipeline {
	struct shell_command *commands;
	size_t count;
	bool is_background;
	struct shell_pipeline *next;
};

struct shell_list {
	struct shell_pipeline *first; /* NULL: it is empty */
};

struct shell_text {
	char *line; /* a copy: what spans point into */
	struct shell_list *list;
	struct shell_memory *memory; /* of all parts */
};

/* NULL: the line is not understood. */
struct shell_text *shell_text__read(const char *line);
void shell_text__free(struct shell_text *text); /* NULL is fine */

bool shell_span__is(struct shell_span span, const char *text);
/* Is it a text, to be freed. */
char *shell_span__copy(struct shell_span span);
size_t shell_word__count(const struct shell_word *words);

#endif
