// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/call_stream.h"

#include "base/memory.h"
#include "base/quantity.h"
#include "source/calls/file_log.h"
#include "source/calls/start_files.h"
#include "source/calls/start_log.h"
#include "source/calls/stream_process.h"
#include "source/calls/wait_log.h"

enum { FIRST_PROCESS = 1 }; /* id of the command */

struct call_stream {
	struct run *run;
	struct stream_processes processes;
	struct file_log *files; /* NULL unless asked for */
	bool wants_waits;
	struct wait_log waits;
	struct start_log *start; /* the same */
	struct start_files_log *start_files; /* with it */
	uint64_t missed;
};

struct call_stream *call_stream__new(struct run *run, unsigned int uses)
{
	struct call_stream *stream = checked_calloc(1, sizeof(*stream));

	stream->run = run;
	if (uses & CALLS_FOR_FILES)
		stream->files = file_log__new(run);
	stream->wants_waits = stream->files && uses & CALLS_FOR_WAITS;
	if (uses & CALLS_FOR_START) {
		run->start = start__new();
		stream->start = start_log__new(run->start);
		stream->start_files = start_files_log__new(run->start, run->command);
	}
	return stream;
}

void call_stream__free(struct call_stream *stream)
{
	if (!stream)
		return;
	stream_processes__release(&stream->processes);
	file_log__free(stream->files);
	wait_log__release(&stream->waits);
	start_files_log__free(stream->start_files);
	start_log__free(stream->start);
	free(stream);
}

bool call_stream__wants(const struct call_stream *stream, uint64_t process)
{
	return stream->files || (stream->start && process == FIRST_PROCESS);
}

void call_stream__call(struct call_stream *stream, const struct call_record *call)
{
	struct stream_process *process = stream_processes__get(&stream->processes, call->process);

	if (stream->wants_waits)
		wait_log__call(&stream->waits, file_log__paths(stream->files), process, call);
	if (stream->files)
		file_log__call(stream->files, process, call);
	if (stream->start && call->process == FIRST_PROCESS && start_log__call(stream->start, call))
		start_files_log__call(stream->start_files, call);
}

void call_stream__fork(struct call_stream *stream, uint64_t parent, uint64_t child, bool shares_files)
{
	struct stream_process *born = stream_processes__get(&stream->processes, child);
	struct stream_process *maker = stream_processes__get(&stream->processes, parent);

	born->is_child = true;
	stream_process__inherit(born, maker, shares_files);
}

void call_stream__exec(struct call_stream *stream, uint64_t process)
{
	struct stream_process *replaced = stream_processes__get(&stream->processes, process);

	replaced->execs++;
	if (stream->files)
		file_log__exec(stream->files, replaced);
}

static void end_process(struct call_stream *stream, struct stream_process *process, uint32_t group)
{
	if (stream->files)
		file_log__exit(stream->files, process, group);
	stream_processes__remove(&stream->processes, process);
}

void call_stream__exit(struct call_stream *stream, uint64_t process, uint32_t group)
{
	end_process(stream, stream_processes__get(&stream->processes, process), group);
}

void call_stream__missed(struct call_stream *stream, uint64_t calls)
{
	stream->missed += calls;
}

void call_stream__descriptor(struct call_stream *stream, uint64_t process, int32_t descriptor,
			     const char *path, bool cloexec, uint64_t since)
{
	if (stream->files)
		file_log__descriptor(stream->files, stream_processes__get(&stream->processes, process), descriptor,
				     path, cloexec, since);
}

void call_stream__directory(struct call_stream *stream, uint64_t process, const char *path, uint64_t since)
{
	if (stream->files)
		file_log__directory(stream->files, stream_processes__get(&stream->processes, process), path, since);
}

/* The number of the group of a process; 0: none. */
static uint32_t group_number(const struct run *run, const uint32_t *positions, uint32_t count, uint64_t process)
{
	const struct process *found = run__process(run, process);

	if (!found || found->group == NO_GROUP)
		return 0;
	for (uint32_t i = 0; i < count; i++)
		if (positions[i] == found->group)
			return i;
	return 0;
}

static void note_descriptors(struct run *run, const struct descriptor_budget *descriptors)
{
	if (descriptors->left_out)
		run__note(run, "%llu descriptors were not followed, because %d were open at once: their "
			       "files are unknown",
			  (unsigned long long)descriptors->left_out, DESCRIPTORS_IN_ALL);
	run->integrity.losses[LOSS_UNRECORDED] += descriptors->left_out;
}

static void note_gaps(struct run *run)
{
	const struct files *files = run->files;

	if (files->missed)
		run__note(run, "%llu calls, and their consequences, are missing from the files: they "
			       "came faster than they could be recorded",
			  (unsigned long long)files->missed);
	if (files->paths_left_out)
		run__note(run, "%llu calls used more paths than forktax keeps: they are summed up as "
			       "\"other paths\"",
			  (unsigned long long)files->paths_left_out);
	if (files->processes_left_out)
		run__note(run, "the files of %s are counted only by group: there are too many processes",
			  quantity__count(files->processes_left_out, "process", "processes").text);
	if (files->searches_left_out)
		run__note(run, "%llu searches are not listed: there are too many",
			  (unsigned long long)files->searches_left_out);
	run->integrity.losses[LOSS_UNRECORDED] += files->paths_left_out + files->processes_left_out +
						  files->searches_left_out;
}

void call_stream__finish(struct call_stream *stream, const uint32_t *positions, uint32_t count)
{
	struct stream_process *process;

	for (size_t at = 0; (process = stream_processes__next(&stream->processes, &at)); at--)
		end_process(stream, process, group_number(stream->run, positions, count, process->id));
	stream->run->integrity.losses[LOSS_UNRECORDED] += stream->missed;
	if (stream->start) {
		stream->run->start->missed = stream->missed;
		start_log__finish(stream->start);
		start_files_log__finish(stream->start_files);
	}
	if (!stream->files)
		return;
	note_descriptors(stream->run, &stream->processes.budget);
	stream->run->files = file_log__finish(stream->files, positions, count);
	stream->run->files->missed = stream->missed;
	wait_log__finish(&stream->waits, stream->run->files);
	note_gaps(stream->run);
}
