/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is known of a process while its calls come in.
 */
#ifndef FORKTAX_SOURCE_CALLS_STREAM_PROCESS_H
#define FORKTAX_SOURCE_CALLS_STREAM_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/words/dictionary.h"
#include "source/calls/descriptors.h"

/* A name that is being searched for; numbers of a path_table. */
struct ongoing_search {
	uint32_t first, last; /* paths that were tried; 0: none is under way */
	uint64_t failures;
	bool several; /* different paths */
};

struct file_entry;
struct search_entry;

struct stream_process {
	uint64_t id;
	bool is_child; /* born in the stream */
	uint32_t execs;
	struct descriptors *descriptors;
	uint32_t directory; /* OBJECT_UNKNOWN: not known */
	uint64_t first_ns; /* begin of its first call for a file; 0: it made none, or there is no clock */
	uint64_t looked_ns; /* begin of the last wait4 that found its child not ended; 0: there is none */
	uint64_t directory_since; /* call_record.left of what made it so */
	struct ongoing_search searches[ACTOR_COUNT + 1]; /* by actor; the last: not known */
	struct file_entry *files; /* what it did with files: file_entries.h */
	struct search_entry *found; /* its searches that have ended */
};

struct stream_processes {
	struct hash by_id;
	struct descriptor_budget budget;
};

/* The process with this id, created if it is new. */
struct stream_process *stream_processes__get(struct stream_processes *processes, uint64_t id);
void stream_processes__remove(struct stream_processes *processes, struct stream_process *process);
/* As hash__next(). */
struct stream_process *stream_processes__next(const struct stream_processes *processes, size_t *at);
void stream_processes__release(struct stream_processes *processes);

void stream_process__inherit(struct stream_process *child, const struct stream_process *parent, bool shares_files);

#endif
