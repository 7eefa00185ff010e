/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * /etc/ld.so.cache: where ldconfig says that libraries are.
 */
#ifndef FORKTAX_ELF_LD_CACHE_H
#define FORKTAX_ELF_LD_CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct ld_cache {
	char *data;
	size_t size;
	size_t entries; /* offset of the first entry */
	size_t count;
};

/* Never fails: a cache that is missing or invalid is empty, as for ld.so. */
void ld_cache__load(struct ld_cache *cache, const char *path);
void ld_cache__free(struct ld_cache *cache);

/*
 * The path of the next entry for `name` at or after entry *next, which moves behind it; NULL when
 * there is none left. Entries for optional CPU features are left out: what they are worth
 * depends on the CPU, and the plain library of that name stands beside them.
 */
const char *ld_cache__find(const struct ld_cache *cache, const char *name, size_t *next);

#endif
