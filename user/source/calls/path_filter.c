// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/path_filter.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/calls/call_objects.h"

/* Does a file that was opened by this path have a chosen path, too? */
enum answer { NOT_ASKED, NO, YES };

struct path_filter {
	struct path_table *paths;
	uint32_t *chosen; /* numbers of the paths, by every name; owned */
	size_t count;
	bool is_live; /* what paths lead to can be looked up: a log may be of another machine */
	unsigned char *answers; /* by number of a path; owned */
	size_t room;
	uint64_t unknown_files; /* calls with a descriptor, or below a directory, that is not known */
	uint64_t lists; /* calls whose descriptors are in memory, with a chosen file open */
};

static void choose(struct path_filter *filter, const char *path)
{
	if (!path)
		return;
	filter->chosen = checked_grow(filter->chosen, filter->count, sizeof(*filter->chosen));
	filter->chosen[filter->count++] = call_objects__named(filter->paths, path);
}

struct path_filter *path_filter__new(const struct run *run, struct path_table *paths)
{
	struct path_filter *filter;

	if (!run->path_count)
		return NULL;
	filter = checked_calloc(1, sizeof(*filter));
	filter->paths = paths;
	filter->is_live = run->kernel != NULL;
	for (size_t i = 0; i < run->path_count; i++) {
		choose(filter, run->paths[i].given);
		choose(filter, run->paths[i].absolute);
		choose(filter, run->paths[i].resolved);
	}
	return filter;
}

void path_filter__free(struct path_filter *filter)
{
	if (!filter)
		return;
	free(filter->chosen);
	free(filter->answers);
	free(filter);
}

static bool is_chosen(const struct path_filter *filter, uint32_t object)
{
	for (size_t i = 0; i < filter->count; i++)
		if (filter->chosen[i] == object)
			return true;
	return false;
}

static bool resolves_to_chosen(const struct path_filter *filter, uint32_t object)
{
	const char *text = path_table__text(filter->paths, object);
	autofree char *resolved = text && text[0] == '/' ? realpath(text, NULL) : NULL;
	bool does = false;

	for (size_t i = 0; resolved && i < filter->count; i++)
		does |= !strcmp(resolved, path_table__text(filter->paths, filter->chosen[i]));
	return does;
}

/* The file of a descriptor: by strace, which asks the kernel, it has its path without links. */
static bool is_chosen_file(struct path_filter *filter, uint32_t object)
{
	if (is_chosen(filter, object))
		return true;
	if (!filter->is_live || path_table__kind(filter->paths, object) != FILE_NAMED)
		return false;
	if (object >= filter->room) {
		size_t room = filter->room;

		filter->room = 2 * object + 64;
		filter->answers = checked(realloc(filter->answers, filter->room));
		memset(filter->answers + room, NOT_ASKED, filter->room - room);
	}
	if (filter->answers[object] == NOT_ASKED)
		filter->answers[object] = resolves_to_chosen(filter, object) ? YES : NO;
	return filter->answers[object] == YES;
}

struct asked {
	struct path_filter *filter;
	struct stream_process *process;
	const struct call_record *call;
	const struct file_call *kind;
	bool is_unsure;
};

/* A descriptor that led nowhere is that of no file. */
static bool was_open(const struct asked *asked, int32_t descriptor, int number)
{
	const struct call_record *call = asked->call;

	return descriptor >= 0 && !(call->returned && call->result == -EBADF) &&
	       !(call->not_open >> (number - 1) & 1);
}

static bool has_descriptor(struct asked *asked, int number)
{
	const char *shown = asked->call->leads_to[number - 1];
	uint64_t value;
	uint32_t object;

	if (!call_objects__argument(asked->call, number, &value))
		return false;
	if (shown && (int32_t)value >= 0)
		return is_chosen_file(asked->filter,
				      call_objects__named_by_kernel(asked->filter->paths, shown));
	object = call_objects__known(asked->filter->paths, asked->process, asked->call, number);
	if (object == OBJECT_UNKNOWN || object == OBJECT_OTHERS)
		asked->is_unsure |= was_open(asked, (int32_t)value, number);
	return object != OBJECT_UNKNOWN && (int32_t)value >= 0 &&
	       is_chosen_file(asked->filter, object);
}

/* Ends a chosen path so? A relative path with an unknown directory may then be it. */
static bool may_end_so(const struct path_filter *filter, const char *end)
{
	size_t length = strlen(end);

	for (size_t i = 0; i < filter->count; i++) {
		const char *text = path_table__text(filter->paths, filter->chosen[i]);
		size_t whole = strlen(text);

		if (whole > length && text[whole - length - 1] == '/' && !strcmp(text + whole - length, end))
			return true;
	}
	return false;
}

/* Which part of a relative path a path that it is joined to would end with. */
static const char *without_dots(const char *path)
{
	while (path[0] == '.' && (path[1] == '/' || (path[1] == '.' && path[2] == '/'))) {
		path += strcspn(path, "/");
		path += strspn(path, "/");
	}
	return path;
}

static bool has_path(struct asked *asked, int i, int directory)
{
	const struct call_record *call = asked->call;
	const char *path = call->paths[i], *text;
	uint32_t object;

	if (call->path_states[i] == PATH_UNREADABLE || call->path_states[i] == PATH_CUT)
		asked->is_unsure |= !(call->returned && call->result == -EFAULT);
	if (!path || !*path)
		return false; /* none, or that of the descriptor */
	object = call_objects__of_path(asked->filter->paths, asked->process, call, i, directory);
	if (is_chosen(asked->filter, object))
		return true;
	text = path_table__text(asked->filter->paths, object);
	if (path[0] != '/' && text && text[0] != '/')
		asked->is_unsure |= may_end_so(asked->filter, without_dots(path));
	return false;
}

static bool has_chosen_open(void *context, uint32_t object)
{
	return is_chosen_file(context, object);
}

bool path_filter__accepts(struct path_filter *filter, struct stream_process *process,
			  const struct call_record *call, const struct file_call *kind)
{
	struct asked asked = { filter, process, call, kind, false };
	bool does = false;

	if (kind->lists) {
		filter->lists += descriptors__any(process->descriptors, has_chosen_open, filter);
		return false;
	}
	if (kind->effect == EFFECT_CLOSE_RANGE) /* its numbers are no descriptors, to strace neither */
		return false;
	does |= kind->path && has_path(&asked, 0, kind->directory);
	does |= kind->other && has_path(&asked, 1, kind->other_directory);
	does |= kind->directory && has_descriptor(&asked, kind->directory);
	does |= kind->other_directory && has_descriptor(&asked, kind->other_directory);
	does |= kind->descriptor && has_descriptor(&asked, kind->descriptor);
	does |= kind->written && has_descriptor(&asked, kind->written);
	/* What is closed, and was perhaps not open, need not be known. */
	if (kind->replaced) {
		bool before = asked.is_unsure;

		does |= has_descriptor(&asked, kind->replaced);
		asked.is_unsure = before;
	}
	filter->unknown_files += !does && asked.is_unsure;
	return does;
}

void path_filter__finish(const struct path_filter *filter, struct run *run)
{
	if (filter->unknown_files)
		run__note(run, "for %llu calls it is unknown whether they access the path: the file of "
			       "their descriptor or directory is unknown%s",
			  (unsigned long long)filter->unknown_files,
			  filter->is_live ? "" : " (strace -y shows it)");
	if (filter->lists)
		run__note(run, "%llu calls of poll, select and the like were made while a file of -P was "
			       "open: their descriptors are in memory, so it is unknown whether they "
			       "wait for it, and they are not counted",
			  (unsigned long long)filter->lists);
	run->integrity.losses[LOSS_UNSURE_CALLS] += filter->unknown_files + filter->lists;
}

/* NULL: as `path` itself. */
static char *absolute_of(const char *path)
{
	autofree char *directory = path[0] == '/' ? NULL : getcwd(NULL, 0);
	char joined[2 * PATH_MAX], *absolute = NULL;

	if (directory && call_objects__join(joined, sizeof(joined), directory, path))
		absolute = checked_strdup(joined);
	return absolute;
}

void path_filter__choose(struct run *run, char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct selected_path path = { .given = checked_strdup(paths[i]),
					      .absolute = absolute_of(paths[i]),
					      .resolved = realpath(paths[i], NULL) };

		if (path.resolved && !strcmp(path.resolved, path.absolute ? path.absolute : path.given)) {
			free(path.resolved);
			path.resolved = NULL;
		}
		run->paths = checked_grow(run->paths, run->path_count, sizeof(*run->paths));
		run->paths[run->path_count++] = path;
	}
}
