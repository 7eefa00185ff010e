/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which calls access the paths that a run was asked for (run.paths), by strace's rule for -P: those
 * with the path as an argument, and those with a descriptor that leads to it. Relative paths count
 * from their directory, which strace does not look at.
 */
#ifndef FORKTAX_SOURCE_CALLS_PATH_FILTER_H
#define FORKTAX_SOURCE_CALLS_PATH_FILTER_H

#include "model/files/call_record.h"
#include "model/files/file_calls.h"
#include "model/run/run.h"
#include "source/calls/path_table.h"
#include "source/calls/stream_process.h"

struct path_filter;

/* Both must outlive the result. NULL: the run was asked for no path. */
struct path_filter *path_filter__new(const struct run *run, struct path_table *paths);
void path_filter__free(struct path_filter *filter); /* NULL is fine */

/* To be asked before the call has its effect on descriptors. */
bool path_filter__accepts(struct path_filter *filter, struct stream_process *process,
			  const struct call_record *call, const struct file_call *kind);
/* Notes of how many calls it is not known; these make the run inexact. */
void path_filter__finish(const struct path_filter *filter, struct run *run);

/* Stores in the run what to choose: each path as it was given, and as it is called without links. */
void path_filter__choose(struct run *run, char *const *paths, size_t count);

#endif
