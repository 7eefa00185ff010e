// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/file_log.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "model/files/file_calls.h"
#include "source/calls/call_objects.h"
#include "source/calls/file_log_state.h"

struct file_log *file_log__new(const struct run *run)
{
	struct file_log *log = checked_calloc(1, sizeof(*log));

	log->by_process = run->all_processes;
	log->paths = path_table__new();
	log->searches.paths = log->paths;
	return log;
}

void file_log__free(struct file_log *log)
{
	if (!log)
		return;
	file_entries__release(&log->entries);
	for (size_t i = 0; i < log->group_count; i++)
		file_searches__release(&log->groups[i].searches);
	free(log->groups);
	free(log->processes);
	path_table__free(log->paths);
	free(log);
}

struct path_table *file_log__paths(struct file_log *log)
{
	return log->paths;
}

/* The first time that this process opens it. */
static void note_opener(struct file_entry *entry, const struct stream_process *process, const struct call_record *call)
{
	if (entry->openers || call->begin_ns == ABSENT)
		return;
	entry->openers = 1;
	/* A call of another thread may have begun before the first that ended. */
	entry->opened_ns = call->begin_ns > process->first_ns ? call->begin_ns - process->first_ns : 0;
}

static void count(struct file_log *log, struct stream_process *process,
		  const struct call_record *call, enum file_use use, uint32_t object, uint64_t bytes)
{
	const bool failed = call_record__failed(call);
	const struct file_counts one = { .calls = 1, .errors = failed, .bytes = bytes };
	struct file_entry *entry;

	if (object == OBJECT_UNKNOWN)
		object = path_table__number(log->paths, FILE_DESCRIPTOR, "?");
	entry = file_entries__get(&log->entries, &process->files, owner_of_process(process->id), object);
	file_counts__add(&entry->uses[use], &one);
	if (call->actor == ACTOR_LDSO)
		file_counts__add(&entry->by_ldso[use], &one);
	if (failed)
		file_entry__add_error(entry, -call->result, 1);
	else if (use == FILE_OPENED)
		note_opener(entry, process, call);
	log->actors_unknown |= call->actor == ACTOR_COUNT;
}

static uint64_t bytes_of(const struct call_record *call, const struct file_call *kind)
{
	uint64_t bytes = 0;

	if (!call->returned || call_record__failed(call))
		return 0;
	if (kind->length)
		return call_objects__argument(call, kind->length, &bytes) ? bytes : 0;
	return kind->use == FILE_READ || kind->use == FILE_WRITTEN ? call->result : 0;
}

static bool maps_file(const struct call_record *call, const struct file_call *kind)
{
	uint64_t descriptor, flags;

	if (!call_objects__argument(call, kind->descriptor, &descriptor) || (int32_t)descriptor < 0)
		return false;
	return !call_objects__argument(call, 4, &flags) || !(flags & MAP_ANONYMOUS);
}

/* A call that uses an open file. */
static void count_descriptor(struct file_log *log, struct stream_process *process,
			     const struct call_record *call, const struct file_call *kind)
{
	uint64_t bytes = bytes_of(call, kind);

	if (kind->use == FILE_MAPPED && !maps_file(call, kind))
		return;
	count(log, process, call, kind->use,
	      call_objects__of_descriptor(log->paths, process, call, kind->descriptor), bytes);
	if (kind->written)
		count(log, process, call, FILE_WRITTEN,
		      call_objects__of_descriptor(log->paths, process, call, kind->written), bytes);
}

static bool is_looked_for(enum file_use use)
{
	return use == FILE_LOOKED_AT || use == FILE_OPENED || use == FILE_EXECUTED;
}

static uint32_t count_path(struct file_log *log, struct stream_process *process,
			   const struct call_record *call, const struct file_call *kind)
{
	uint32_t object = call_objects__of_path(log->paths, process, call, 0, kind->directory);

	count(log, process, call, kind->use, object, 0);
	if (is_looked_for(kind->use) && call->paths[0] && *call->paths[0])
		file_searches__tried(&log->searches, process, call->actor, object,
				     call_record__failed(call) ? -call->result : 0);
	if (kind->other)
		count(log, process, call, kind->use,
		      call_objects__of_path(log->paths, process, call, 1, kind->other_directory), 0);
	return object;
}

static bool closes_on_exec(const struct call_record *call, const struct file_call *kind)
{
	uint64_t flags;

	if (kind->cloexec == UINT32_MAX)
		return true;
	return call_objects__argument(call, kind->flags, &flags) && flags & kind->cloexec;
}

static void take_result(struct file_log *log, struct stream_process *process,
			const struct call_record *call, bool cloexec, uint32_t object)
{
	const char *name = call->result_leads_to;
	const uint32_t shown = name ? call_objects__named_by_kernel(log->paths, name) : OBJECT_UNKNOWN;
	const struct opened opened = {
		.shown = shown,
		.object = object == OBJECT_UNKNOWN ? shown : object,
		.cloexec = cloexec,
	};

	descriptors__open(process->descriptors, call->result, opened, call_objects__span(call));
}

/* dup2(2). By strace -y it leads to what the first descriptor does. */
static void duplicate_to(struct file_log *log, struct stream_process *process,
			 const struct call_record *call, bool cloexec)
{
	uint64_t from;
	struct opened opened = { .object = call_objects__known(log->paths, process, call, 1), .cloexec = cloexec };

	if (!call_objects__argument(call, 1, &from) || (int32_t)from == call->result)
		return;
	opened.shown = call->leads_to[0] ? call_objects__named_by_kernel(log->paths, call->leads_to[0])
					 : descriptors__shown(process->descriptors, (int32_t)from);
	descriptors__open(process->descriptors, call->result, opened, call_objects__span(call));
}

static void apply_fcntl(struct file_log *log, struct stream_process *process,
			const struct call_record *call, int32_t from)
{
	uint64_t command, value;

	if (!call_objects__argument(call, 2, &command))
		return;
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		take_result(log, process, call, command == F_DUPFD_CLOEXEC,
			    call_objects__known(log->paths, process, call, 1));
	else if (command == F_SETFD && call_objects__argument(call, 3, &value))
		descriptors__set_cloexec(process->descriptors, from, value & FD_CLOEXEC);
}

static void unshare_descriptors(struct stream_process *process)
{
	struct descriptors *own = descriptors__copy(process->descriptors);

	descriptors__drop(process->descriptors);
	process->descriptors = own;
}

static void close_range_of(struct stream_process *process, const struct call_record *call)
{
	uint64_t first, last, flags = 0;

	if (!call_objects__argument(call, 1, &first) || !call_objects__argument(call, 2, &last))
		return;
	call_objects__argument(call, 3, &flags);
	if (flags & CLOSE_RANGE_UNSHARE)
		unshare_descriptors(process);
	descriptors__close_range(process->descriptors, first, last, flags & CLOSE_RANGE_CLOEXEC,
				 call_objects__span(call));
}

static void make_pair(struct file_log *log, struct stream_process *process,
		      const struct call_record *call, const struct file_call *kind)
{
	const struct opened opened = { .object = call_objects__named(log->paths, kind->what),
				       .cloexec = closes_on_exec(call, kind) };

	for (int i = 0; i < 2 && call->pair_known; i++)
		descriptors__open(process->descriptors, call->pair[i], opened, call_objects__span(call));
}

/* close(2) gives the descriptor back even if it fails with EINTR or EIO, or is killed in it. */
static bool has_effect(const struct call_record *call, const struct file_call *kind)
{
	if (kind->effect == EFFECT_CLOSE)
		return !call->returned || call->result != -EBADF;
	return call->returned && !call_record__failed(call);
}

static void set_directory(struct stream_process *process, uint32_t object, const struct call_record *call)
{
	bool overlaps = call->entered < process->directory_since;

	process->directory = overlaps ? OBJECT_UNKNOWN : object;
	process->directory_since = call->left;
}

/* `object`: what the path of the call stands for. */
static void apply(struct file_log *log, struct stream_process *process,
		  const struct call_record *call, const struct file_call *kind, uint32_t object)
{
	uint64_t first = 0;
	bool known = call_objects__argument(call, 1, &first);
	int32_t descriptor = known ? (int32_t)first : -1;

	switch (kind->effect) {
	case EFFECT_OPEN:
		take_result(log, process, call, closes_on_exec(call, kind),
			    call_objects__opened(log->paths, process, call, object));
		break;
	case EFFECT_MAKE:
		take_result(log, process, call, closes_on_exec(call, kind),
			    kind->what ? call_objects__named(log->paths, kind->what) : OBJECT_UNKNOWN);
		break;
	case EFFECT_PAIR:
		make_pair(log, process, call, kind);
		break;
	case EFFECT_CLOSE:
		descriptors__close(process->descriptors, descriptor, call_objects__span(call));
		break;
	case EFFECT_CLOSE_RANGE:
		close_range_of(process, call);
		break;
	case EFFECT_DUP:
		take_result(log, process, call, false, call_objects__known(log->paths, process, call, 1));
		break;
	case EFFECT_DUP_TO:
		duplicate_to(log, process, call, closes_on_exec(call, kind));
		break;
	case EFFECT_FCNTL:
		apply_fcntl(log, process, call, descriptor);
		break;
	case EFFECT_CHDIR:
		set_directory(process, object, call);
		break;
	case EFFECT_FCHDIR:
		set_directory(process, call_objects__known(log->paths, process, call, 1), call);
		break;
	case EFFECT_UNSHARE:
		if (first & (CLONE_FILES | CLONE_NEWUSER))
			unshare_descriptors(process);
		break;
	case EFFECT_EXEC:
	case EFFECT_NONE:
		break;
	}
}

/* Calls that have no descriptor to begin at do not show it themselves. */
static void learn_directory(struct file_log *log, struct stream_process *process, const struct call_record *call)
{
	for (int i = 0; i < CALL_ARGUMENTS; i++)
		if (call->leads_to[i] && (int32_t)call->arguments[i] == AT_FDCWD &&
		    call->entered >= process->directory_since)
			file_log__directory(log, process, call->leads_to[i], process->directory_since);
}

void file_log__call(struct file_log *log, struct stream_process *process, const struct call_record *call)
{
	const struct file_call *kind = file_call__find(call->name);
	uint32_t object = OBJECT_UNKNOWN;

	if (!kind || call->denied)
		return;
	if (!process->first_ns && call->begin_ns != ABSENT)
		process->first_ns = call->begin_ns;
	learn_directory(log, process, call);
	if (kind->path)
		object = count_path(log, process, call, kind);
	else if (kind->use != FILE_USE_COUNT)
		count_descriptor(log, process, call, kind);
	if (has_effect(call, kind))
		apply(log, process, call, kind, object);
}

void file_log__exec(struct file_log *log, struct stream_process *process)
{
	file_searches__end(&log->searches, process);
	process->descriptors = descriptors__exec(process->descriptors);
}

void file_log__descriptor(struct file_log *log, struct stream_process *process, int32_t descriptor,
			  const char *path, bool cloexec, uint64_t since)
{
	const struct opened opened = { .object = call_objects__named_by_kernel(log->paths, path), .cloexec = cloexec };

	descriptors__open(process->descriptors, descriptor, opened, (struct span){ since, since });
}

void file_log__directory(struct file_log *log, struct stream_process *process, const char *path, uint64_t since)
{
	process->directory_since = since;
	process->directory = call_objects__named(log->paths, path);
}
