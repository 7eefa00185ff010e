// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/memory.h"
#include "base/text.h"
#include "elf/facts.h"
#include "elf/search.h"

enum { LIBRARIES_MAX = 1024 };

/* musl is its own libpthread, libm, ...: such needs are met by the interpreter. */
static const char *const musl_itself[] = { "libc.",  "libpthread.", "librt.",  "libm.",
					   "libdl.", "libutil.",    "libxnet." };

static bool is_interpreter(const struct elf_facts *facts, const char *name)
{
	if (!strcmp(name, text__file_name(facts->interp)))
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

struct closure {
	struct elf_facts *facts;
	struct elf_search search;
	struct elf_user users[LIBRARIES_MAX]; /* each library that was found, by its index */
};

/* Searches for one library. If it is found, the libraries that it needs are added to the list. */
static void add_library(struct closure *closure, char *name, const struct elf_user *user)
{
	struct elf_facts *facts = closure->facts;
	size_t index = facts->library_count;
	struct elf_file *file;
	char *path = elf_search__find(&closure->search, user, name, &file);

	facts->libraries = checked_grow(facts->libraries, index, sizeof(*facts->libraries));
	facts->libraries[index] = (struct elf_library){ .name = name, .path = path };
	facts->library_count++;
	if (!path)
		return;
	closure->users[index].needed_by = user;
	elf_user__fill(&closure->users[index], &file->object, path);
	elf_file__close(file);
}

static void add_needs(struct closure *closure, const struct elf_object *object, const struct elf_user *user)
{
	const struct elf_facts *facts = closure->facts;

	for (size_t i = 0; i < object->dynamic_count; i++) {
		char *name;

		if (object->dynamic[i].d_tag != DT_NEEDED || facts->library_count == LIBRARIES_MAX)
			continue;
		name = elf_object__dynamic_string(object, object->dynamic[i].d_un.d_val);
		if (!name || is_interpreter(facts, name) || is_listed(facts, name))
			free(name);
		else
			add_library(closure, name, user);
	}
}

static bool has_known_rules(const struct elf_facts *facts)
{
	bool dynamic = facts->linkage == LINKAGE_DYNAMIC || facts->linkage == LINKAGE_DYNAMIC_NOW;

	return dynamic && (facts->libc == LIBC_GLIBC || facts->libc == LIBC_MUSL);
}

static void add_needs_of(struct closure *closure, size_t index)
{
	const char *path = closure->facts->libraries[index].path;
	struct elf_file *file = path ? elf_file__open(path) : NULL;

	if (!file)
		return;
	if (file->opened == ELF_OPENED)
		add_needs(closure, &file->object, &closure->users[index]);
	elf_file__close(file);
}

/* Breadth first, as ld.so does: the order of the list is the order of symbol lookup. */
void elf_closure__resolve(struct elf_facts *facts, const struct elf_object *object, const char *path)
{
	struct elf_user program = { NULL };
	struct closure *closure;

	facts->libraries_known = facts->linkage == LINKAGE_STATIC ||
				 facts->linkage == LINKAGE_STATIC_PIE || has_known_rules(facts);
	if (!has_known_rules(facts))
		return;
	closure = checked_calloc(1, sizeof(*closure));
	closure->facts = facts;
	elf_search__start(&closure->search, facts);
	elf_user__fill(&program, object, path);
	add_needs(closure, object, &program);
	for (size_t i = 0; i < facts->library_count; i++)
		add_needs_of(closure, i);
	for (size_t i = 0; i < facts->library_count; i++)
		elf_user__release(&closure->users[i]);
	elf_user__release(&program);
	elf_search__end(&closure->search);
	free(closure);
}
