/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Single system calls on their way from a source into a run: which file a descriptor stands for, the
 * table of files, the story of a start. Every source that sees single calls feeds one; memory is
 * bounded, and what did not fit is counted.
 *
 * The events of one process come in the order of time; a fork comes before the first call of its
 * child.
 */
#ifndef FORKTAX_SOURCE_CALLS_CALL_STREAM_H
#define FORKTAX_SOURCE_CALLS_CALL_STREAM_H

#include "model/files/call_record.h"
#include "model/run/run.h"

enum call_use {
	CALLS_FOR_FILES = 1 << 0,
	CALLS_FOR_START = 1 << 1,
	CALLS_FOR_WAITS = 1 << 2, /* run->files->waits; with CALLS_FOR_FILES */
};

struct call_stream;

/*
 * `uses`: bits of enum call_use. The run must outlive the stream; its all_processes says whether files are
 * counted by process.
 */
struct call_stream *call_stream__new(struct run *run, unsigned int uses);
void call_stream__free(struct call_stream *stream); /* NULL is fine */

/* Does anybody want the calls of this process? */
bool call_stream__wants(const struct call_stream *stream, uint64_t process);
void call_stream__call(struct call_stream *stream, const struct call_record *call);
/* `shares_files`: CLONE_FILES, so that both have one table of descriptors. */
void call_stream__fork(struct call_stream *stream, uint64_t parent, uint64_t child, bool shares_files);
/* A process has executed something: its descriptors with close-on-exec are gone. */
void call_stream__exec(struct call_stream *stream, uint64_t process);
/* `group`: a number whose position in run.groups is given at the end; 0: roots. */
void call_stream__exit(struct call_stream *stream, uint64_t process, uint32_t group);
/* So many calls could not be recorded. */
void call_stream__missed(struct call_stream *stream, uint64_t calls);

/*
 * What a process has from before its first call in the stream: an open descriptor, with what
 * /proc/PID/fd says of it, and its working directory. They are copied. Or what it has in the middle of its calls:
 * `since` that time, as in call_record.entered; what it had before is not known.
 */
void call_stream__descriptor(struct call_stream *stream, uint64_t process, int32_t descriptor,
			     const char *path, bool cloexec, uint64_t since);
void call_stream__directory(struct call_stream *stream, uint64_t process, const char *path, uint64_t since);
/* All that /proc/PID says of these. */
void call_stream__look_at(struct call_stream *stream, uint64_t process, int32_t pid, uint64_t since);

/*
 * Moves what was learnt into the run, whose groups and processes are complete now: run.processes has to
 * tell the groups of those that have not ended. `positions`: of the groups of call_stream__exit() in
 * run.groups, by their numbers.
 */
void call_stream__finish(struct call_stream *stream, const uint32_t *positions, uint32_t count);

#endif
