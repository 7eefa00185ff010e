/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A log of strace becomes a run: the text comes in pieces, from a file or from a pipe, and what
 * stays in memory is what lives, whatever the length of the log. docs/use/strace-logs.md says which logs
 * are read, and what they cannot tell.
 *
 * Order of calls: new; feed, as often as there is text; finish; free.
 */
#ifndef FORKTAX_SOURCE_STRACE_STRACE_LOG_H
#define FORKTAX_SOURCE_STRACE_STRACE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/run/run.h"

struct strace_log;

/*
 * `run` must outlive the log. If its all_processes is set, every process becomes a part of it.
 * `uses`: bits of enum call_use (source/calls/call_stream.h).
 */
struct strace_log *strace_log__new(struct run *run, unsigned int uses);
void strace_log__free(struct strace_log *log); /* NULL is fine */

/* The processes run here and now: what they execute is looked at. */
void strace_log__is_here(struct strace_log *log);

/* Makes `pid`, which has no event yet, the first process, and records its open descriptors. */
void strace_log__look_at(struct strace_log *log, int32_t pid);

/* May be cut anywhere, also within a line. */
void strace_log__feed(struct strace_log *log, const char *bytes, size_t size);

/* Lines in which a call, an end or another event of a process was recognised. */
uint64_t strace_log__events(const struct strace_log *log);
/* Is it a log so far? Among so many bytes without meaning a few look like an event. */
bool strace_log__is_one(const struct strace_log *log);
/* Processes that have not ended yet. */
uint64_t strace_log__live(const struct strace_log *log);

/* Moves everything into the run. What could not be read becomes a note, and the run inexact. */
void strace_log__finish(struct strace_log *log);

#endif
