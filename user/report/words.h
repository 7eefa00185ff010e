/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How reports word what the model holds. All results are to be freed.
 */
#ifndef FORKTAX_REPORT_WORDS_H
#define FORKTAX_REPORT_WORDS_H

#include "analysis/stats.h"
#include "model/run.h"
#include "model/stacks.h"

/* One unit for all times of a row: in different units they cannot be compared at a glance. */
struct time_unit {
	double ns;
	const char *name;
};

/* For times up to `longest` ns. */
struct time_unit time_unit__for(double longest);
/* Decimals of a value that is shown in its unit. */
int time_unit__decimals(double value);

/*
 * How the numbers of a row are written: whole ones without decimals, others with so many; times in
 * their unit, with three digits or more.
 */
struct number_form {
	struct time_unit unit; /* name NULL: no times */
	int decimals;
};
char *words__number(double value, const struct number_form *form);
/* "57 (55..60)"; without the bounds if they would look alike, or are NAN. */
char *words__range(double value, double low, double high, const struct number_form *form);
/* The same of a median with its extremes; "-" if it is not known. */
char *words__spread(const struct spread *spread, const struct number_form *form);
/* "12.3 ms" */
char *words__duration(uint64_t ns);
/* "exit 0", "SIGKILL" or "running" */
char *words__exit(int32_t status, int32_t signal, bool finished);
/*
 * An executable by the name it was executed by, and in parentheses its file if that has another
 * name: "sh (dash)". Only the last part of the path if that is unambiguous. `full`: the path as
 * executed, nothing else.
 */
char *words__exe(const struct run *run, uint32_t exe, bool full);
/* What a process ran, image after image: "sh -> make". */
char *words__images(const struct run *run, const struct process *process, bool full);
/* "17", or "17 (15..30)" where the children differ; "-" without any. */
char *words__distribution(const struct distribution *values, uint64_t children);
/* The command as typed, each argument quoted where a shell would need it. */
char *words__command(char *const *command); /* ends with NULL */

/* What stands below the outermost frame of a call stack that is known; NULL: nothing, as it is the last. */
const char *words__stack_end(enum stack_stop stop);

#endif
