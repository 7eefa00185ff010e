/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the ELF files of a command ask of the dynamic linker.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BINDNOW_FILES_H
#define FORKTAX_ANALYSIS_BINDNOW_BINDNOW_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


/* When the functions that an ELF file calls in other files are bound to their addresses. */
enum bindnow_way {
	WAY_UNKNOWN,  /* the file could not be read */
	WAY_LAZY,     /* at their first call: the only way that LD_BIND_NOW changes */
	WAY_NOW,      /* at start: the file asks for it */
	WAY_MUSL,     /* at start: musl never does otherwise */
	WAY_NO_SLOTS, /* it calls none, or only through words bound at start (-fno-plt) */
	WAY_SELF,     /* a dynamic linker: it binds itself first of all */
	WAY_STATIC,   /* no dynamic linker */
	WAY_COUNT
};

extern const char *const bindnow_way_keys[WAY_COUNT];

/* A file that the dynamic linker binds, as it is on disk. */
struct bindnow_file {
	char *path;
	bool is_program; /* executed; else a library */
	/* Mapped by the command itself when it starts: its program or a library of that. */
	bool at_start;
	bool opened; /* a library that no file asks for: opened by dlopen(3), or preloaded */
	enum bindnow_way way;
	uint64_t functions; /* of other files, that it binds one by one */
	char *reason; /* why it could not be read; NULL */
};

struct bindnow_files {
	struct bindnow_file *files; /* the command's program and its libraries go first */
	size_t count;
	size_t left_out; /* executables beyond those that were read */
	bool is_secure; /* set-user-ID or similar: ld.so may ignore LD_BIND_NOW */
};

void bindnow_files__free(struct bindnow_files *files);

/* Which of the files that bind at the first call. */
enum bindnow_kind { LAZY_PROGRAMS, LAZY_LIBRARIES, LAZY_OPENED, LAZY_KIND_COUNT };
struct lazy_functions {
	uint64_t functions;
	size_t files;
	const char *path; /* of one of them, borrowed; NULL: there is none */
};
struct lazy_functions bindnow_files__lazy(const struct bindnow_files *files, enum bindnow_kind kind);
/* How many functions all of them bind at the first call. */
uint64_t bindnow_files__functions(const struct bindnow_files *files);

/* Were all files read that the command maps when it starts, and all executables? */
bool bindnow_files__are_known(const struct bindnow_files *files);

#endif
