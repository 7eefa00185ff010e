/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What an executable file states about itself: linkage, libc, libraries, RELRO, BIND_NOW. elf/facts.h
 * reads it.
 */
#ifndef FORKTAX_MODEL_RUN_ELF_FACTS_H
#define FORKTAX_MODEL_RUN_ELF_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum elf_linkage {
	LINKAGE_DYNAMIC,     /* has an interpreter and binds lazily */
	LINKAGE_DYNAMIC_NOW, /* has an interpreter and asks for BIND_NOW */
	LINKAGE_STATIC,	     /* no interpreter, fixed address */
	LINKAGE_STATIC_PIE,  /* no interpreter, relocates itself */
	LINKAGE_LIBRARY,     /* shared object without an interpreter */
	LINKAGE_OBJECT,	     /* relocatable file, core file: nothing to execute */
	LINKAGE_SCRIPT,	     /* "#!"; interp is what the line names */
	LINKAGE_NOT_ELF,
	LINKAGE_COUNT
};

enum elf_libc {
	LIBC_UNKNOWN, /* no evidence in the file */
	LIBC_GLIBC,
	LIBC_MUSL,
	LIBC_DIETLIBC,
	LIBC_UCLIBC,
	LIBC_BIONIC,
	LIBC_OTHER, /* an interpreter that forktax does not know */
	LIBC_COUNT
};

/* The three ways in which a file can ask for BIND_NOW; linkers write one, two or all of them. */
enum elf_bind_now { NOW_BY_TAG = 1, NOW_BY_FLAGS = 2, NOW_BY_FLAGS_1 = 4 };

enum elf_relro { RELRO_NONE, RELRO_PARTIAL, RELRO_FULL, RELRO_COUNT };

extern const char *const elf_linkage_keys[LINKAGE_COUNT]; /* "dynamic", "dynamic-now", ... */
extern const char *const elf_libc_keys[LIBC_COUNT];	  /* "unknown", "glibc", ... */
extern const char *const elf_relro_keys[RELRO_COUNT];	  /* "none", "partial", "full" */

struct elf_library {
	char *name; /* as some DT_NEEDED names it */
	char *path; /* where ld.so would find it; NULL: nowhere that we looked */
};

struct elf_facts {
	unsigned int holders; /* besides its owner; elf_facts__free() counts them down */
	uint64_t size;	 /* bytes */
	uint64_t blocks; /* allocated, in KiB, as ls -s shows */
	enum elf_linkage linkage;
	enum elf_libc libc;
	enum elf_relro relro;
	unsigned int bind_now;	    /* enum elf_bind_now, or-ed; 0: lazy, or nothing to bind */
	unsigned int bits;	    /* 32 or 64; 0 if not ELF */
	unsigned int type, machine; /* e_type, e_machine */
	bool pie, stripped, has_sections;
	char *interp;  /* NULL: none */
	char **needed; /* DT_NEEDED in the order of the file */
	size_t needed_count;
	/*
	 * All libraries that ld.so would load at startup, in its order, ld.so itself left out (with
	 * musl it is the libc). libraries_known is false where the rules of ld.so are not known.
	 */
	struct elf_library *libraries;
	size_t library_count;
	bool libraries_known;
};

void elf_facts__free(struct elf_facts *facts); /* NULL is fine */

/* Libraries that were found nowhere. */
size_t elf_facts__missing(const struct elf_facts *facts);

#endif
