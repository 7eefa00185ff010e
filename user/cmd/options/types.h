/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What options take, as far as more than one command may need it.
 */
#ifndef FORKTAX_CMD_OPTIONS_TYPES_H
#define FORKTAX_CMD_OPTIONS_TYPES_H

#include "cmd/options/row.h"

/* A bool that becomes true; a field of any size that becomes 0; nothing at all. */
extern const struct option_type option_flag, option_off, option_ignored;
/* An unsigned field or enum of any size: the index in row->words. */
extern const struct option_type option_word;
/* const char *: the argument as it is. */
extern const struct option_type option_file, option_directory, option_program, option_user;
/* An unsigned field of any size: a whole number of least..most. */
extern const struct option_type option_count;
/* uint64_t: bytes, with K, M, G or T, at most `most`. */
extern const struct option_type option_size;
/* uint64_t, in nanoseconds: seconds of least..most, fractions allowed; least 0: above zero. */
extern const struct option_type option_seconds;

/* One of the words that a row allows; NULL behind the last. */
const char *option_row__word(const struct option_row *row, size_t index);
/*
 * For types of lists, "A,B,...": bool[], one for each word, of which those listed become true and the
 * others false. The word "all" stands for all of them.
 */
int option_list__take(const struct option_row *row, void *field, const char *argument,
		      char **reason);
/* "must be A, B or C", as a reason. Returns -1. */
int option_row__wrong_word(const struct option_row *row, char **reason);

#endif
