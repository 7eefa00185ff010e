// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/closure.h"

#include <stdio.h>

#include "base/memory.h"
#include "elf/search.h"

enum { LIBRARIES_MAX = 1024 };

/* musl is its own libpthread, libm, ...: such needs are met by the interpreter. */
static const char *const musl_itself[] = { "libc.",  "libpthread.", "librt.",  "libm.",
					   "libdl.", "libutil.",    "libxnet." };

static bool is_interpreter(const struct elf_facts *facts, const char *name)
{
	const char *slash = strrchr(facts->interp, '/');

	if (!strcmp(name, slash ? slash + 1 : facts->interp))
		return true;
	if (facts->libc != LIBC_MUSL)
		return false;
	for (size_t i = 0; i < sizeof(musl_itself) / sizeof(musl_itself[0]); i++) {
		if (!strncmp(name, musl_itself[i], strlen(musl_itself[i])))
			return true;
	}
	return false;
}

static bool is_listed(const struct elf_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->library_count; i++) {
		if (!strcmp(facts->libraries[i].name, name))
			return true;
	}
	return false;
}

/* Looks for one library; when it is there, its own needs wait at the end of `users`. */
static void add_library(struct elf_facts *facts, char *name, struct elf_search *search,
			struct elf_user **users, const struct elf_user *user)
{
	size_t index = facts->library_count;
	struct elf_object object;
	char *path = elf_search__find(search, user, name, &object);

	facts->libraries = checked_grow(facts->libraries, index, sizeof(*facts->libraries));
	facts->libraries[index] = (struct elf_library){ .name = name, .path = path };
	facts->library_count++;
	if (!path)
		return;
	users[index] = checked_calloc(1, sizeof(*users[index]));
	users[index]->needed_by = user;
	elf_user__fill(users[index], &object, path);
	elf_object__close(&object);
}

static void add_needs(struct elf_facts *facts, const struct elf_object *object,
		      struct elf_search *search, struct elf_user **users,
		      const struct elf_user *user)
{
	for (size_t i = 0; i < object->dynamic_count; i++) {
		char *name;

		if (object->dynamic[i].d_tag != DT_NEEDED || facts->library_count == LIBRARIES_MAX)
			continue;
		name = elf_object__dynamic_string(object, object->dynamic[i].d_un.d_val);
		if (!name || is_interpreter(facts, name) || is_listed(facts, name))
			free(name);
		else
			add_library(facts, name, search, users, user);
	}
}

static bool has_known_rules(const struct elf_facts *facts)
{
	bool dynamic = facts->linkage == LINKAGE_DYNAMIC || facts->linkage == LINKAGE_DYNAMIC_NOW;

	return dynamic && (facts->libc == LIBC_GLIBC || facts->libc == LIBC_MUSL);
}

/* Breadth first, as ld.so does: the order of the list is the order of symbol lookup. */
void elf_closure__resolve(struct elf_facts *facts, const struct elf_object *object,
			  const char *path)
{
	struct elf_user *users[LIBRARIES_MAX] = { NULL };
	struct elf_user program = { NULL };
	struct elf_search search;

	facts->libraries_known = facts->linkage == LINKAGE_STATIC ||
				 facts->linkage == LINKAGE_STATIC_PIE || has_known_rules(facts);
	if (!has_known_rules(facts))
		return;
	elf_search__start(&search, facts);
	elf_user__fill(&program, object, path);
	add_needs(facts, object, &search, users, &program);
	for (size_t i = 0; i < facts->library_count; i++) {
		struct elf_object library;
		char *reason = NULL;

		if (users[i] &&
		    elf_object__open(&library, facts->libraries[i].path, &reason) == ELF_OPENED) {
			add_needs(facts, &library, &search, users, users[i]);
			elf_object__close(&library);
		}
		free(reason);
	}
	for (size_t i = 0; i < facts->library_count; i++) {
		if (users[i])
			elf_user__release(users[i]);
		free(users[i]);
	}
	elf_user__release(&program);
	elf_search__end(&search);
}
