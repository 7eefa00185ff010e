/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What several runs of one command have in common, as `forktax check` keeps it.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_MEASURED_CONTEXT_H
#define FORKTAX_ANALYSIS_CHECK_MEASURED_CONTEXT_H

#include "model/baseline/baseline.h"
#include "model/run/run.h"

/* What a run does not tell of where it ran. */
struct check_machine {
	char *here; /* the directory that commands run in, without links */
	char *libc, *huge_pages; /* as in struct baseline_context */
	char **settings; /* entries of the environment that ld.so and malloc heed; NULL-terminated */
};

/*
 * The ranges of all metrics over the runs (at least one), whose names must be resolved; places and files that
 * were alike in all of them.
 */
struct baseline_context measured_context__of(struct run *const *runs, size_t count,
					     const struct check_machine *machine);

/* Leaves only what counts processes: by program, by line of a script, by kind. */
void measured_context__keep_processes(struct baseline_context *context);

#endif
