// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/untrusted.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/memory.h"

enum { FIRST_LINE_MOST = 256 /* bytes: the kernel looks no further for an interpreter */ };

/* Reading these may wait, as /proc/kmsg does, or take what others wait for. */
static bool is_made_up(int fd)
{
	struct statfs of;

	if (fstatfs(fd, &of))
		return true;
	switch ((uint32_t)of.f_type) {
	case PROC_SUPER_MAGIC:
	case SYSFS_MAGIC:
	case DEBUGFS_MAGIC:
	case TRACEFS_MAGIC:
		return true;
	default:
		return false;
	}
}

/* O_PATH: it is found, but not opened, so a device does not notice. */
static int find_file(const char *path, int flags, struct stat *status)
{
	int fd = open(path, O_PATH | O_CLOEXEC | flags);

	if (fd < 0)
		return -1;
	if (!fstat(fd, status) && S_ISREG(status->st_mode) && !is_made_up(fd))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

/* O_NONBLOCK: a lease (fcntl(2)) of another process is not waited for. */
int untrusted__open(const char *path, int flags, struct stat *status)
{
	int found = find_file(path, flags, status), fd, error;
	char link[32];

	if (found < 0)
		return -1;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
	fd = open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	error = errno;
	close(found);
	errno = error;
	return fd;
}

/* 0 at the end, -1 with errno. */
static ssize_t read_some(int fd, char *bytes, size_t size)
{
	ssize_t got;

	do {
		got = read(fd, bytes, size);
	} while (got < 0 && errno == EINTR);
	return got;
}

size_t untrusted__head(const char *path, char *bytes, size_t size)
{
	struct stat status;
	int fd = untrusted__open(path, 0, &status);
	size_t count = 0;
	ssize_t got;

	if (fd < 0)
		return 0;
	while (count < size && (got = read_some(fd, bytes + count, size - count)) > 0)
		count += got;
	close(fd);
	return count;
}

char *untrusted__interpreter(const char *path)
{
	char line[FIRST_LINE_MOST + 1] = "", *start = line + 2;

	if (untrusted__head(path, line, FIRST_LINE_MOST) < 2 || memcmp(line, "#!", 2))
		return NULL;
	start += strspn(start, " \t");
	start[strcspn(start, " \t\n")] = '\0';
	return *start ? checked_strdup(start) : NULL;
}

bool untrusted_budget__take(struct untrusted_budget *budget, size_t bytes)
{
	if (bytes > UNTRUSTED_ALL_MOST - budget->used) {
		budget->cut = true;
		return false;
	}
	budget->used += bytes;
	return true;
}

struct untrusted_lines untrusted_lines__of(int fd, struct untrusted_budget *budget)
{
	return (struct untrusted_lines){
		.fd = fd,
		.budget = budget,
		.bytes = checked_calloc(UNTRUSTED_LINE_MOST + 1, 1),
	};
}

/* How much may be read now: 1 byte more than the file's share, to see whether there is more. */
static size_t may_read(const struct untrusted_lines *lines)
{
	const size_t room = UNTRUSTED_LINE_MOST - lines->end, of_file = UNTRUSTED_FILE_MOST - lines->read,
		     of_all = UNTRUSTED_ALL_MOST - lines->budget->used, least = of_file < of_all ? of_file : of_all;

	return room <= least ? room : least + 1;
}

static void fill(struct untrusted_lines *lines)
{
	size_t size;
	ssize_t got;

	if (lines->begin) {
		memmove(lines->bytes, lines->bytes + lines->begin, lines->end - lines->begin);
		lines->end -= lines->begin;
		lines->begin = 0;
	}
	size = may_read(lines);
	got = read_some(lines->fd, lines->bytes + lines->end, size);
	lines->failed |= got < 0;
	lines->at_end = got <= 0;
	if (got <= 0)
		return;
	if (lines->read + got > UNTRUSTED_FILE_MOST || lines->budget->used + got > UNTRUSTED_ALL_MOST) {
		lines->budget->cut = lines->at_end = true;
		got--;
	}
	lines->read += got;
	lines->budget->used += got;
	lines->end += got;
}

/* The line from `begin` on, of `length` bytes; `taken` with the newline. NULL: the rest of a long one. */
static char *pass(struct untrusted_lines *lines, size_t *length, size_t taken)
{
	char *line = lines->skips ? NULL : lines->bytes + lines->begin;

	lines->bytes[lines->begin + *length] = '\0';
	lines->skips = *length == UNTRUSTED_LINE_MOST;
	lines->begin += taken;
	return line;
}

char *untrusted_lines__next(struct untrusted_lines *lines, size_t *length)
{
	for (;;) {
		char *begin = lines->bytes + lines->begin, *line = NULL;
		const size_t there = lines->end - lines->begin;
		const char *newline = there ? memchr(begin, '\n', there) : NULL;

		*length = newline ? (size_t)(newline - begin) : there;
		if (newline)
			line = pass(lines, length, *length + 1);
		else if (there == UNTRUSTED_LINE_MOST || (lines->at_end && there))
			line = pass(lines, length, *length);
		else if (lines->at_end)
			return NULL;
		else
			fill(lines);
		if (line)
			return line;
	}
}

void untrusted_lines__close(struct untrusted_lines *lines)
{
	if (lines->fd >= 0)
		close(lines->fd);
	free(lines->bytes);
	*lines = (struct untrusted_lines){ .fd = -1 };
}
