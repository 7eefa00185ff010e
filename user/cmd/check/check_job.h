/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The job of `forktax check`, and its steps.
 */
#ifndef FORKTAX_CMD_CHECK_CHECK_JOB_H
#define FORKTAX_CMD_CHECK_CHECK_JOB_H

#include "analysis/check/check_result.h"
#include "analysis/check/measured_context.h"
#include "measure/command/command_rounds.h"
#include "report/options.h"

enum github_when { GITHUB_AUTO, GITHUB_ALWAYS, GITHUB_NEVER };

struct check_job {
	struct rounds rounds;
	bool init, update, ratchet, drop_others;
	bool shell; /* commands of --init are for sh -c */
	bool processes; /* hold those of --init to their processes alone */
	const char *file; /* the baseline */
	const char *environment; /* names of variables that commands of --init get, too: "A,B"; NULL: none */
	const char *name; /* of the command of --init; NULL: as typed */
	const char *junit; /* a file to write; NULL: none */
	enum github_when github;
	/* What is known later. */
	struct baseline *baseline;
	struct check_machine machine;
};

/* These return 0 or, after a complaint, the exit status. */

/*
 * Measures a command of the baseline. Stores what the runs have in common, their exit status, one of the
 * runs (to be freed), and what made them inexact (to be freed; NULL: nothing). *signal: as of
 * variants__measure().
 */
struct check_measured {
	struct baseline_context context;
	int32_t status;
	struct run *run;
	char *inexact;
};
int check_job__measure(const struct check_job *job, const struct baseline_check *check,
		       struct check_measured *measured, int *signal);
void check_measured__release(struct check_measured *measured);

/* Reads job->file into job->baseline. */
int check_job__load(struct check_job *job);
/* Writes it: whole or not at all. */
int check_job__save(const struct check_job *job);
/* May it be written? */
int check_job__may_save(const struct check_job *job);

/* Makes the checks of --init, of commands on the command line, without contexts. */
int check_job__add(struct check_job *job, char *const *words, size_t count);

/* Whether all files that are asked for can be written; and writes them. */
int check_outputs__check(const struct check_job *job);
int check_outputs__write(const struct check_job *job, const struct check_results *results, bool stdout_is_data);

#endif
