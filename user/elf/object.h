/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One ELF file opened for reading: header, segments and dynamic tags, all checked against the
 * size of the file. The file is read, never mapped: another process may truncate it meanwhile.
 */
#ifndef FORKTAX_ELF_OBJECT_H
#define FORKTAX_ELF_OBJECT_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Longer paths do not exist for the kernel, and longer names not for ld.so. */
#define ELF_STRING_MAX 4096

struct elf_object {
	int fd;
	Elf *elf;
	struct stat stat;
	GElf_Ehdr header;
	GElf_Phdr *segments;
	size_t segment_count;
	GElf_Dyn *dynamic; /* up to DT_NULL, which is left out */
	size_t dynamic_count;
	uint64_t strings, strings_size; /* DT_STRTAB as file offset; size 0: none */
};

enum elf_opened { ELF_OPENED, ELF_IS_NO_ELF, ELF_UNREADABLE, ELF_CORRUPT };

/*
 * On ELF_OPENED the object is to be closed. On ELF_IS_NO_ELF only `stat` is filled and `reason`
 * untouched; otherwise `reason` (to be freed) says what is wrong.
 */
enum elf_opened elf_object__open(struct elf_object *object, const char *path, char **reason);
/*
 * The same without segments and dynamic tags, for files that only accompany others: the segments
 * of a debug file have no contents there.
 */
enum elf_opened elf_object__open_headers(struct elf_object *object, const char *path, char **reason);
void elf_object__close(struct elf_object *object);

/* Exactly `size` bytes at `offset`, or false. */
bool elf_object__read(const struct elf_object *object, uint64_t offset, void *buffer, size_t size);
/* The string of at most `limit` bytes at `offset`, to be freed; NULL if it does not end there. */
char *elf_object__string(const struct elf_object *object, uint64_t offset, uint64_t limit);
/* The string that a dynamic tag such as DT_NEEDED names, to be freed; NULL if there is none. */
char *elf_object__dynamic_string(const struct elf_object *object, uint64_t index);
/*
 * The file offset that an address of the loaded image comes from; `rest` bytes of its segment
 * follow there (0: it comes from nowhere in the file).
 */
uint64_t elf_object__file_offset(const struct elf_object *object, uint64_t address, uint64_t *rest);
/* Exactly `size` bytes that come from the file at an address of the loaded image, or false. */
bool elf_object__read_at(const struct elf_object *object, uint64_t address, void *buffer, size_t size);
/* The first segment of that type, or NULL. */
const GElf_Phdr *elf_object__segment(const struct elf_object *object, uint32_t type);
/* The first dynamic entry with that tag, or NULL. */
const GElf_Dyn *elf_object__tag(const struct elf_object *object, int64_t tag);
/* Its value; 0 if there is none. */
uint64_t elf_object__tag_value(const struct elf_object *object, int64_t tag);

#endif
