/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ELF files for tests: in a directory of their own, built with what compilers are there, and held in
 * memory to be damaged.
 */
#ifndef FORKTAX_ELF_FILES_H
#define FORKTAX_ELF_FILES_H

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <stdbool.h>
#include <unistd.h>

#include "unit.h"

#include "elf/facts.h"

/* Where Debian has the libraries of this machine, and the dynamic linker. */
#ifdef __aarch64__
#define LIBRARIES "/usr/lib/aarch64-linux-gnu"
#define LINKER	  LIBRARIES "/ld-linux-aarch64.so.1"
#else
#define LIBRARIES "/usr/lib/x86_64-linux-gnu"
#define LINKER	  LIBRARIES "/ld-linux-x86-64.so.2"
#endif

static char directory[] = "/tmp/forktax-elf-XXXXXX";

/* Set-up and tear-down of a group of tests. */
static inline int make_directory(void **state)
{
	return mkdtemp(directory) ? 0 : -1;
}

static inline int remove_files(void **state)
{
	elf_files__forget();
	return remove_directory(directory);
}

/* DIRECTORY/NAME, static. */
static inline char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

/* As it is now, with nothing known of it from before; to be closed. */
static inline struct elf_file *open_elf(const char *path)
{
	struct elf_file *file;

	elf_files__forget();
	file = elf_file__open(path);
	if (file->opened != ELF_OPENED)
		fail_msg("%s: %s", path, elf_file__problem(file));
	return file;
}

struct bytes {
	unsigned char *data;
	size_t size;
};

static inline struct bytes bytes__read(const char *path)
{
	struct bytes bytes = { NULL, 0 };
	FILE *stream = fopen(path, "re");

	if (!stream)
		fail_msg("cannot open %s", path);
	fseek(stream, 0, SEEK_END);
	bytes.data = malloc(ftell(stream) + 1);
	bytes.size = ftell(stream);
	rewind(stream);
	assert_int_equal(fread(bytes.data, 1, bytes.size, stream), bytes.size);
	fclose(stream);
	return bytes;
}

/* The facts of bytes as if they were a file; a memory file named by its /proc path. */
static inline struct elf_facts *bytes__facts(const struct bytes *bytes, size_t size, char **reason)
{
	char path[32];
	struct elf_facts *facts;
	int fd = memfd_create("elf", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes->data, size), size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	*reason = NULL;
	facts = elf_facts__read(path, reason);
	close(fd);
	return facts;
}

/* Builds an empty program as DIRECTORY/NAME. False if there is no such compiler. */
static inline bool build(const char *name, const char *compiler)
{
	char command[1024];

	snprintf(command, sizeof(command),
		 "cd %s && echo 'int main(void) { return 0; }' >main.c && %s -o %s main.c "
		 "2>/dev/null",
		 directory, compiler, name);
	return system(command) == 0;
}

#endif
