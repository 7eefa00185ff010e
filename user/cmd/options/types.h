/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What options take: how it is read, and what a shell may complete it by.
 */
#ifndef FORKTAX_CMD_OPTIONS_TYPES_H
#define FORKTAX_CMD_OPTIONS_TYPES_H

#include <stdbool.h>
#include <stddef.h>

struct option_row;

struct option_type {
	const char *completes; /* "file", "pid", ...: see below; NULL: takes no argument */
	/*
	 * Stores the value at `field`, where the row has it. Returns 0, or -1 and stores a reason
	 * (to be freed) that follows the option and its argument: "must be ...".
	 */
	int (*take)(const struct option_row *row, void *field, const char *argument, char **reason);
	/* Of those allowed, NULL behind the last; NULL: they stand in row->words, if there are any. */
	const char *(*word)(const struct option_row *row, size_t index);
	bool optional; /* the argument may be left out: NULL then */
};

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
/* "must be A, B or C", as a reason. Returns -1. */
int option_row__wrong_word(const struct option_row *row, char **reason);

#endif
