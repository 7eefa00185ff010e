// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/search.h"

#include <stdint.h>
#include <stdio.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/untrusted.h"

/* The format of glibc 2.32 and later: fixed header, entries, strings at offsets from the start. */
static const char magic[] = "glibc-ld.so.cache1.1";

struct cache_header {
	char magic[20];
	uint32_t count;
	uint32_t string_bytes;
	uint32_t unused[5];
};

struct cache_entry {
	int32_t flags;
	uint32_t name, path; /* offsets */
	uint32_t os_version;
	uint64_t hwcap;
};

enum { CACHE_BYTES_MAX = 64 << 20 };

static void read_file(struct ld_cache *cache, const char *path)
{
	FILE *file = fopen(path, "re");
	size_t room = 0, got = 0;

	if (!file)
		return;
	do {
		room += 1 << 18;
		cache->data = checked(realloc(cache->data, room + 1));
		got = fread(cache->data + cache->size, 1, room - cache->size, file);
		cache->size += got;
	} while (got && cache->size == room && room < CACHE_BYTES_MAX);
	cache->data[cache->size] = '\0';
	fclose(file);
}

/* Never fails: a cache that is missing or invalid is empty, as for ld.so. */
static void ld_cache__load(struct ld_cache *cache, const char *path)
{
	struct cache_header header;
	const char *start;

	*cache = (struct ld_cache){ 0 };
	read_file(cache, path);
	/* Caches for both old and new ld.so have the old format in front. */
	start = cache->size ? memmem(cache->data, cache->size, magic, strlen(magic)) : NULL;
	if (!start || cache->size - (start - cache->data) < sizeof(header))
		return;
	memmove(cache->data, start, cache->size - (start - cache->data) + 1);
	cache->size -= start - cache->data;
	memcpy(&header, cache->data, sizeof(header));
	cache->entries = sizeof(header);
	cache->count = (cache->size - sizeof(header)) / sizeof(struct cache_entry);
	if (header.count < cache->count)
		cache->count = header.count;
}

static void ld_cache__free(struct ld_cache *cache)
{
	free(cache->data);
	*cache = (struct ld_cache){ 0 };
}

static const char *string_at(const struct ld_cache *cache, uint32_t offset)
{
	return offset < cache->size ? cache->data + offset : "";
}

/*
 * The path of the next entry for `name` at or after entry *next, which moves behind it; NULL: there is none. Not of
 * entries for optional CPU features, beside which the plain library stands.
 */
static const char *ld_cache__find(const struct ld_cache *cache, const char *name, size_t *next)
{
	while (*next < cache->count) {
		struct cache_entry entry;
		size_t offset = cache->entries + (*next)++ * sizeof(entry);

		memcpy(&entry, cache->data + offset, sizeof(entry));
		if (!entry.hwcap && !strcmp(string_at(cache, entry.name), name))
			return string_at(cache, entry.path);
	}
	return NULL;
}

enum { OPENS_MAX = 20000 };

/* The directories that ld.so of glibc was built with; distributions differ, most are covered. */
#define GLIBC_DIRECTORIES                                                                          \
	"/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib/aarch64-linux-gnu"                   \
	":/usr/lib/aarch64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib"
#define MUSL_DIRECTORIES "/lib:/usr/local/lib:/usr/lib"

/* musl reads /etc/ld-musl-ARCH.path if its interpreter is /lib/ld-musl-ARCH.so.1. */
static char *musl_directories(const char *interp)
{
	const char *base = text__file_name(interp);
	autofree char *path = text__of("/etc/%.*s.path", (int)strcspn(base, "."), base);
	char *text = checked_calloc(UNTRUSTED_LINE_MOST + 1, 1);

	if (!untrusted__head(path, text, UNTRUSTED_LINE_MOST)) {
		free(text);
		return checked_strdup(MUSL_DIRECTORIES);
	}
	for (char *c = text; *c; c++) {
		if (*c == '\n')
			*c = ':';
	}
	return text;
}

void elf_search__start(struct elf_search *search, const struct elf_facts *program)
{
	*search = (struct elf_search){ .program = program, .opens_left = OPENS_MAX };
	if (program->libc == LIBC_MUSL) {
		search->defaults = musl_directories(program->interp);
		return;
	}
	search->defaults = checked_strdup(GLIBC_DIRECTORIES);
	ld_cache__load(&search->cache, "/etc/ld.so.cache");
}

void elf_search__end(struct elf_search *search)
{
	ld_cache__free(&search->cache);
	free(search->defaults);
}

static char *string_of_tag(const struct elf_object *object, int64_t tag)
{
	const GElf_Dyn *entry = elf_object__tag(object, tag);

	return entry ? elf_object__dynamic_string(object, entry->d_un.d_val) : NULL;
}

void elf_user__fill(struct elf_user *user, const struct elf_object *object, const char *path)
{
	char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	if (slash)
		slash[slash == real] = '\0';
	user->directory = real ? real : checked_strdup(".");
	user->rpath = string_of_tag(object, DT_RPATH);
	user->runpath = string_of_tag(object, DT_RUNPATH);
}

void elf_user__release(struct elf_user *user)
{
	free(user->directory);
	free(user->rpath);
	free(user->runpath);
}

static bool is_library_for(const struct elf_facts *program, const struct elf_file *file)
{
	const GElf_Ehdr *header = &file->object.header;

	return file->opened == ELF_OPENED && header->e_machine == program->machine && header->e_type == ET_DYN &&
	       (header->e_ident[EI_CLASS] == ELFCLASS64) == (program->bits == 64);
}

/* Takes over `path`: returns it, and opens the file, if it is such a library; else frees it. */
static char *try_open(struct elf_search *search, char *path, struct elf_file **file)
{
	if (search->opens_left && --search->opens_left) {
		*file = elf_file__open(path);
		if (is_library_for(search->program, *file))
			return path;
		elf_file__close(*file);
	}
	free(path);
	return NULL;
}

/* `directory` with $ORIGIN expanded and `name` below it; NULL if other variables are in it. */
static char *join(const char *directory, size_t length, const char *origin, const char *name)
{
	static const char *const spellings[] = { "$ORIGIN", "${ORIGIN}" };
	const char *rest = directory;
	const char *prefix = "";

	for (int i = 0; i < 2; i++) {
		size_t size = strlen(spellings[i]);

		if (length >= size && !memcmp(directory, spellings[i], size)) {
			prefix = origin;
			rest += size;
			length -= size;
			break;
		}
	}
	if (memchr(rest, '$', length))
		return NULL;
	return text__of("%s%.*s/%s", prefix, (int)length, rest, name);
}

static char *in_directories(struct elf_search *search, const char *list, const char *origin,
			    const char *name, struct elf_file **file)
{
	while (list) {
		size_t length = strcspn(list, ":;");
		char *path = length ? join(list, length, origin, name) : NULL;
		char *found = path ? try_open(search, path, file) : NULL;

		if (found)
			return found;
		list = list[length] ? list + length + 1 : NULL;
	}
	return NULL;
}

/*
 * Searches where the objects themselves say. musl treats DT_RPATH and DT_RUNPATH alike, and
 * inherits both.
 */
static char *in_run_paths(struct elf_search *search, const struct elf_user *user, const char *name,
			  struct elf_file **file)
{
	bool musl = search->program->libc == LIBC_MUSL;
	char *found = NULL;

	for (const struct elf_user *u = user; u && !found && (musl || !user->runpath); u = u->needed_by) {
		const char *list = u->runpath ? (musl ? u->runpath : NULL) : u->rpath;

		found = in_directories(search, list, u->directory, name, file);
	}
	if (!found && !musl)
		found = in_directories(search, user->runpath, user->directory, name, file);
	return found;
}

char *elf_search__find(struct elf_search *search, const struct elf_user *user, const char *name, struct elf_file **file)
{
	size_t next = 0;
	const char *cached;
	char *found;

	if (strchr(name, '/'))
		return try_open(search, checked_strdup(name), file);
	found = in_run_paths(search, user, name, file);
	while (!found && (cached = ld_cache__find(&search->cache, name, &next)))
		found = try_open(search, checked_strdup(cached), file);
	if (!found)
		found = in_directories(search, search->defaults, "", name, file);
	return found;
}
