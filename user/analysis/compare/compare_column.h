/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One column of a comparison: what was measured of one command.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_COMPARE_COLUMN_H
#define FORKTAX_ANALYSIS_COMPARE_COMPARE_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/series.h"
#include "model/run/elf_facts.h"
#include "model/run/run.h"

/* What a command does, as far as others see it: how it ends, and what it writes to stdout and stderr. */
enum outcome_part { OUTCOME_END, OUTCOME_STDOUT, OUTCOME_STDERR, OUTCOME_PARTS };

struct output_sum {
	uint64_t bytes, sum; /* sum: of the bytes (base/checksum.h) */
};

struct command_outcome {
	int status, signal; /* the first run; status: -1 if a signal ended it */
	struct output_sum written[2]; /* to stdout and stderr */
	bool varies[OUTCOME_PARTS]; /* from run to run of this command */
};

/* Does this part of the first runs differ? */
bool command_outcome__part_differs(const struct command_outcome *one, const struct command_outcome *other,
				   enum outcome_part part);
/* Does it, and has not been seen to vary by itself? */
bool command_outcome__part_always_differs(const struct command_outcome *one, const struct command_outcome *other,
					  enum outcome_part part);
/* Is there such a part? */
bool command_outcome__differs(const struct command_outcome *one, const struct command_outcome *other);
/* One more run of the same command: what differs, varies. */
void command_outcome__note_differences(struct command_outcome *first, const struct command_outcome *again);

/* All pointers are owned. */
struct compare_column {
	char *label;		 /* unique in the comparison */
	char **command;		 /* argv, NULL-terminated */
	char **settings;	 /* of the environment that it got besides ours: "NAME=value"; NULL: none */
	char *path;		 /* of the executable file; NULL: not known, as for saved runs */
	struct elf_facts *facts; /* NULL: not known, then ... */
	char *facts_reason;	 /* ... why; NULL if nobody asked */
	struct command_outcome *outcome; /* NULL: not known */
	struct bindnow_files *bound; /* what it loads, as it is on disk; NULL: not a side of bindnow */
	struct run **runs;	 /* traced */
	size_t run_count;
	double *samples_ns; /* wall times of untraced runs, in the order of the rounds */
	double *cpu_ns; /* CPU times of the same runs, awaited children included; NULL: not known */
	double *others; /* the share of the CPUs that others had in each; NULL: not known */
	size_t sample_count; /* of each array */
	double busy; /* the share that others had in all rounds together; NAN: not known */
	/*
	 * In which measurement: sample i, and traced run i, of all columns of one are from its round i. Of
	 * different ones nothing joins the rounds.
	 */
	uint64_t measurement;
	double explained_ns; /* what its counts and bindings can take more or less than the baseline; NAN: not asked */
	uint64_t seed; /* of the order in which its rounds ran the columns; 0: not known */
};

void compare_columns__free(struct compare_column *columns, size_t count);

/* Its untraced runs, by wall clock. */
struct series compare_column__wall(const struct compare_column *column);
/* The same by CPU time. */
struct series compare_column__cpu(const struct compare_column *column);
/* The same by the clock that decides. */
static inline struct series compare_column__time(const struct compare_column *column, bool by_cpu)
{
	return by_cpu ? compare_column__cpu(column) : compare_column__wall(column);
}
/* Of all traced runs; `of` says NAN where a run did not count it. */
struct spread compare_column__spread(const struct compare_column *column, double (*of)(const struct run *run));
/* Were all runs of this column counted exactly? */
bool compare_column__is_exact(const struct compare_column *column);
/* The largest group of children of the first run, which stands for all runs; NULL: no children. */
const struct group *compare_column__group(const struct compare_column *column);

#endif
