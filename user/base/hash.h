/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A hash table: a value for each key, which is any bytes. Keys of up to 16 bytes are copied; a longer one stays
 * where it was when it was added, and has to stay there unchanged until it is removed. Keys that are structs have
 * no padding, or all of it is zero. All zero: an empty table.
 */
#ifndef FORKTAX_BASE_HASH_H
#define FORKTAX_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash {
	struct hash_slot *slots; /* owned */
	size_t room, count;
};

union hash_value {
	uint64_t number;
	void *pointer;
};

/* The value of a key; NULL: there is no such key. It stays there until a key is added or removed. */
union hash_value *hash__find(const struct hash *hash, const void *key, size_t length);
/* The same; a key that is not there is added, with a value of zeros. */
union hash_value *hash__get(struct hash *hash, const void *key, size_t length);
/*
 * The number of a key: the first one that was added is 0, the next one 1. So it is new if it is the count of keys
 * before. Only for tables that nothing is removed from.
 */
uint64_t hash__number(struct hash *hash, const void *key, size_t length);
void hash__remove(struct hash *hash, const void *key, size_t length);
/*
 * Returns each value in turn, in no order; NULL after the last. `at` is 0 before the first. The key
 * of the value just returned may be removed if `at` is then reduced by 1, as later entries move up.
 */
union hash_value *hash__next(const struct hash *hash, size_t *at);
void hash__release(struct hash *hash);

/* Texts, each once, numbered as they appear. All zero: none. */
struct texts {
	char **list; /* owned, as the texts are */
	struct hash numbers;
};

/* A text that is new is copied. */
uint64_t texts__number(struct texts *texts, const char *text);
void texts__release(struct texts *texts);

#endif
