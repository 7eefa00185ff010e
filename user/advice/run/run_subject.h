/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What rules about a whole run look at: its bill, as it would be without tracing (model/tree/bill.h).
 */
#ifndef FORKTAX_ADVICE_RUN_RUN_SUBJECT_H
#define FORKTAX_ADVICE_RUN_RUN_SUBJECT_H

#include "model/run/run.h"

struct run_subject {
	const struct run *run; /* it has a bill, and a critical path if `path` is not NULL */
	const struct critical_path *path; /* NULL: not known */
	const struct run *of_files; /* another run of the command, with files; NULL: there is none */
	struct bill_scale scale;
	double wall_ns; /* of the run: all rows of the bill together */
	char *const *environment; /* of the command; ends with NULL; NULL: not known */
	uint64_t open_files_most; /* RLIMIT_NOFILE of the command; ABSENT: not known, or no limit */
};

/* What this row has of the run's wall time. */
double run_subject__wall(const struct run_subject *subject, const struct bill_row *row);
/* What a time of the traced run has of it: calls that take little have hardly more than their tracing. */
double run_subject__untraced(const struct run_subject *subject, double traced_ns);
/* The run's wall time without what all wait for a CPU or a wake-up in: others on the machine make that longer. */
double run_subject__busy(const struct run_subject *subject);
/* The row of that kind (no call) of a program, or of copies of it; NULL: there is none. */
const struct bill_row *run_subject__row(const struct run_subject *subject, enum bill_kind kind, uint32_t exe,
					bool executed);
/* What a stretch of the critical path has of the run's wall time. */
double run_subject__path(const struct run_subject *subject, double ns);
/* "1.02 s of the 1.31 s": a part of the run and the run; to be freed. */
char *run_subject__share(const struct run_subject *subject, double ns);
/* The program's name without directories; "a program" if it is not known. Borrowed. */
const char *run_subject__name(const struct run_subject *subject, uint32_t exe);
/* Is it the name of a shell, without directories? */
bool run_subject__names_shell(const char *name);
/* Is that path this directory, or below it? Slashes at the end of the directory's name do not count. */
bool run_subject__is_below(const char *path, const char *directory);
/* Is it an argument of the command, or below one: is it what the command works on? */
bool run_subject__is_argument(const struct run_subject *subject, const char *path);
/* Is the name of this "NAME=VALUE" an identifier, which means nothing else to a shell? */
bool run_subject__has_plain_name(const char *entry);
/* The value of a variable of the command's environment; NULL: it is not set, or not known. Borrowed. */
const char *run_subject__variable(const struct run_subject *subject, const char *name);

#endif
