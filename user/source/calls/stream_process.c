// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/stream_process.h"

#include "base/memory.h"

struct stream_process *stream_processes__get(struct stream_processes *processes, uint64_t id)
{
	union hash_value *value = hash__get(&processes->by_id, &id, sizeof(id));
	struct stream_process *process = value->pointer;

	if (process)
		return process;
	value->pointer = process = checked_calloc(1, sizeof(*process));
	process->id = id;
	process->descriptors = descriptors__new(&processes->budget);
	return process;
}

void stream_processes__remove(struct stream_processes *processes, struct stream_process *process)
{
	hash__remove(&processes->by_id, &process->id, sizeof(process->id));
	descriptors__drop(process->descriptors);
	free(process);
}

struct stream_process *stream_processes__next(const struct stream_processes *processes, size_t *at)
{
	const union hash_value *value = hash__next(&processes->by_id, at);

	return value ? value->pointer : NULL;
}

void stream_processes__release(struct stream_processes *processes)
{
	struct stream_process *process;

	for (size_t at = 0; (process = stream_processes__next(processes, &at)); at--)
		stream_processes__remove(processes, process);
	hash__release(&processes->by_id);
}

void stream_process__inherit(struct stream_process *child, const struct stream_process *parent, bool shares_files)
{
	descriptors__drop(child->descriptors);
	child->descriptors = shares_files ? descriptors__share(parent->descriptors)
					  : descriptors__copy(parent->descriptors);
	child->directory = parent->directory;
	child->directory_since = parent->directory_since;
}
