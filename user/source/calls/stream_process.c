// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/stream_process.h"

#include "base/memory.h"

enum { BUCKETS = 1 << 10 };

static struct stream_process **find(struct stream_processes *processes, uint64_t id)
{
	struct stream_process **at;

	if (!processes->buckets)
		processes->buckets = checked_calloc(BUCKETS, sizeof(struct stream_process *));
	at = &processes->buckets[id % BUCKETS];
	while (*at && (*at)->id != id)
		at = &(*at)->next;
	return at;
}

struct stream_process *stream_processes__get(struct stream_processes *processes, uint64_t id)
{
	struct stream_process **at = find(processes, id);

	if (!*at) {
		*at = checked_calloc(1, sizeof(**at));
		(*at)->id = id;
		(*at)->descriptors = descriptors__new(&processes->budget);
	}
	return *at;
}

static void free_process(struct stream_process *process)
{
	descriptors__drop(process->descriptors);
	process_calls__free(process->calls);
	free(process);
}

void stream_processes__remove(struct stream_processes *processes, struct stream_process *process)
{
	struct stream_process **at = find(processes, process->id);

	*at = process->next;
	free_process(process);
}

void stream_processes__each(struct stream_processes *processes,
			    void (*visit)(void *context, struct stream_process *process),
			    void *context)
{
	for (int i = 0; processes->buckets && i < BUCKETS; i++) {
		struct stream_process *next;

		for (struct stream_process *at = processes->buckets[i]; at; at = next) {
			next = at->next;
			visit(context, at);
		}
	}
}

static void release_one(void *context, struct stream_process *process)
{
	free_process(process);
}

void stream_processes__release(struct stream_processes *processes)
{
	stream_processes__each(processes, release_one, NULL);
	free(processes->buckets);
	processes->buckets = NULL;
}

void stream_process__inherit(struct stream_process *child, const struct stream_process *parent,
			     bool shares_files)
{
	descriptors__drop(child->descriptors);
	child->descriptors = shares_files ? descriptors__share(parent->descriptors)
					  : descriptors__copy(parent->descriptors);
	child->directory = parent->directory;
	child->directory_since = parent->directory_since;
}
