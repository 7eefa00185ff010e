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

#include "base/memory.h"
#include "base/procfs.h"

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
	return checked_calloc(1, sizeof(struct exe_paths));
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
		struct path *more = checked(reallocarray(paths->paths, count, sizeof(*more)));

		memset(more + paths->count, 0, (count - paths->count) * sizeof(*more));
		paths->paths = more;
		paths->count = count;
	}
	return &paths->paths[index];
}

/* The address, in its memory, of the file name that a process was executed by; 0: unknown. */
static uint64_t execfn_address(int32_t pid)
{
	uint64_t words[2 * 64], address = 0;
	int fd = procfs__open_fd(pid, "auxv", O_RDONLY);
	ssize_t got = fd < 0 ? 0 : read(fd, words, sizeof(words));

	/* A 32-bit process has pairs of 32-bit words, and no such key at these places. */
	for (ssize_t i = 0; (i + 2) * (ssize_t)sizeof(*words) <= got && words[i]; i += 2)
		if (words[i] == AT_EXECFN)
			address = words[i + 1];
	if (fd >= 0)
		close(fd);
	return address;
}

/*
 * Does that name lead the process to the file it runs? It does not after a move, nor for a script.
 */
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
	int fd = address ? procfs__open_fd(pid, "mem", O_RDONLY) : -1;
	ssize_t got;

	if (fd < 0)
		return NULL;
	/* The stack may end before the buffer does. */
	got = pread(fd, name, sizeof(name) - 1, (off_t)address);
	close(fd);
	return got > 0 && *name && leads_to(pid, name, ino) ? checked_strdup(name) : NULL;
}

static void cut_deleted(char *name)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(name), end = sizeof(deleted) - 1;

	if (length > end && !strcmp(name + length - end, deleted))
		name[length - end] = '\0';
}

/* The path of what it runs, to be freed, and the file; NULL: it has ended. */
static char *read_exe(int32_t pid, struct stat *status)
{
	char *name = procfs__link(pid, "exe");
	int fd = name ? procfs__open_fd(pid, "exe", O_PATH) : -1;

	if (fd < 0 || fstat(fd, status)) {
		free(name);
		name = NULL;
	} else {
		cut_deleted(name);
	}
	if (fd >= 0)
		close(fd);
	return name;
}

/* Not on btrfs and overlayfs, which have devices of their own for stat(2). */
static bool is_that_file(const struct message *message, const struct stat *status)
{
	return status->st_ino == message->ino && kernel_device(status->st_dev) == message->dev;
}

/* Most often it is the one that has created it. */
static char *search_exe(const struct message *message, struct stat *status)
{
	size_t count;
	int32_t *pids = procfs__pids(&count);
	char *name = NULL;

	for (size_t i = 0; !name && i < count; i++) {
		name = read_exe(pids[i], status);
		if (name && !is_that_file(message, status)) {
			free(name);
			name = NULL;
		}
	}
	free(pids);
	return name;
}

void exe_paths__look_up(struct exe_paths *paths, const struct message *message, bool attached)
{
	struct path *path = slot(paths, message->id);
	struct stat status = {};

	if (path->name)
		return;
	path->name = read_exe(message->pid, &status);
	if (path->name && attached)
		path->executed = read_execfn(message->pid, status.st_ino);
	if (attached && (!path->name || status.st_ino != message->ino)) {
		char *other = search_exe(message, &status);

		if (other) {
			free(path->name);
			free(path->executed);
			path->name = other;
			path->executed = NULL;
		}
	}
	path->ino = status.st_ino;
}

static const struct path *known(const struct exe_paths *paths, uint32_t index, uint64_t ino)
{
	if (index >= paths->count || paths->paths[index].ino != ino)
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
