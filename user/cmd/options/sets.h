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

/* What the reader of a report wants to see, and how: a struct report_options. */
extern const struct option_row display_rows[];
void report_options__free(struct report_options *options); /* its contents */

/* How commands are run in turns: a struct rounds. */
extern const struct option_row rounds_rows[];
enum { ROUNDS_MAX = 100000 };
/* Is there anything to be run? 0, or EXIT_USAGE after a complaint. */
int rounds__check(const struct rounds *rounds);

/* Which running processes to look at, and how to say that counting has begun. */
struct attach_options {
	int32_t *pids; /* owned */
	size_t pid_count;
	uint64_t duration_ns; /* 0: until a signal, or until all have ended */
	int ready_fd; /* to get a line "ready" and be closed; 0: none */
	const char *notice; /* name of the command, to say so in a line on stderr; NULL: do not */
};

extern const struct option_row attach_rows[];

/* Is it a command or processes that were given? 0, or EXIT_USAGE after a complaint. */
int attach_options__check(const struct attach_options *options, const char *name,
			  char *const *operands);
/* Hands what they say to a request, which they must outlive. */
void attach_options__apply(struct attach_options *options, struct trace_request *request);
void attach_options__free(struct attach_options *options); /* its contents */

#endif
