/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the ELF files of a command ask of the dynamic linker.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BINDNOW_FILES_H
#define FORKTAX_ANALYSIS_BINDNOW_BINDNOW_FILES_H

#include "analysis/bindnow/bindnow_way.h"
#include "analysis/compare/compare_column.h"
#include "relocation_kind.h"

/* A file that the dynamic linker binds, as it is on disk. */
struct bindnow_file {
	char *path;
	bool is_program; /* executed; else a library */
	/* Mapped by the command itself when it starts: its program or a library of that. */
	bool at_start;
	enum bindnow_way way;
	enum elf_relro relro;
	unsigned int asks; /* enum elf_bind_now, or-ed */
	uint64_t relocations[RELOC_KIND_COUNT]; /* ABSENT: not known */
	char *reason; /* why it could not be read; NULL */
};

struct bindnow_files {
	struct bindnow_file *files; /* the command's program and its libraries go first */
	size_t count;
	size_t left_out; /* executables beyond those that were read */
};

void bindnow_files__free(struct bindnow_files *files); /* its contents */
/* Relocations of the kinds low..high in all files mapped at start; NAN if one file is not known. */
double bindnow_files__relocations(const struct bindnow_files *files, enum relocation_kind low,
				  enum relocation_kind high, bool lazy_only);

#endif
