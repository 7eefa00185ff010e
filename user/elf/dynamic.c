// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/dynamic.h"

#include "elf/records.h"

enum { WORD = sizeof(Elf32_Word), CHUNK = 4096 };

/* ld.so keeps the last entry of each tag. */
unsigned int elf_bind_now__of(const struct elf_object *object)
{
	uint64_t flags = 0, flags_1 = 0;
	unsigned int now = 0;

	for (size_t i = 0; i < object->dynamic_count; i++) {
		const GElf_Dyn *tag = &object->dynamic[i];

		if (tag->d_tag == DT_BIND_NOW)
			now |= NOW_BY_TAG;
		if (tag->d_tag == DT_FLAGS)
			flags = tag->d_un.d_val;
		if (tag->d_tag == DT_FLAGS_1)
			flags_1 = tag->d_un.d_val;
	}
	if (flags & DF_BIND_NOW)
		now |= NOW_BY_FLAGS;
	if (flags_1 & DF_1_NOW)
		now |= NOW_BY_FLAGS_1;
	return now;
}

bool elf_dynamic_symbols__find(const struct elf_object *object, uint64_t *offset, uint64_t *room)
{
	const GElf_Dyn *table = elf_object__tag(object, DT_SYMTAB);
	uint64_t rest;

	if (!table)
		return false;
	*offset = elf_object__file_offset(object, table->d_un.d_ptr, &rest);
	*room = rest / elf_records__size(object, ELF_T_SYM);
	return *room;
}

/* No file has more symbols, and none has more buckets for them: one that claims more is not read on. */
static uint64_t believable(uint64_t count)
{
	return count < ELF_SYMBOLS_MOST ? count : ELF_SYMBOLS_MOST;
}

/* The largest of `count` words at `offset`; 0 if they cannot be read. */
static uint32_t largest(const struct elf_object *object, uint64_t offset, uint64_t count)
{
	uint32_t words[CHUNK], most = 0;

	for (uint64_t done = 0; done < count; done += CHUNK) {
		size_t here = count - done < CHUNK ? count - done : CHUNK;

		if (!elf_records__read(object, offset + done * WORD, ELF_T_WORD, here, words))
			return 0;
		for (size_t i = 0; i < here; i++)
			most = words[i] > most ? words[i] : most;
	}
	return most;
}

/* The number of words at `offset`, of at most `limit`, up to the first odd one. */
static uint64_t chain_length(const struct elf_object *object, uint64_t offset, uint64_t limit)
{
	uint32_t words[CHUNK];

	for (uint64_t done = 0; done < limit; done += CHUNK) {
		size_t here = limit - done < CHUNK ? limit - done : CHUNK;

		if (!elf_records__read(object, offset + done * WORD, ELF_T_WORD, here, words))
			return done;
		for (size_t i = 0; i < here; i++) {
			if (words[i] & 1)
				return done + i + 1;
		}
	}
	return limit;
}

/* The hash values of DT_GNU_HASH are in the order of the symbols; the last of a chain is odd. */
static uint64_t count_gnu(const struct elf_object *object, uint64_t offset, uint64_t rest)
{
	struct {
		uint32_t buckets, first, bloom, shift;
	} header;
	uint64_t before, last;

	if (rest < sizeof(header) || !elf_records__read(object, offset, ELF_T_WORD, 4, &header))
		return 0;
	before = sizeof(header) + (uint64_t)header.bloom * elf_records__size(object, ELF_T_ADDR);
	if (before + (uint64_t)header.buckets * WORD > rest)
		return 0;
	last = largest(object, offset + before, believable(header.buckets));
	if (last < header.first)
		return header.first;
	before += (header.buckets + last - header.first) * WORD;
	if (before > rest)
		return 0;
	return last + chain_length(object, offset + before, believable((rest - before) / WORD));
}

uint64_t elf_dynamic_symbols__count(const struct elf_object *object)
{
	const GElf_Dyn *hash = elf_object__tag(object, DT_HASH);
	const GElf_Dyn *gnu = elf_object__tag(object, DT_GNU_HASH);
	uint32_t header[2];
	uint64_t offset, rest;

	if (hash) {
		offset = elf_object__file_offset(object, hash->d_un.d_ptr, &rest);
		if (rest >= sizeof(header) && elf_records__read(object, offset, ELF_T_WORD, 2, header))
			return believable(header[1]);
	}
	if (!gnu)
		return 0;
	offset = elf_object__file_offset(object, gnu->d_un.d_ptr, &rest);
	return believable(count_gnu(object, offset, rest));
}
