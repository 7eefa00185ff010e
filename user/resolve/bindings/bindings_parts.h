/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of bindings.h, each for one object at a time. For this folder alone.
 */
#ifndef FORKTAX_RESOLVE_BINDINGS_BINDINGS_PARTS_H
#define FORKTAX_RESOLVE_BINDINGS_BINDINGS_PARTS_H

#include "model/run/run.h"
#include "resolve/bindings/linked_file.h"

/* ----- which pages of an object ld.so wrote (ldso_writes.c) ----- */

/* Rows of one object in which ld.so wrote; borrowed from the anatomy. */
struct ldso_writes {
	const struct anatomy_row **rows;
	uint64_t *pages; /* of each row: numbers of pages of memory, as the file states addresses */
	size_t count;
};

void ldso_writes__collect(struct ldso_writes *writes, const struct anatomy *anatomy,
			  uint32_t object, const struct linked_file *file);
void ldso_writes__release(struct ldso_writes *writes);

/* Distinct pages written while the layout's executable started; ABSENT if that is not recorded. */
uint64_t ldso_writes__startup(const struct ldso_writes *writes, const struct run *run, const struct layout *layout);

/* Distinct pages copied in children of a group; ABSENT if none was recorded. */
uint64_t ldso_writes__in_children(const struct ldso_writes *writes, const struct run *run, uint32_t group);

/* Did the process make a page of the object's file its own by this fault, to write to it? */
bool row__makes_own(const struct anatomy_row *row, uint32_t object);

/* Were contents of the page with this offset kept, of children of the group? */
bool got_pages__hold(const struct anatomy *anatomy, uint32_t object, uint32_t group, uint64_t offset);

/* ----- what slots wait for, that no word leads to yet (awaited.c) ----- */

/* Names of slots that waited for their first call when the parent forked. */
struct awaited_list {
	struct awaited {
		char *symbol;
		uint32_t object; /* whose slot it is */
	} *list;
	size_t count;
};

void awaited__add(struct awaited_list *awaited, uint32_t object, const char *symbol);
/* Once all are added. */
void awaited__sort(struct awaited_list *awaited);
/* Does a slot of another object wait for a name that this one defines? */
bool awaited__has(const struct awaited_list *awaited, const struct anatomy *anatomy, uint32_t object);
void awaited__release(struct awaited_list *awaited);

/* ----- what ld.so did to the object in each layout (object_bindings.c) ----- */

/* A layout, while its objects are processed. */
struct layout_state {
	const struct layout *layout;
	/* Words that lead from other objects to one: one per object of the anatomy. */
	struct incoming {
		uint64_t bound, data;
	} *incoming;
	bool incomplete; /* words of some object could not be read */
	struct awaited_list awaited;
};

/* Adds one binding per layout that loads the object. */
void object_bindings__add(struct run *run, struct layout_state *states, uint32_t object, struct linked_file *file);

/* ----- which slots children bound (bound_symbols.c) ----- */

/* Adds the symbols that children bound in the slots of the object. */
void bound_symbols__add(struct run *run, uint32_t object, struct linked_file *file);
/* By group, then by children, descending; call it when all are added. */
void bound_symbols__sort(struct anatomy *anatomy);
/*
 * Names writes of ld.so to slots of the object "SYMBOL@got", not by the table's own symbol (such as
 * _GLOBAL_OFFSET_TABLE_).
 */
void bound_symbols__name_rows(struct anatomy *anatomy, uint32_t object, const struct linked_file *file);

/* ----- whether these are all: samples' unseen_pages (unseen_pages.c) ----- */

/* Call it before adding objects: sets 0, or ABSENT if faults of children are missing. */
void unseen_pages__begin(struct anatomy *anatomy);
/* Adds pages of one object; `file` is NULL if it cannot be read. */
void unseen_pages__add(struct run *run, uint32_t object, struct linked_file *file);

#endif
