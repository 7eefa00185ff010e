/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Follows which file each descriptor stands for, and counts what is done with each file. Part of
 * call_stream.h.
 */
#ifndef FORKTAX_SOURCE_CALLS_FILE_LOG_H
#define FORKTAX_SOURCE_CALLS_FILE_LOG_H

#include "model/files/call_record.h"
#include "model/run/run.h"
#include "source/calls/stream_process.h"

struct file_log;

/* Counts by process if run->all_processes, as far as there is room. */
struct file_log *file_log__new(const struct run *run);
void file_log__free(struct file_log *log); /* NULL is fine */
struct path_table *file_log__paths(struct file_log *log); /* of what descriptors lead to */

void file_log__call(struct file_log *log, struct stream_process *process, const struct call_record *call);
/* An execve has succeeded. */
void file_log__exec(struct file_log *log, struct stream_process *process);
/* The process has ended; what it did belongs to this group now. 0: it was a root. */
void file_log__exit(struct file_log *log, struct stream_process *process, uint32_t group);

/* What it had before; or in the middle of its calls: since then (0: always), as in struct span. */
void file_log__descriptor(struct file_log *log, struct stream_process *process, int32_t descriptor,
			  const char *path, bool cloexec, uint64_t since);
void file_log__directory(struct file_log *log, struct stream_process *process, const char *path, uint64_t since);

/* All processes have ended. `positions`: of the groups in run.groups, by their numbers. */
struct files *file_log__finish(struct file_log *log, const uint32_t *positions, uint32_t count);

#endif
