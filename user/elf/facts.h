/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What an executable file states about itself: linkage, libc, libraries, RELRO, BIND_NOW. Only
 * the program headers and dynamic tags are needed, as for the kernel and ld.so; section headers
 * add what they can.
 */
#ifndef FORKTAX_ELF_FACTS_H
#define FORKTAX_ELF_FACTS_H

#include "elf/dynamic.h"
#include "elf/file.h"

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

enum elf_relro { RELRO_NONE, RELRO_PARTIAL, RELRO_FULL, RELRO_COUNT };

extern const char *const elf_linkage_keys[LINKAGE_COUNT]; /* "dynamic", "dynamic-now", ... */
extern const char *const elf_libc_keys[LIBC_COUNT];	  /* "unknown", "glibc", ... */
extern const char *const elf_relro_keys[RELRO_COUNT];	  /* "none", "partial", "full" */

struct elf_library {
	char *name; /* as some DT_NEEDED names it */
	char *path; /* where ld.so would find it; NULL: nowhere that we looked */
};

struct elf_facts {
	unsigned int holders; /* besides its owner; of elf_facts__read() and elf_facts__free() */
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

/*
 * The file's own, for as long as it is open. Files that are not ELF have facts, too. NULL and a
 * reason (the file's own, too) if it cannot be read or contradicts itself.
 */
const struct elf_facts *elf_facts__of(struct elf_file *file, const char **reason);
/*
 * The same for the file at a path; facts and reason are to be freed. Others may hold the same
 * facts: they must not be changed.
 */
struct elf_facts *elf_facts__read(const char *path, char **reason);
void elf_facts__free(struct elf_facts *facts); /* NULL is fine */

/* Libraries that were found nowhere. */
size_t elf_facts__missing(const struct elf_facts *facts);

/* ----- parts of the reading, each a search of its own ----- */

/*
 * Which libc an ELF file uses, by evidence only. A dynamic file names its libc by its interpreter,
 * else by DT_NEEDED. A static one shows it by symbols or sections that only that libc has; stripped
 * static musl and dietlibc programs carry none, and stay LIBC_UNKNOWN.
 */
enum elf_libc elf_libc__of(const struct elf_object *object, const struct elf_facts *facts);

/*
 * Which libraries ld.so would load for a program, and from where: fills libraries, library_count
 * and libraries_known. `path` is the file itself, for $ORIGIN. The rules are those of ld.so(8):
 * DT_RPATH of the object and of those that needed it (unless there is a DT_RUNPATH), DT_RUNPATH,
 * the cache, the default directories; of musl: both alike, then its path file. $ORIGIN is expanded.
 *
 * Left out on purpose, because the answer should depend on files only: LD_LIBRARY_PATH and
 * LD_PRELOAD, /etc/ld.so.preload, libraries for optional CPU features (glibc-hwcaps), directories
 * with $LIB or $PLATFORM, and what the program opens with dlopen(3) later.
 */
void elf_closure__resolve(struct elf_facts *facts, const struct elf_object *object,
			  const char *path);

#endif
