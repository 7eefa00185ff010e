/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sums up which files the command's first image opens, and how long it is busy with each: until it opens the next one.
 * Of all calls that are recorded, also of those that run->start does not keep.
 */
#ifndef FORKTAX_SOURCE_CALLS_START_FILES_H
#define FORKTAX_SOURCE_CALLS_START_FILES_H

#include "model/files/call_record.h"
#include "model/start/start.h"

struct start_files_log;

/* Both must outlive the log. `command`: its arguments; a file that one of them names may be its script. */
struct start_files_log *start_files_log__new(struct start *start, char *const *command);
void start_files_log__free(struct start_files_log *log); /* NULL is fine */

/* The calls, in the order in which they ended. */
void start_files_log__call(struct start_files_log *log, const struct call_record *call);
/* Ends the time of the last file. */
void start_files_log__finish(struct start_files_log *log);

#endif
