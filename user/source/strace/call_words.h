/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Single arguments of a call as strace prints them: numbers, flags, strings.
 */
#ifndef FORKTAX_SOURCE_STRACE_CALL_WORDS_H
#define FORKTAX_SOURCE_STRACE_CALL_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A string in quotes, without its escapes; `at` is at the opening quote. To be freed; NULL: it is
 * none. `is_cut`: strace left its end out (-s), or the text of the log ends before it.
 */
char *call_words__string(const char *at, const char *end, bool *is_cut);

/*
 * The strings of an array such as argv: a list that ends with NULL, to be freed by text__free_list().
 * A string that was cut ends with "...", and so does a list. NULL: it is none.
 */
char **call_words__strings(const char *at, const char *end, size_t *count);

/*
 * A number, or symbols joined by |: only those that are known here, with their values on this machine.
 * False: it is neither.
 */
bool call_words__number(const char *at, const char *end, uint64_t *number);

#endif
