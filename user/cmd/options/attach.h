/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options of commands that can look at running processes, and how these commands say that
 * counting has begun.
 */
#ifndef FORKTAX_CMD_OPTIONS_ATTACH_H
#define FORKTAX_CMD_OPTIONS_ATTACH_H

#include "cmd/options/row.h"
#include "source/trace.h"

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
