// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/call_objects.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"

bool call_objects__argument(const struct call_record *call, int number, uint64_t *value)
{
	if (!number || !(call->known & 1 << (number - 1)))
		return false;
	*value = call->arguments[number - 1];
	return true;
}

uint32_t call_objects__named(struct path_table *paths, const char *path)
{
	return path_table__number(paths, FILE_NAMED, path);
}

uint32_t call_objects__named_by_kernel(struct path_table *paths, const char *name)
{
	size_t kind = strcspn(name, ":[");
	autofree char *text = NULL;

	if (name[0] == '/' || name[0] == 'a' || name[kind] != ':' || name[kind + 1] != '[')
		return call_objects__named(paths, name);
	text = checked(strndup(name, kind + 1));
	return call_objects__named(paths, text);
}

struct span call_objects__span(const struct call_record *call)
{
	return (struct span){ call->entered, call->left };
}

/* Another thread may be about to change it. */
static uint32_t working_directory(const struct stream_process *process, const struct call_record *call)
{
	return call->entered < process->directory_since ? OBJECT_UNKNOWN : process->directory;
}

/* As far as calls tell; OBJECT_UNKNOWN. */
static uint32_t followed(const struct stream_process *process, const struct call_record *call, int32_t descriptor)
{
	bool worked = !call->returned || call->result != -EBADF;

	if (descriptor == AT_FDCWD)
		return working_directory(process, call);
	return descriptors__get(process->descriptors, descriptor, call_objects__span(call), worked);
}

/* The name of the open file that the source shows there, unless it is the one by which it was opened. */
static uint32_t shown_object(struct path_table *paths, const struct stream_process *process,
			     const char *name, int32_t descriptor, uint32_t object)
{
	uint32_t shown = call_objects__named_by_kernel(paths, name);

	return object != OBJECT_UNKNOWN && descriptors__shown(process->descriptors, descriptor) == shown ? object
													 : shown;
}

uint32_t call_objects__known(struct path_table *paths, struct stream_process *process,
			     const struct call_record *call, int number)
{
	uint64_t value;
	uint32_t object;

	if (!call_objects__argument(call, number, &value) || call->not_open >> (number - 1) & 1)
		return OBJECT_UNKNOWN;
	object = followed(process, call, (int32_t)value);
	if (!call->leads_to[number - 1])
		return object;
	return shown_object(paths, process, call->leads_to[number - 1], (int32_t)value, object);
}

uint32_t call_objects__of_descriptor(struct path_table *paths, struct stream_process *process,
				     const struct call_record *call, int number)
{
	uint32_t object = call_objects__known(paths, process, call, number);
	uint64_t value;
	char text[16];

	if (object != OBJECT_UNKNOWN || !call_objects__argument(call, number, &value) || (int32_t)value == AT_FDCWD)
		return object;
	snprintf(text, sizeof(text), "%d", (int32_t)value);
	return path_table__number(paths, FILE_DESCRIPTOR, text);
}

/* Where a relative path begins; NULL: not known. */
static const char *base_of(struct path_table *paths, struct stream_process *process,
			   const struct call_record *call, int directory)
{
	uint32_t object = directory ? call_objects__of_descriptor(paths, process, call, directory)
				    : working_directory(process, call);
	const char *text = path_table__text(paths, object);

	return text && text[0] == '/' && path_table__kind(paths, object) == FILE_NAMED ? text : NULL;
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

/* A path that begins at `base`, without "." and ".." at its begin. False: it is too long. */
static bool join_paths(char *joined, size_t room, const char *base, const char *path)
{
	size_t length = climb(base, &path);
	bool slash = *path && base[length - 1] != '/';

	return snprintf(joined, room, "%.*s%s%s", (int)length, base, slash ? "/" : "", path) < (int)room;
}

uint32_t call_objects__of_path(struct path_table *paths, struct stream_process *process,
			       const struct call_record *call, int i, int directory)
{
	const char *path = call->paths[i], *base;
	char joined[2 * PATH_MAX];
	bool empty = call->path_states[i] == PATH_NONE || (path && !*path);

	if (empty && directory && call->result != -ENOENT && call->result != -EFAULT)
		return call_objects__of_descriptor(paths, process, call, directory);
	if (!path || call->path_states[i] == PATH_UNREADABLE || call->path_states[i] == PATH_NONE)
		return OBJECT_UNREADABLE;
	if (path[0] == '/' || !*path)
		return call_objects__named(paths, path);
	base = base_of(paths, process, call, directory);
	if (!base)
		return call_objects__named(paths, path);
	return join_paths(joined, sizeof(joined), base, path) ? call_objects__named(paths, joined) : OBJECT_OTHERS;
}

/* The descriptor of this process that the path stands for; -1: none. */
static int32_t descriptor_of(const char *path)
{
	static const char *const streams[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
	static const char *const directories[] = { "/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/" };

	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++)
		if (!strcmp(path, streams[i]))
			return (int32_t)i;
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		size_t length = strlen(directories[i]);
		const char *number = path + length;

		if (!strncmp(path, directories[i], length) && *number && !number[strspn(number, "0123456789")])
			return atoi(number);
	}
	return -1;
}

static bool is_of_another_process(const char *path)
{
	size_t digits = strncmp(path, "/proc/", 6) ? 0 : strspn(path + 6, "0123456789");

	return digits && !strncmp(path + 6 + digits, "/fd/", 4);
}

uint32_t call_objects__opened(struct path_table *paths, const struct stream_process *process,
			      const struct call_record *call, uint32_t object)
{
	const char *text = path_table__text(paths, object);
	int32_t descriptor = text ? descriptor_of(text) : -1;

	if (text && is_of_another_process(text))
		return OBJECT_UNKNOWN;
	return descriptor < 0 ? object : followed(process, call, descriptor);
}
