// SPDX-License-Identifier: GPL-2.0-or-later
/* What a process has open before its first call in the stream. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/procfs.h"
#include "source/calls/call_stream.h"

static bool closes_on_exec(int32_t pid, int32_t descriptor)
{
	char path[64], line[64];
	unsigned int flags = 0;
	FILE *file;

	snprintf(path, sizeof(path), "fdinfo/%d", descriptor);
	file = procfs__open(pid, path);
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file))
		sscanf(line, "flags: %o", &flags);
	fclose(file);
	return flags & O_CLOEXEC;
}

static void look_at_descriptor(struct call_stream *stream, uint64_t id, int32_t pid, int32_t descriptor, uint64_t since)
{
	char path[64], *target;

	snprintf(path, sizeof(path), "fd/%d", descriptor);
	target = procfs__link(pid, path);
	if (target)
		call_stream__descriptor(stream, id, descriptor, target, closes_on_exec(pid, descriptor), since);
	free(target);
}

void call_stream__look_at(struct call_stream *stream, uint64_t id, int32_t pid, uint64_t since)
{
	char *directory = procfs__link(pid, "cwd"), path[32];
	struct dirent *entry;
	DIR *descriptors;

	if (directory)
		call_stream__directory(stream, id, directory, since);
	free(directory);
	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	descriptors = opendir(path);
	while (descriptors && (entry = readdir(descriptors)))
		if (entry->d_name[0] != '.')
			look_at_descriptor(stream, id, pid, atoi(entry->d_name), since);
	if (descriptors)
		closedir(descriptors);
}
