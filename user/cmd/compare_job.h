/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `forktax compare` is to do, and what it has measured so far.
 */
#ifndef FORKTAX_CMD_COMPARE_JOB_H
#define FORKTAX_CMD_COMPARE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/compare/comparison.h"
#include "cmd/rounds.h"

struct compare_job {
	struct rounds rounds; /* variants are made of columns when they are measured */
	bool shell; /* commands are for sh -c */
	struct compare_column *columns;
	size_t column_count;
};

/* These return 0 or, after a complaint, the exit status. */

/* Fills the column of one word: a command, or the path of a saved run. */
int compare_job__add(struct compare_job *job, const char *word);
/* Runs every command that is no saved run: in turns, first untraced, then traced. */
int compare_job__measure(struct compare_job *job);

/* Gives every column a short label that no other has. `words` are the operands. */
void compare_job__label(struct compare_job *job, char *const *words);

struct report_options;

/* A regular file that nobody could run and that begins like JSON. NULL: it is none. */
FILE *open_saved(const char *word);

/* Is one of the words a file that forktax bench has saved? Then compare_benches() it is. */
bool compare_benches__any(char *const *words, size_t count);
int compare_benches(char *const *words, size_t count, const struct report_options *options);

/* A column that is to be run, and not a saved run. */
static inline bool compare_column__is_live(const struct compare_column *column)
{
	return column->path;
}

#endif
