/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The values of -p, --duration and --ready-fd, and how it is said that counting has begun.
 */
#ifndef FORKTAX_CMD_ATTACH_OPTIONS_H
#define FORKTAX_CMD_ATTACH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/trace.h"

/* A number of seconds above zero, fractions allowed. */
bool parse_seconds(const char *text, uint64_t *ns);
/* Adds the process ids of a list "1,2,3" to an array that is to be freed. */
bool parse_pids(const char *list, int32_t **pids, size_t *count);

/* Whom to tell that the processes of -p are being counted. */
struct attach_notice {
	const char *name; /* of the command, to say so in a line on stderr; NULL: do not */
	int fd; /* of --ready-fd, to get a line "ready" and be closed; 0: none */
};

/* A descriptor that can be written to, and is not stdin. */
#define READY_FD_PROBLEM "--ready-fd wants the number of a descriptor that is open for writing"
bool parse_ready_fd(const char *text, int *fd);
/* For trace_request.on_ready; `notice` is a struct attach_notice. */
void attach_notice__give(const struct trace_request *request, void *notice);

#endif
