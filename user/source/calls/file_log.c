// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/file_log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "model/file_calls.h"
#include "source/calls/file_log_state.h"

struct file_log *file_log__new(bool by_process)
{
	struct file_log *log = checked_calloc(1, sizeof(*log));

	log->by_process = by_process;
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

/* Argument `number` (from 1). False: there is none, or it is not known. */
static bool argument(const struct call_record *call, int number, uint64_t *value)
{
	if (!number || !(call->known & 1 << (number - 1)))
		return false;
	*value = call->arguments[number - 1];
	return true;
}

static uint32_t named(struct file_log *log, const char *path)
{
	return path_table__number(log->paths, FILE_NAMED, path);
}

/* What the kernel calls the file of a descriptor: "socket:[4711]" says nothing beside others. */
static uint32_t named_by_kernel(struct file_log *log, const char *name)
{
	size_t kind = strcspn(name, ":[");
	uint32_t object;
	char *text;

	if (name[0] == '/' || name[0] == 'a' || name[kind] != ':' || name[kind + 1] != '[')
		return named(log, name);
	text = checked(strndup(name, kind + 1));
	object = named(log, text);
	free(text);
	return object;
}

static struct span span_of(const struct call_record *call)
{
	return (struct span){ call->entered, call->left };
}

/* Another thread may be about to change it. */
static uint32_t working_directory(const struct stream_process *process, const struct call_record *call)
{
	return call->entered < process->directory_since ? OBJECT_UNKNOWN : process->directory;
}

/* As far as calls tell; OBJECT_UNKNOWN. */
static uint32_t followed(const struct stream_process *process, const struct call_record *call,
			 int32_t descriptor)
{
	bool worked = !call->returned || call->result != -EBADF;

	if (descriptor == AT_FDCWD)
		return working_directory(process, call);
	return descriptors__get(process->descriptors, descriptor, span_of(call), worked);
}

/* The name of the open file that the source shows there, unless it is the one by which it was opened. */
static uint32_t shown_object(struct file_log *log, const struct stream_process *process,
			     const char *name, int32_t descriptor, uint32_t object)
{
	uint32_t shown = named_by_kernel(log, name);

	return object != OBJECT_UNKNOWN && descriptors__shown(process->descriptors, descriptor) == shown
		       ? object
		       : shown;
}

/* What a descriptor leads to; OBJECT_UNKNOWN. */
static uint32_t known_object(struct file_log *log, struct stream_process *process,
			     const struct call_record *call, int number)
{
	uint64_t value;
	uint32_t object;

	if (!argument(call, number, &value) || call->not_open >> (number - 1) & 1)
		return OBJECT_UNKNOWN;
	object = followed(process, call, (int32_t)value);
	if (!call->leads_to[number - 1])
		return object;
	return shown_object(log, process, call->leads_to[number - 1], (int32_t)value, object);
}

/* The same; if it is not known, the descriptor itself. */
static uint32_t object_of_argument(struct file_log *log, struct stream_process *process,
				   const struct call_record *call, int number)
{
	uint32_t object = known_object(log, process, call, number);
	uint64_t value;
	char text[16];

	if (object != OBJECT_UNKNOWN || !argument(call, number, &value) || (int32_t)value == AT_FDCWD)
		return object;
	snprintf(text, sizeof(text), "%d", (int32_t)value);
	return path_table__number(log->paths, FILE_DESCRIPTOR, text);
}

/* Where a relative path begins; NULL: not known. */
static const char *base_of(struct file_log *log, struct stream_process *process,
			   const struct call_record *call, int directory)
{
	uint32_t object = directory ? object_of_argument(log, process, call, directory)
				    : working_directory(process, call);
	const char *text = path_table__text(log->paths, object);

	return text && text[0] == '/' && path_table__kind(log->paths, object) == FILE_NAMED ? text
											     : NULL;
}

/* The directory above, as far as its path tells: find(1) goes up by openat(fd, ".."). */
static size_t parent_length(const char *base, size_t length)
{
	while (length > 1 && base[length - 1] == '/')
		length--;
	while (length > 1 && base[length - 1] != '/')
		length--;
	while (length > 1 && base[length - 1] == '/')
		length--;
	return length;
}

/* Takes "." and ".." off the front of a relative path. Returns how much of the base is left. */
static size_t climb(const char *base, const char **path)
{
	size_t length = strlen(base);

	for (;;) {
		size_t part = strcspn(*path, "/");

		if (part == 2 && !strncmp(*path, "..", 2))
			length = parent_length(base, length);
		else if (part != 1 || **path != '.')
			return length;
		*path += part + strspn(*path + part, "/");
	}
}

static uint32_t join(struct file_log *log, const char *base, const char *path)
{
	size_t length = climb(base, &path);
	bool slash = *path && base[length - 1] != '/';
	char joined[2 * PATH_MAX];

	if (snprintf(joined, sizeof(joined), "%.*s%s%s", (int)length, base, slash ? "/" : "", path) >=
	    (int)sizeof(joined))
		return OBJECT_OTHERS;
	return named(log, joined);
}

/*
 * What path `i` of a call, whose relative paths begin at argument `directory`, stands for. An empty
 * one that is not refused stands for the descriptor (AT_EMPTY_PATH), and so does none.
 */
static uint32_t path_object(struct file_log *log, struct stream_process *process,
			    const struct call_record *call, int i, int directory)
{
	const char *path = call->paths[i], *base;
	bool empty = call->path_states[i] == PATH_NONE || (path && !*path);

	if (empty && directory && call->result != -ENOENT && call->result != -EFAULT)
		return object_of_argument(log, process, call, directory);
	if (!path || call->path_states[i] == PATH_UNREADABLE || call->path_states[i] == PATH_NONE)
		return OBJECT_UNREADABLE;
	if (path[0] == '/' || !*path)
		return named(log, path);
	base = base_of(log, process, call, directory);
	return base ? join(log, base, path) : named(log, path);
}

static void add_counts(struct file_counts *counts, bool failed, uint64_t bytes)
{
	counts->calls++;
	counts->errors += failed;
	counts->bytes += bytes;
}

static void count(struct file_log *log, struct stream_process *process,
		  const struct call_record *call, enum file_use use, uint32_t object, uint64_t bytes)
{
	bool failed = call_record__failed(call);
	struct file_entry *entry;

	if (object == OBJECT_UNKNOWN)
		object = path_table__number(log->paths, FILE_DESCRIPTOR, "?");
	entry = file_entries__get(&log->entries, &process->files, owner_of_process(process->id),
				  object);
	add_counts(&entry->uses[use], failed, bytes);
	if (call->actor == ACTOR_LDSO)
		add_counts(&entry->by_ldso[use], failed, bytes);
	if (failed)
		file_entry__add_error(entry, -call->result, 1);
	log->actors_unknown |= call->actor == ACTOR_COUNT;
}

static uint64_t bytes_of(const struct call_record *call, const struct file_call *kind)
{
	uint64_t bytes = 0;

	if (!call->returned || call_record__failed(call))
		return 0;
	if (kind->length)
		return argument(call, kind->length, &bytes) ? bytes : 0;
	return kind->use == FILE_READ || kind->use == FILE_WRITTEN ? call->result : 0;
}

static bool maps_file(const struct call_record *call, const struct file_call *kind)
{
	uint64_t descriptor, flags;

	if (!argument(call, kind->descriptor, &descriptor) || (int32_t)descriptor < 0)
		return false;
	return !argument(call, 4, &flags) || !(flags & MAP_ANONYMOUS);
}

/* A call that uses an open file. */
static void count_descriptor(struct file_log *log, struct stream_process *process,
			     const struct call_record *call, const struct file_call *kind)
{
	uint64_t bytes = bytes_of(call, kind);

	if (kind->use == FILE_MAPPED && !maps_file(call, kind))
		return;
	count(log, process, call, kind->use,
	      object_of_argument(log, process, call, kind->descriptor), bytes);
	if (kind->written)
		count(log, process, call, FILE_WRITTEN,
		      object_of_argument(log, process, call, kind->written), bytes);
}

static bool is_looked_for(enum file_use use)
{
	return use == FILE_LOOKED_AT || use == FILE_OPENED || use == FILE_EXECUTED;
}

static uint32_t count_path(struct file_log *log, struct stream_process *process,
			   const struct call_record *call, const struct file_call *kind)
{
	uint32_t object = path_object(log, process, call, 0, kind->directory);

	count(log, process, call, kind->use, object, 0);
	if (is_looked_for(kind->use) && call->paths[0] && *call->paths[0])
		file_searches__tried(&log->searches, process, call->actor, object,
				     call_record__failed(call) ? -call->result : 0);
	if (kind->other)
		count(log, process, call, kind->use,
		      path_object(log, process, call, 1, kind->other_directory), 0);
	return object;
}

static bool closes_on_exec(const struct call_record *call, const struct file_call *kind)
{
	uint64_t flags;

	if (kind->cloexec == UINT32_MAX)
		return true;
	return argument(call, kind->flags, &flags) && flags & kind->cloexec;
}

static void take_result(struct file_log *log, struct stream_process *process,
			const struct call_record *call, bool cloexec, uint32_t object)
{
	const char *name = call->result_leads_to;
	const struct opened opened = {
		.shown = name ? named_by_kernel(log, name) : OBJECT_UNKNOWN,
		.object = object == OBJECT_UNKNOWN && name ? named_by_kernel(log, name) : object,
		.cloexec = cloexec,
	};

	descriptors__open(process->descriptors, call->result, opened, span_of(call));
}

/* dup2(2). By strace -y it leads to what the first descriptor does. */
static void duplicate_to(struct file_log *log, struct stream_process *process,
			 const struct call_record *call, bool cloexec)
{
	uint64_t from;
	struct opened opened = { .object = known_object(log, process, call, 1), .cloexec = cloexec };

	if (!argument(call, 1, &from) || (int32_t)from == call->result)
		return;
	opened.shown = call->leads_to[0] ? named_by_kernel(log, call->leads_to[0])
					 : descriptors__shown(process->descriptors, (int32_t)from);
	descriptors__open(process->descriptors, call->result, opened, span_of(call));
}

static void apply_fcntl(struct file_log *log, struct stream_process *process,
			const struct call_record *call, int32_t from)
{
	uint64_t command, value;

	if (!argument(call, 2, &command))
		return;
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		take_result(log, process, call, command == F_DUPFD_CLOEXEC,
			    known_object(log, process, call, 1));
	else if (command == F_SETFD && argument(call, 3, &value))
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

	if (!argument(call, 1, &first) || !argument(call, 2, &last))
		return;
	argument(call, 3, &flags);
	if (flags & CLOSE_RANGE_UNSHARE)
		unshare_descriptors(process);
	descriptors__close_range(process->descriptors, first, last, flags & CLOSE_RANGE_CLOEXEC,
				 span_of(call));
}

static void make_pair(struct file_log *log, struct stream_process *process,
		      const struct call_record *call, const struct file_call *kind)
{
	const struct opened opened = { .object = named(log, kind->what),
				       .cloexec = closes_on_exec(call, kind) };

	for (int i = 0; i < 2 && call->pair_known; i++)
		descriptors__open(process->descriptors, call->pair[i], opened, span_of(call));
}

/* close(2) gives the descriptor back even if it fails with EINTR or EIO, or is killed in it. */
static bool has_effect(const struct call_record *call, const struct file_call *kind)
{
	if (kind->effect == EFFECT_CLOSE)
		return !call->returned || call->result != -EBADF;
	return call->returned && !call_record__failed(call);
}

static void set_directory(struct stream_process *process, uint32_t object,
			  const struct call_record *call)
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
	bool known = argument(call, 1, &first);
	int32_t descriptor = known ? (int32_t)first : -1;

	switch (kind->effect) {
	case EFFECT_OPEN:
		take_result(log, process, call, closes_on_exec(call, kind), object);
		break;
	case EFFECT_MAKE:
		take_result(log, process, call, closes_on_exec(call, kind),
			    kind->what ? named(log, kind->what) : OBJECT_UNKNOWN);
		break;
	case EFFECT_PAIR:
		make_pair(log, process, call, kind);
		break;
	case EFFECT_CLOSE:
		descriptors__close(process->descriptors, descriptor, span_of(call));
		break;
	case EFFECT_CLOSE_RANGE:
		close_range_of(process, call);
		break;
	case EFFECT_DUP:
		take_result(log, process, call, false, known_object(log, process, call, 1));
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
		set_directory(process, known_object(log, process, call, 1), call);
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
static void learn_directory(struct file_log *log, struct stream_process *process,
			    const struct call_record *call)
{
	for (int i = 0; i < CALL_ARGUMENTS; i++)
		if (call->leads_to[i] && (int32_t)call->arguments[i] == AT_FDCWD &&
		    call->entered >= process->directory_since)
			file_log__directory(log, process, call->leads_to[i]);
}

void file_log__call(struct file_log *log, struct stream_process *process,
		    const struct call_record *call)
{
	const struct file_call *kind = file_call__find(call->name);
	uint32_t object = OBJECT_UNKNOWN;

	if (!kind || call->denied)
		return;
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
			  const char *path, bool cloexec)
{
	const struct opened opened = { .object = named_by_kernel(log, path), .cloexec = cloexec };

	descriptors__open(process->descriptors, descriptor, opened, (struct span){ 0 });
}

void file_log__directory(struct file_log *log, struct stream_process *process, const char *path)
{
	process->directory = named(log, path);
}
