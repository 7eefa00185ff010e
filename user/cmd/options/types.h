/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Types of options that more than one command may need.
 */
#ifndef FORKTAX_CMD_OPTIONS_TYPES_H
#define FORKTAX_CMD_OPTIONS_TYPES_H

#include "cmd/options/row.h"

/* Sets a bool to true; sets a field of any size to 0; does nothing. */
extern const struct option_type option_flag, option_off, option_ignored;
/* An unsigned field or enum of any size: the index of the word. */
extern const struct option_type option_word;
/* const char *: the argument as it is. */
extern const struct option_type option_text, option_file, option_user;
/* An unsigned field of any size: a whole number from least to most. */
extern const struct option_type option_count;
/* uint64_t: bytes, with K, M, G or T, at most `most`. */
extern const struct option_type option_size;
/* uint64_t, nanoseconds: a time (quantity__read_time()) from least (0: above zero) to most seconds. */
extern const struct option_type option_time;

/* An allowed word of the row; NULL after the last. */
const char *option_row__word(const struct option_row *row, size_t index);
/*
 * For lists, "A,B,...": the field is a bool for each word; the listed ones become true, the others
 * false. "all" stands for all words.
 */
int option_list__take(const struct option_row *row, void *field, const char *argument, char **reason);
/* "must be A, B or C; did you mean B?", as a reason of what was typed. Returns -1. */
int option_row__wrong_word(const struct option_row *row, const char *typed, char **reason);

#endif
