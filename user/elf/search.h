/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The search of ld.so for one library.
 */
#ifndef FORKTAX_ELF_SEARCH_H
#define FORKTAX_ELF_SEARCH_H

#include "elf/facts.h"
#include "elf/ld_cache.h"

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
