/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The job of `forktax compare`, and of bindnow, its preset: what has been measured so far.
 */
#ifndef FORKTAX_CMD_COMPARE_COMPARE_JOB_H
#define FORKTAX_CMD_COMPARE_COMPARE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/compare/comparison.h"
#include "measure/command/command_rounds.h"
#include "saved/saved.h"

struct compare_job {
	struct rounds rounds;
	bool shell; /* commands are for sh -c */
	struct compare_column *columns;
	char **words; /* what stands for each column: the word of the command line, or more */
	char ***environments; /* of each column; NULL: ours */
	size_t column_count;
	uint64_t sources; /* of columns that were measured before, apart from each other */
};

/* A word of the command line: the contents of a saved file, or of a directory of such, or a command. */
struct operand {
	bool is_saved; /* else it is a command */
	struct saved saved;
	struct run **runs; /* of a directory */
	size_t run_count;
	char *reason; /* why it could not be read; NULL: it was */
};

/* Each file is read once. */
struct operand *operands__load(char *const *words, size_t count);
void operands__free(struct operand *operands, size_t count);

/* These return 0 or, after a complaint, the exit status. */

/*
 * Adds a column for a word: a command, a saved run, or several runs in a directory; or the columns of a saved
 * comparison. What was saved is taken over.
 */
int compare_job__add(struct compare_job *job, const char *word, struct operand *operand);
/*
 * Runs all commands alternately, first untraced, then traced; saved runs stay as they are. Otherwise as
 * variants__measure().
 */
int compare_job__measure(struct compare_job *job, int *signal);

/* Numbers the measurements that the columns are from, in the order of these. */
void compare_job__number(struct compare_job *job);
/* Gives every column a short, unique label. */
void compare_job__label(struct compare_job *job);

/* Is the column to be run, rather than a saved run? */
static inline bool compare_column__is_live(const struct compare_column *column)
{
	return column->path && !column->run_count && !column->sample_count;
}

#endif
