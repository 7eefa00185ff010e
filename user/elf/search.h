/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Searches for one library as ld.so does, with /etc/ld.so.cache, where ldconfig notes where
 * libraries are.
 */
#ifndef FORKTAX_ELF_SEARCH_H
#define FORKTAX_ELF_SEARCH_H

#include "elf/facts.h"

struct ld_cache {
	char *data;
	size_t size;
	size_t entries; /* offset of the first entry */
	size_t count;
};

/* An object that may need others: the program, or a library found before. */
struct elf_user {
	const struct elf_user *needed_by; /* NULL: the program */
	char *directory;		  /* $ORIGIN */
	char *rpath, *runpath;		  /* NULL: none */
};

struct elf_search {
	const struct elf_facts *program;
	struct ld_cache cache;	 /* empty for musl */
	char *defaults;		 /* directories, separated by colons */
	unsigned int opens_left; /* hostile files must not keep us searching */
};

void elf_search__start(struct elf_search *search, const struct elf_facts *program);
void elf_search__end(struct elf_search *search);

void elf_user__fill(struct elf_user *user, const struct elf_object *object, const char *path);
void elf_user__release(struct elf_user *user);

/*
 * Finds `name` for `user` and opens it (to be closed). Returns its path, to be freed, or NULL.
 * Files of another class or machine are passed over, as ld.so does.
 */
char *elf_search__find(struct elf_search *search, const struct elf_user *user, const char *name,
		       struct elf_file **file);

#endif
