/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ELF files, each opened once: all who ask about a file share one `struct elf_file`, and what is
 * made of it (symbols, relocations, facts) is made when somebody first wants it.
 *
 * The table of them belongs to the program, not to a caller: what a file states depends on nothing
 * but the file, so that to keep it changes no answer; and those who ask are in rooms that have
 * nothing else in common (names of a run, bindings, a rule of advice, columns of a comparison).
 *
 * A file is the same one while its real path leads to the same inode, with the same size and times.
 * One that has been written to within the last seconds is read again each time, as its times may not
 * show the next change. Files in use stay; of the others at most 128 are kept, and 64 MiB of what
 * was made of them: the first ones, since a program that is traced again maps its files in the same
 * order again. Each kept file holds one or two descriptors; where a process may have fewer than 1024,
 * fewer files are kept.
 */
#ifndef FORKTAX_ELF_FILE_H
#define FORKTAX_ELF_FILE_H

#include "elf/object.h"

enum elf_part_kind { ELF_PART_SYMBOLS, ELF_PART_RELOCATIONS, ELF_PART_FACTS, ELF_PART_CFI, ELF_PART_COUNT };

/* Filled by who makes it, once; the file then owns it. */
struct elf_part {
	bool made;
	void *data;   /* NULL: could not be made ... */
	char *reason; /* ... why */
	void (*release)(void *data);
	size_t bytes; /* of memory, about; small parts have 0 */
};

struct elf_file {
	enum elf_opened opened;
	char *reason; /* why it is unreadable or corrupt; NULL otherwise */
	struct elf_object object; /* if opened; else only `stat`, as far as that could be had */
	char *path; /* by which it was first asked for */
	struct elf_part parts[ELF_PART_COUNT];
	/* Of the table. */
	char *real_path; /* NULL: it leads nowhere, as those of memory files */
	unsigned int users;
	bool settled; /* its times would tell a change */
};

/* The file that is at `path` now; never NULL, to be closed. */
struct elf_file *elf_file__open(const char *path);
void elf_file__close(struct elf_file *file);

/* Why nothing can be said about it, for users; NULL: it is an ELF file. Lives as the file does. */
const char *elf_file__problem(const struct elf_file *file);

/* Closes all that nobody uses; asking for them later opens them again. */
void elf_files__forget(void);

#endif
