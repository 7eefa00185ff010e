// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/file.h"

#include <sys/resource.h>
#include <time.h>

#include "base/memory.h"

enum {
	FILES_KEPT = 128,
	DESCRIPTORS_EACH = 8, /* a file may use two of those that we may have; others need some, too */
	BYTES_KEPT = 64 << 20,
	SETTLED_AFTER = 2, /* seconds: the coarsest time stamps of file systems (FAT) */
};

/* In the order in which they were opened. */
static struct {
	struct elf_file **list;
	size_t count;
} files;

static bool is_equal_time(const struct timespec *left, const struct timespec *right)
{
	return left->tv_sec == right->tv_sec && left->tv_nsec == right->tv_nsec;
}

static bool is_unchanged(const struct stat *then, const struct stat *now)
{
	return then->st_dev == now->st_dev && then->st_ino == now->st_ino && then->st_size == now->st_size &&
	       is_equal_time(&then->st_mtim, &now->st_mtim) && is_equal_time(&then->st_ctim, &now->st_ctim);
}

static bool is_settled(const struct stat *stat)
{
	time_t changed = stat->st_mtim.tv_sec > stat->st_ctim.tv_sec ? stat->st_mtim.tv_sec : stat->st_ctim.tv_sec;

	return time(NULL) - changed > SETTLED_AFTER;
}

/* Where a file is decides where its libraries and debug files are: $ORIGIN, .gnu_debuglink. */
static bool is_at(const struct elf_file *file, const char *path, const char *real_path)
{
	if (file->real_path && real_path)
		return !strcmp(file->real_path, real_path);
	return !strcmp(file->path, path);
}

static struct elf_file *find_known(const char *path, const char *real_path)
{
	struct stat now;

	if (stat(path, &now))
		return NULL;
	for (size_t i = 0; i < files.count; i++) {
		struct elf_file *file = files.list[i];

		if (!file->settled || !is_at(file, path, real_path))
			continue;
		if (is_unchanged(&file->object.stat, &now))
			return file;
		file->settled = false;
	}
	return NULL;
}

/* Takes over `real_path`. */
static struct elf_file *add_file(const char *path, char *real_path)
{
	struct elf_file *file = checked_calloc(1, sizeof(*file));

	file->path = checked_strdup(path);
	file->real_path = real_path;
	file->opened = elf_object__open(&file->object, path, &file->reason);
	file->settled = file->opened != ELF_UNREADABLE && is_settled(&file->object.stat);
	files.list = checked_grow(files.list, files.count, sizeof(struct elf_file *));
	files.list[files.count++] = file;
	return file;
}

struct elf_file *elf_file__open(const char *path)
{
	char *real_path = realpath(path, NULL);
	struct elf_file *file = find_known(path, real_path);

	if (file)
		free(real_path);
	else
		file = add_file(path, real_path);
	file->users++;
	return file;
}

static void remove_file(size_t index)
{
	struct elf_file *file = files.list[index];

	files.count--;
	memmove(&files.list[index], &files.list[index + 1], (files.count - index) * sizeof(struct elf_file *));
	for (int i = 0; i < ELF_PART_COUNT; i++) {
		if (file->parts[i].data)
			file->parts[i].release(file->parts[i].data);
		free(file->parts[i].reason);
	}
	elf_object__close(&file->object);
	free(file->reason);
	free(file->path);
	free(file->real_path);
	free(file);
}

static size_t bytes_of(const struct elf_file *file)
{
	size_t bytes = 0;

	for (int i = 0; i < ELF_PART_COUNT; i++)
		bytes += file->parts[i].bytes;
	return bytes;
}

/* Unused files go, the last ones first, until the rest keeps to the limits. */
static void keep_at_most(size_t count, size_t bytes)
{
	size_t all = 0;

	for (size_t i = 0; i < files.count; i++)
		all += bytes_of(files.list[i]);
	for (size_t i = files.count; i--;) {
		size_t own = bytes_of(files.list[i]);

		if (files.list[i]->users || (files.list[i]->settled && files.count <= count && all <= bytes))
			continue;
		all -= own;
		remove_file(i);
	}
}

void elf_file__close(struct elf_file *file)
{
	size_t count = FILES_KEPT;
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / DESCRIPTORS_EACH < count)
		count = limit.rlim_cur / DESCRIPTORS_EACH;
	file->users--;
	keep_at_most(count, BYTES_KEPT);
}

void elf_files__forget(void)
{
	keep_at_most(0, 0);
	if (files.count)
		return;
	free(files.list);
	files.list = NULL;
}

const char *elf_file__problem(const struct elf_file *file)
{
	return file->opened == ELF_IS_NO_ELF ? "it is not an ELF file" : file->reason;
}
