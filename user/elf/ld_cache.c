// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/search.h"

#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"

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

void ld_cache__load(struct ld_cache *cache, const char *path)
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

void ld_cache__free(struct ld_cache *cache)
{
	free(cache->data);
	*cache = (struct ld_cache){ 0 };
}

static const char *string_at(const struct ld_cache *cache, uint32_t offset)
{
	return offset < cache->size ? cache->data + offset : "";
}

const char *ld_cache__find(const struct ld_cache *cache, const char *name, size_t *next)
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
