/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Logs of strace as files.
 */
#ifndef FORKTAX_SOURCE_STRACE_STRACE_FILES_H
#define FORKTAX_SOURCE_STRACE_STRACE_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "model/run/run.h"

struct strace_request {
	bool all_processes; /* not only roots and the first of each group */
	unsigned int uses; /* bits of enum call_use (source/calls/call_stream.h) */
};

/*
 * The run of a log. NULL, and a one-line reason (to be freed): it cannot be read, or is no log of
 * strace.
 */
struct run *strace_files__read(FILE *stream, const struct strace_request *request, char **reason);
/* The same by name. */
struct run *strace_files__load(const char *path, const struct strace_request *request, char **reason);

/* Is there a file by this name, that begins like a log? */
bool strace_files__are_there(const char *path);

#endif
