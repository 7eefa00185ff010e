/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Does a page hold Python's objects, and would its garbage collector write to them? The collector writes to the header
 * that lies before each object that it knows; it does not write to others, such as str, int and bytes. So a page that
 * holds only these, and was copied, was written to by something else: who uses an object writes its reference count.
 */
#ifndef FORKTAX_POOL_PYTHON_OBJECTS_H
#define FORKTAX_POOL_PYTHON_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

enum page_objects { OBJECTS_NONE, OBJECTS_PLAIN, OBJECTS_COLLECTED };

enum { TYPES_KNOWN = 1024 };

/* The types of one process. */
struct python_types {
	int memory, pagemap; /* of the process, descriptors */
	uint64_t start, end; /* where the interpreter is mapped, with its own types; end 0: there is none */
	/* By a hash of the address of what was taken for a type: what its objects are. */
	struct {
		uint64_t address;
		enum page_objects objects;
	} known[TYPES_KNOWN];
};

/* Of a page of that process, or of another one that was forked from the same. */
enum page_objects python_types__look(struct python_types *types, const unsigned char *page);

#endif
