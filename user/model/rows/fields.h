/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The members of plain structs as rows. From one row per member come its text in saved files, its
 * reader and what the reader refuses, its JSON schema (all in user/saved), and the release of its
 * memory (here). A member without a row is not saved, and holds no memory.
 *
 * A row describes one member by itself. Relations between members are code: the `law` of a struct.
 */
#ifndef FORKTAX_MODEL_ROWS_FIELDS_H
#define FORKTAX_MODEL_ROWS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a member stands in the tree of structs that is written or read. */
struct scope {
	const struct scope *outer; /* of the struct that this one is in; NULL: it is a document */
	const void *self; /* the struct */
	const char *key; /* under which it stands */
	size_t index; /* in the list or map */
};

enum field_kind {
	FIELD_BOOL,
	FIELD_COUNT, /* uint64_t or size_t; ABSENT is null */
	FIELD_IDENTITY, /* uint64_t that may use all bits: addresses, inode numbers */
	FIELD_OFFSET, /* uint64_t that holds a signed number */
	FIELD_INTEGER, /* int32_t or uint32_t in min..max; `none` is null */
	FIELD_INDEX, /* uint32_t below limit(); UINT32_MAX is null */
	FIELD_KEY, /* an enum, by its word */
	FIELD_BIT, /* the bits `min` of an unsigned int, as true or false */
	FIELD_ORIGIN, /* a bool or an enum of `size` bytes: "counted" or, if 0, "not counted" */
	FIELD_TEXT, /* char *, owned; NULL is null */
	FIELD_NUMBER, /* double, in as few digits as it needs; null if not finite */
	FIELD_MEASURED, /* double, as an integer where it is one, else in 17 digits */
	FIELD_FIGURE, /* struct estimate; null if not known */
	FIELD_PERMISSIONS, /* four bools, as in /proc/PID/maps */
	FIELD_OBJECT, /* a struct of `shape` */
	FIELD_LIST, /* an owned array, with its number of elements in `count` */
	FIELD_MAP, /* an array with one element for each of `words` */
	FIELD_MEMORY, /* owned, not saved: only released */
	FIELD_KIND_COUNT
};

/* The words of an enum: of a table of strings, or of structs that begin with one. */
struct words {
	const void *first;
	size_t stride;
	unsigned int count;
};

#define WORDS_OF(table) { (table), sizeof((table)[0]), sizeof(table) / sizeof((table)[0]) }

const char *words__word(const struct words *words, unsigned int index);

union computed {
	uint64_t count;
	double number;
	const char *text;
	bool flag;
};

struct field {
	const char *key;
	enum field_kind kind;
	size_t place; /* in the struct */
	size_t size; /* of an element of a map or list; of an origin */
	const char *note; /* describes it in the schema; NULL: the key suffices */

	/* Null is allowed, and gives ABSENT, NULL, NAN, UINT32_MAX, `none`. */
	bool nullable;
	bool optional; /* older versions of forktax did not save it: missing means null, or 0 */
	/* Left out rather than null if there is none, or `when` is false; so it may be missing. */
	bool omitted;
	/* If false, it is null, and not looked at. NULL: always true. */
	bool (*when)(const struct scope *scope);
	/* False if it is null, where the member does not tell; reading goes by the null. */
	bool (*has)(const struct scope *scope);
	size_t flag; /* place of a bool that means the same as `has`; reading sets it; 0: none */
	/*
	 * Not a member: made from others, for people. It is not read, but with a `law` it is compared;
	 * the law is the reason given if they differ (%s: the key).
	 */
	const void *(*of)(const struct scope *scope, union computed *computed);
	const char *law;

	int64_t min, max, none; /* FIELD_INTEGER; for a list, max is its longest length */
	size_t (*limit)(const struct scope *scope); /* FIELD_INDEX */
	const struct words *words; /* FIELD_KEY, FIELD_MAP */

	const struct shape *shape; /* of an object, and of the elements of a list */
	const struct field *element; /* of a list or map of anything else */
	bool pointer; /* to the object, owned; NULL is null */
	bool section; /* an object in JSON only: its members belong to this struct */
	bool inlined; /* the reverse: its members stand in the JSON object of this struct */
	bool closed; /* the map refuses unknown keys */
	bool lines; /* each element of the list gets a line */
	bool borrowed; /* the array of structs is there already: reads only one member of each */
	size_t count; /* place of the number of elements */
	/* Instead of `count`. With a `law`, any other length is refused, for that reason. */
	size_t (*length)(const struct scope *scope);
};

struct shape {
	const char *name;
	const char *note;
	const char *document; /* "forktax/1": saved as a document of its own; else NULL */
	bool line; /* the document is one line, as many of them stand in one file */
	size_t size;
	const struct field *fields;
	size_t field_count;
	/* Called when it was read: makes what is not saved from what is. */
	void (*complete)(void *self);
	/* Checks relations between members, then: NULL, or what is wrong (to be freed). */
	char *(*law)(const struct scope *scope);
};

/* The outermost struct. */
const void *scope__root(const struct scope *scope);
/* The number of elements of a list or map. */
size_t field__length(const struct field *field, const struct scope *scope);
/* The scope of an element: that of its list, except in lists of borrowed structs. */
struct scope field__scope(const struct field *field, const struct scope *scope, const char *first, size_t index);
/* The element of a list or map, as a field with kind and shape. */
struct field field__element(const struct field *field);

/* Frees all that a struct holds, but not itself. */
void shape__release(const struct shape *shape, void *self);
/* The same, and the struct itself; NULL is fine. */
void shape__free(const struct shape *shape, void *self);

extern const struct field text_element; /* of a list of texts */

/* Documents. */
#define FAMILY(id, name, documents) extern const struct shape name##_shape;
#include "model/rows/families.def"
#undef FAMILY
/* Structs that are freed alone. */
extern const struct shape anatomy_shape, stacks_shape, files_shape, script_lines_shape, tree_times_shape, bill_shape,
	executions_shape, critical_path_shape, start_shape, pool_advice_shape,
	baseline_check_shape, baseline_context_shape;

#endif
