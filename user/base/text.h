/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Text in memory of its own: the caller frees what these return.
 */
#ifndef FORKTAX_BASE_TEXT_H
#define FORKTAX_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* As printf. */
__attribute__((format(printf, 1, 2))) char *text__of(const char *format, ...);
/* As vprintf. */
__attribute__((format(printf, 1, 0))) char *text__of_list(const char *format, va_list arguments);
/* Stores a text, as of printf, as the reason of a failure. Returns -1. */
__attribute__((format(printf, 2, 3))) int error__set(char **reason, const char *format, ...);
/* Frees `*text` and stores a new text; the old one may be among its arguments. */
__attribute__((format(printf, 2, 3))) void text__replace(char **text, const char *format, ...);
/* NULL of NULL. */
char *text__copy(const char *text);
/* Frees a list that ends with NULL, and its texts; NULL is fine. */
void text__free_list(char *const *texts);
size_t text__list_length(char *const *texts); /* of a list that ends with NULL; NULL: 0 */
char **text__copy_list(char *const *texts); /* to be freed by text__free_list() */

/* Bytes up to the end of the text's word number `words`, or of the text; words are separated by blanks. */
size_t text__words_end(const char *text, size_t words);
/* Is it one of these words, which blanks separate? `word` need not end behind `length`. */
bool text__lists(const char *words, const char *word, size_t length);
/* As strcmp(); NULL is the same as NULL, and comes first. */
int text__compare(const char *left, const char *right);
/* Is `text` (NULL: no) one of these? The list ends with NULL. */
bool text__is_any(const char *text, const char *const *list);
/* Is one of these a part of `text` (NULL: no)? */
bool text__holds_any(const char *text, const char *const *list);

/* Does the file's name say that it is a shared library: "libm.so", "libm.so.6"? Not "acme.solver". */
bool text__names_library(const char *path);
/* What follows the last slash of a path; the whole path if nothing does. Points into `path`. */
const char *text__file_name(const char *path);
/*
 * The same, if no other path of the list ends like this one; else the whole path. `path_of` gives
 * the paths of the list, NULL where there is none.
 */
const char *text__short_path(const char *path, const void *list, size_t count,
			     const char *path_of(const void *list, size_t index));

/* Names in a sentence: "a", "a, b", ..., at most so many, then "and 12 more". */
struct name_list {
	size_t most;
	char *text; /* NULL: none yet; owned, until it is finished */
	size_t count;
};

void name_list__add(struct name_list *list, const char *name);
/* The list as text, to be freed; NULL without names. */
char *name_list__finish(struct name_list *list);

#endif
