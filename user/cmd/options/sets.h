/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sets of options that several commands have, each with the struct that its values go to.
 */
#ifndef FORKTAX_CMD_OPTIONS_SETS_H
#define FORKTAX_CMD_OPTIONS_SETS_H

#include "cmd/options/row.h"
#include "measure/command/command_rounds.h"
#include "report/options.h"
#include "source/trace.h"

/* What to show of a report, and how: struct report_options. */
extern const struct option_row display_rows[];
/* bool[SHOW_COUNT]: the names of sections, separated by commas. */
extern const struct option_type option_show;
void report_options__free(struct report_options *options); /* its contents */

/* How to run commands alternately: struct rounds. */
extern const struct option_row rounds_rows[];
enum { ROUNDS_MAX = 100000 };
/* Is there anything to run? 0, or EXIT_USAGE after a complaint. */
int rounds__check(const struct rounds *rounds);

/* Which running processes to trace, and how to announce that counting has begun. */
struct attach_options {
	int32_t *pids; /* owned */
	size_t pid_count;
	char **cgroups; /* owned; as typed */
	size_t cgroup_count;
	bool whole_machine;
	bool descendants; /* of these processes, those that run already, too */
	uint64_t duration_ns; /* 0: until a signal, or the end of all */
	int ready_fd; /* gets a line "ready" and is closed; 0: none */
	const char *notice; /* name of the command for a line on stderr; NULL: print none */
};

extern const struct option_row attach_rows[];
/* int: a descriptor that is open for writing. */
extern const struct option_type option_descriptor;

/* Is the only operand a process id, and no program? Then EXIT_USAGE after a complaint, else 0. */
int attach_options__refuse_pid(const char *name, char *const *operands);
/* Is there either a command or something to attach to? 0, or EXIT_USAGE after a complaint. */
int attach_options__check(const struct attach_options *options, const char *name, char *const *operands);
/* Copies the options to a request; they must outlive it. */
void attach_options__apply(struct attach_options *options, struct trace_request *request);
void attach_options__free(struct attach_options *options); /* its contents */

#endif
