// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/python_objects.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/page.h"

/*
 * CPython 3, 64 bits (Include/object.h, Include/cpython/object.h, Include/internal/pycore_gc.h): an object begins with
 * its reference count and its type; before an object that the collector knows lie two links. A type is an object, too,
 * whose type is `type`, whose type is `type`. Builds without the GIL have other heads, and no such links: nothing is
 * found there.
 */
enum { TYPE_OF = 8, TYPE_FLAGS = 168 };
#define FLAG_HAVE_GC (1ull << 14) /* Py_TPFLAGS_HAVE_GC */

/* Only what the process has written to is read: a page of the file would be mapped by that. */
static uint64_t word_at(const struct python_types *types, uint64_t address)
{
	uint64_t entry = 0, word = 0;

	if (pread(types->pagemap, &entry, sizeof(entry), address / page_bytes * sizeof(entry)) != sizeof(entry) ||
	    entry >> 61 != 4) /* present, not swapped, no page of a file */
		return 0;
	return pread(types->memory, &word, sizeof(word), address) == sizeof(word) ? word : 0;
}

static bool is_static(const struct python_types *types, uint64_t address)
{
	return address >= types->start && address < types->end && address % sizeof(uint64_t) == 0;
}

/* Its own type may be a class of the program (ABCMeta), whose type is `type`. */
static enum page_objects ask(const struct python_types *types, uint64_t type)
{
	const uint64_t meta = word_at(types, word_at(types, type + TYPE_OF) + TYPE_OF);

	if (!is_static(types, meta) || word_at(types, meta + TYPE_OF) != meta)
		return OBJECTS_NONE;
	return word_at(types, type + TYPE_FLAGS) & FLAG_HAVE_GC ? OBJECTS_COLLECTED : OBJECTS_PLAIN;
}

static enum page_objects objects_of(struct python_types *types, uint64_t type)
{
	const size_t at = type * 0x9e3779b97f4a7c15 >> 54;

	if (types->known[at].address != type) {
		types->known[at].objects = ask(types, type);
		types->known[at].address = type;
	}
	return types->known[at].objects;
}

/* An executable at a fixed place, and the heap behind it, have addresses above this. */
enum { COUNT_MOST = 4 << 20 };

/* From 3.14 on some flags are in the highest bits. The count of what is never freed is larger, and not written. */
static bool is_count(uint64_t word)
{
	return (uint32_t)word && (uint32_t)word < COUNT_MOST && !(word >> 32 & 0xffff);
}

static bool is_pointer(uint64_t word)
{
	return word >> 16 && !(word >> 47) && word % 8 == 0;
}

/* May that be an object that the collector looks at? The second link has flags in its lowest bits. */
static bool is_linked(const uint64_t *words)
{
	return is_pointer(words[0]) && is_pointer(words[1] & ~7ull) && is_count(words[2]) && is_pointer(words[3]);
}

/* Nor does the collector look at dictionaries and tuples that hold nothing but such objects: these have no links. */
static bool is_plain(struct python_types *types, const uint64_t *words)
{
	const enum page_objects objects = is_count(words[2]) && is_static(types, words[3]) ? objects_of(types, words[3])
											  : OBJECTS_NONE;

	return objects == OBJECTS_PLAIN || (objects == OBJECTS_COLLECTED && !words[0]);
}

enum page_objects python_types__look(struct python_types *types, const unsigned char *page)
{
	enum page_objects found = OBJECTS_NONE;
	uint64_t words[4] = { [2] = 1 }; /* what lies before the page is not known */

	for (size_t at = 0; at < page_bytes; at += 16) {
		memcpy(words, words + 2, 16);
		memcpy(words + 2, page + at, 16);
		if (is_linked(words) && objects_of(types, words[3]) == OBJECTS_COLLECTED)
			return OBJECTS_COLLECTED;
		if (is_plain(types, words))
			found = OBJECTS_PLAIN;
	}
	return found;
}
