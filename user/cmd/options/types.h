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
	const char *(*word)(size_t index); /* of those allowed, NULL behind the last; or NULL */
	bool optional; /* the argument may be left out: NULL then */
};

/* A bool that becomes true; a field of any size that becomes 0; nothing at all. */
extern const struct option_type option_flag, option_off, option_ignored;
/* const char *: the argument as it is. */
extern const struct option_type option_file, option_directory, option_program, option_user;
/* An unsigned field of any size: a whole number of least..most. */
extern const struct option_type option_count;
/* uint64_t: bytes, with K, M, G or T, at most `most`. */
extern const struct option_type option_size;
/* uint64_t, in nanoseconds: seconds of least..most, fractions allowed; least 0: above zero. */
extern const struct option_type option_seconds;

/* `take` of a type with words: their index, in an unsigned field or enum of any size. */
int option_type__take_word(const struct option_row *row, void *field, const char *argument,
			   char **reason);
/* "must be A, B or C", as a reason. Returns -1. */
int option_type__wrong_word(const struct option_type *type, char **reason);

#endif
