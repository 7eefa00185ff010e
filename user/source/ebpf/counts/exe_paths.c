// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/counts/exe_paths.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct path {
	char *name;
	char *executed;
	uint64_t ino;
};

struct exe_paths {
	struct path *paths;
	uint32_t count;
};

struct exe_paths *exe_paths__new(void)
{
	return calloc(1, sizeof(struct exe_paths));
}

void exe_paths__free(struct exe_paths *paths)
{
	if (!paths)
		return;
	for (uint32_t i = 0; i < paths->count; i++) {
		free(paths->paths[i].name);
		free(paths->paths[i].executed);
	}
	free(paths->paths);
	free(paths);
}

static struct path *slot(struct exe_paths *paths, uint32_t index)
{
	if (index >= paths->count) {
		uint32_t count = 2 * index + 8;
		struct path *more = realloc(paths->paths, count * sizeof(*more));

		if (!more)
			return NULL;
		memset(more + paths->count, 0, (count - paths->count) * sizeof(*more));
		paths->paths = more;
		paths->count = count;
	}
	return &paths->paths[index];
}

static int open_proc(int32_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Where in its memory a process has the file name that it was executed by; 0: not known. */
static uint64_t execfn_address(int32_t pid)
{
	uint64_t words[2 * 64], address = 0;
	int fd = open_proc(pid, "auxv");
	ssize_t got = fd < 0 ? 0 : read(fd, words, sizeof(words));

	/* That of a 32-bit process has pairs of 32-bit words, and no such key at these places. */
	for (ssize_t i = 0; (i + 2) * (ssize_t)sizeof(*words) <= got && words[i]; i += 2)
		if (words[i] == AT_EXECFN)
			address = words[i + 1];
	if (fd >= 0)
		close(fd);
	return address;
}

/* Does that name lead the process to the file that it runs? Not that of a script, nor one moved. */
static bool leads_to(int32_t pid, const char *name, uint64_t ino)
{
	char path[PATH_MAX + 64];
	struct stat status;

	snprintf(path, sizeof(path), "/proc/%d/%s/%s", pid, *name == '/' ? "root" : "cwd", name);
	return stat(path, &status) == 0 && status.st_ino == ino;
}

static char *read_execfn(int32_t pid, uint64_t ino)
{
	uint64_t address = execfn_address(pid);
	char name[PATH_MAX] = "";
	int fd = address ? open_proc(pid, "mem") : -1;
	ssize_t got;

	if (fd < 0)
		return NULL;
	/* The end of the stack may come before that of the buffer. */
	got = pread(fd, name, sizeof(name) - 1, (off_t)address);
	close(fd);
	return got > 0 && *name && leads_to(pid, name, ino) ? strdup(name) : NULL;
}

void exe_paths__look_up(struct exe_paths *paths, uint32_t index, int32_t pid, bool attached)
{
	static const char deleted[] = " (deleted)";
	char link[32], target[PATH_MAX];
	struct stat status;
	struct path *path;
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	length = readlink(link, target, sizeof(target) - 1);
	if (!paths || length <= 0 || stat(link, &status))
		return;
	target[length] = '\0';
	if (length > (ssize_t)sizeof(deleted) - 1 &&
	    !strcmp(target + length - sizeof(deleted) + 1, deleted))
		target[length - sizeof(deleted) + 1] = '\0';
	path = slot(paths, index);
	if (!path || path->name)
		return;
	path->name = strdup(target);
	path->ino = status.st_ino;
	if (attached)
		path->executed = read_execfn(pid, path->ino);
}

static const struct path *known(const struct exe_paths *paths, uint32_t index, uint64_t ino)
{
	if (!paths || index >= paths->count || paths->paths[index].ino != ino)
		return NULL;
	return &paths->paths[index];
}

const char *exe_paths__get(const struct exe_paths *paths, uint32_t index, uint64_t ino)
{
	const struct path *path = known(paths, index, ino);

	return path ? path->name : NULL;
}

const char *exe_paths__executed(const struct exe_paths *paths, uint32_t index, uint64_t ino)
{
	const struct path *path = known(paths, index, ino);

	return path ? path->executed : NULL;
}
