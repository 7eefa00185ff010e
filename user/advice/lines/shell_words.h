/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What words of a script say, for the rules: each answers no if it is not sure.
 */
#ifndef FORKTAX_ADVICE_LINES_SHELL_WORDS_H
#define FORKTAX_ADVICE_LINES_SHELL_WORDS_H

#include "advice/lines/shell_text.h"

/* The name in "$name", "${name}", $name or ${name}, also of a positional parameter; empty: it is another word. */
struct shell_span shell_word__variable(const struct shell_word *word, bool with_quotes);
/* Does the word stand for exactly one file name: without blanks to split at, patterns, or an option? */
bool shell_word__is_file(const struct shell_word *word);
/* The same word in such quotes that it stays one word, to be freed. */
char *shell_word__quoted(const struct shell_word *word);
/* A word of only letters, digits and "_,:=@%/+-", and blanks if it is quoted; without its quotes. Empty: others. */
struct shell_span shell_word__literal(const struct shell_word *word);
bool shell_word__is(const struct shell_word *word, const char *text); /* NULL: no */

/* The only command of a list, simple, without assignments and not in the background; NULL: it is more than that. */
const struct shell_command *shell_list__only_command(const struct shell_list *list);
/* The only pipeline of a list; NULL: it is more than that. */
const struct shell_pipeline *shell_list__only_pipeline(const struct shell_list *list);
/* Is it NAME with so many words behind it, and neither assignments nor redirections? */
bool shell_command__calls(const struct shell_command *command, const char *name, size_t words);
/* Is the substitution the whole word? */
bool shell_word__is_only(const struct shell_word *word, const struct shell_substitution *substitution);
/* Is it in the list of words? */
bool shell_words__have(const struct shell_word *list, const struct shell_word *word);

/* An expansion of that name: ${name and the operation}. To be freed. */
char *shell_expansion__with(struct shell_span name, const char *operation);

#endif
