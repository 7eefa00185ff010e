/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Programs that a run executed, summed up by their arguments (docs/use/bill.md).
 */
#ifndef FORKTAX_MODEL_TREE_EXECUTIONS_H
#define FORKTAX_MODEL_TREE_EXECUTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_LINE UINT32_MAX

/* Executions of one program with the same arguments, in one directory, by forks of one program at one line. */
struct execution {
	uint32_t exe; /* index into run.exes, or NO_EXE */
	uint32_t parent_exe; /* the same: of the program that has forked */
	uint32_t line; /* index into run.lines.rows, of one that has the same line; NO_LINE: not known */
	char *named; /* "script:4, 9": lines that name the program, where its line is not known; NULL: none is known */
	char **arguments; /* from the name on; those within EXECUTION_TEXT bytes, the last may be cut there */
	size_t argument_count;
	uint64_t bytes; /* of all arguments, each with its NUL */
	uint64_t hash; /* of the first EXECUTION_HASHED of them, and of their number */
	uint64_t count;
	uint64_t fed; /* how many of these, of their threads and copies, have read from standard input */
	uint64_t input_most_bytes; /* that one of them has read there */
	uint64_t captured; /* how many that have ended had a pipe as output that is not the command's own */
	/*
	 * How many have written the same as the first one of them to such a pipe; at most EXECUTION_HASHED bytes are
	 * compared. 0: that one wrote nothing, or it cannot be compared.
	 */
	uint64_t same_output;
	/* These two with the forks that made them, and the copies of them that execute nothing. */
	uint64_t cpu_ns;
	uint64_t wall_ns; /* part of the clock, as in a bill */
};

/* The largest first, by their part of the clock. */
struct executions {
	struct execution *rows;
	size_t count;
	uint64_t left_out; /* executions that found no room, or whose arguments could not be read */
};

/* Are all arguments listed, as they were? */
bool execution__is_whole(const struct execution *execution);
/* Are all bytes of the arguments in the hash? */
bool execution__is_known(const struct execution *execution);
/* "git describe --tags": its arguments as a shell would read them, shortened; to be freed. */
char *execution__words(const struct execution *row);

#endif
