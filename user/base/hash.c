// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { KEPT = 16, ROOM_LEAST = 16 };
enum { USED = 1u << 31 }; /* in the sum of a slot that has a key */

struct hash_slot {
	union {
		unsigned char bytes[KEPT];
		const void *elsewhere;
	} key;
	uint32_t length, sum;
	union hash_value value;
};

static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15;
	return sum ^ sum >> 32;
}

static uint32_t sum_of(const void *key, size_t length)
{
	const unsigned char *bytes = key;
	uint64_t sum = mix(0, length), word;

	for (; length >= sizeof(word); length -= sizeof(word), bytes += sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		sum = mix(sum, word);
	}
	word = 0;
	memcpy(&word, bytes, length);
	return (uint32_t)mix(sum, word) | USED;
}

static bool has_key(const struct hash_slot *slot, const void *key, size_t length)
{
	return slot->length == length && !memcmp(length > KEPT ? slot->key.elsewhere : slot->key.bytes, key, length);
}

/* The slot of the key, or the free one where it belongs. There is always a free one. */
static size_t slot_of(const struct hash *hash, uint32_t sum, const void *key, size_t length)
{
	size_t at = sum & (hash->room - 1);

	while (hash->slots[at].sum && (hash->slots[at].sum != sum || !has_key(&hash->slots[at], key, length)))
		at = (at + 1) & (hash->room - 1);
	return at;
}

static void grow(struct hash *hash)
{
	const struct hash old = *hash;

	hash->room = old.room ? 2 * old.room : ROOM_LEAST;
	hash->slots = checked_calloc(hash->room, sizeof(*hash->slots));
	for (size_t i = 0; i < old.room; i++) {
		size_t at = old.slots[i].sum & (hash->room - 1);

		if (!old.slots[i].sum)
			continue;
		while (hash->slots[at].sum)
			at = (at + 1) & (hash->room - 1);
		hash->slots[at] = old.slots[i];
	}
	free(old.slots);
}

union hash_value *hash__find(const struct hash *hash, const void *key, size_t length)
{
	struct hash_slot *slot;

	if (!hash->room)
		return NULL;
	slot = &hash->slots[slot_of(hash, sum_of(key, length), key, length)];
	return slot->sum ? &slot->value : NULL;
}

union hash_value *hash__get(struct hash *hash, const void *key, size_t length)
{
	const uint32_t sum = sum_of(key, length);
	struct hash_slot *slot;

	if (2 * (hash->count + 1) > hash->room)
		grow(hash);
	slot = &hash->slots[slot_of(hash, sum, key, length)];
	if (slot->sum)
		return &slot->value;
	*slot = (struct hash_slot){ .sum = sum, .length = length };
	if (length > KEPT)
		slot->key.elsewhere = key;
	else
		memcpy(slot->key.bytes, key, length);
	hash->count++;
	return &slot->value;
}

uint64_t hash__number(struct hash *hash, const void *key, size_t length)
{
	const size_t count = hash->count;
	union hash_value *value = hash__get(hash, key, length);

	if (hash->count > count)
		value->number = count;
	return value->number;
}

void hash__remove(struct hash *hash, const void *key, size_t length)
{
	const size_t mask = hash->room - 1;
	size_t hole;

	if (!hash__find(hash, key, length))
		return;
	hole = slot_of(hash, sum_of(key, length), key, length);
	for (size_t at = (hole + 1) & mask; hash->slots[at].sum; at = (at + 1) & mask) {
		/* What follows moves up, unless its place is between the hole and it. */
		if (((at - hash->slots[at].sum) & mask) < ((at - hole) & mask))
			continue;
		hash->slots[hole] = hash->slots[at];
		hole = at;
	}
	hash->slots[hole] = (struct hash_slot){ 0 };
	hash->count--;
}

union hash_value *hash__next(const struct hash *hash, size_t *at)
{
	while (*at < hash->room) {
		struct hash_slot *slot = &hash->slots[(*at)++];

		if (slot->sum)
			return &slot->value;
	}
	return NULL;
}

void hash__release(struct hash *hash)
{
	free(hash->slots);
	*hash = (struct hash){ 0 };
}

uint64_t texts__number(struct texts *texts, const char *text)
{
	const size_t length = strlen(text);
	const union hash_value *known = hash__find(&texts->numbers, text, length);
	const size_t count = texts->numbers.count;

	if (known)
		return known->number;
	texts->list = checked_grow(texts->list, count, sizeof(*texts->list));
	texts->list[count] = checked_strdup(text);
	return hash__number(&texts->numbers, texts->list[count], length);
}

void texts__release(struct texts *texts)
{
	for (size_t i = 0; i < texts->numbers.count; i++)
		free(texts->list[i]);
	free(texts->list);
	hash__release(&texts->numbers);
	*texts = (struct texts){ 0 };
}
