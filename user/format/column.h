/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Columns described by a static table: the name of each, what it holds and when it is shown. The
 * table is then filled one thing at a time.
 *
 *	static const struct column columns[] = {
 *		{ "faults", COUNT_OF(struct sample, faults) },
 *		{ "of", COLUMN_TEXT, .cell = group_cell },
 *	};
 */
#ifndef FORKTAX_FORMAT_COLUMN_H
#define FORKTAX_FORMAT_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

#include "format/cell.h"
#include "format/table.h"

/*
 * `subject` is what the whole table is about, `row` the thing that this row shows; `index` is that
 * of the column, or counts within `repeat`.
 */
struct column;
typedef struct cell column_cell_fn(const void *subject, const void *row, int index);
/* The name of that column; to be freed. */
typedef char *column_header_fn(const struct column *column, const void *subject, int index);

struct column {
	const char *header; /* for people, and for programs unless there is a key */
	enum column_kind kind;
	/* Without `cell`: the offset in `row` of a uint64_t (count), double (number) or text. */
	size_t offset;
	bool is_cell; /* there is a struct cell, which the table takes over */
	column_cell_fn *cell;
	const char *key; /* for programs */
	bool is_conditional; /* shown only if the bool at `condition` of the subject is set */
	size_t condition;
	enum column_need need; /* by what the rows have in it */
	bool data_always; /* these two are for people: programs always get it */
	bool unless_zero; /* 0 is a blank cell */
	bool unless_absent; /* so is a count that is not known */
	struct number_text (*words)(double number); /* as people read what is at `offset` */
	int decimals; /* of a number at `offset` */
	int spare; /* a terminal that is too narrow does without it, the largest number first; 0: it does not */
	enum table_view view; /* 0: both */
	int index;
	int repeat; /* 0: one column; else so many, from an array */
	/* So many bytes apart: the names of repeated columns, or header_of; else words of the enum at `offset`. */
	const char *const *names;
	size_t name_step;
	int (*repeat_of)(const void *subject); /* the same, where the subject has the number; may be 0 */
	column_header_fn *header_of; /* instead of `header` */
};

/* The field is a uint64_t, or an array of them. */
#define COUNT_OF(type, field) \
	COLUMN_COUNT, .offset = offsetof(type, field) + \
		0 * sizeof(char[sizeof(((type *)0)->field) % sizeof(uint64_t) ? -1 : 1])
#define NUMBER_OF(type, field) COLUMN_NUMBER, .offset = offsetof(type, field)
#define CELL_OF(type, field) .offset = offsetof(type, field), .is_cell = true
#define TEXT_OF(type, field) COLUMN_TEXT, .offset = offsetof(type, field)
/* A column for each of these words, or of these structs, which have a word as a member. */
#define EACH_OF(words) EACH((words)[0], words)
#define EACH_BY(structs, member) EACH((structs)[0].member, structs)
#define EACH(first, array) \
	.repeat = sizeof(array) / sizeof((array)[0]), NAMES(first, array)
#define NAMES(first, array) .names = &(first), .name_step = sizeof((array)[0])
/* An enum in words: one of these, or a member of one of these structs. */
#define WORD_OF(type, field, words) TEXT_OF(type, field), NAMES((words)[0], words)
#define WORD_BY(type, field, structs, member) TEXT_OF(type, field), NAMES((structs)[0].member, structs)
#define IF_KNOWN .need = SHOWN_IF_KNOWN
#define IF_ANY .need = SHOWN_IF_ANY
#define WHEN(type, field) .is_conditional = true, .condition = offsetof(type, field)

/* Gives columns to a table that has none. They and the subject must outlive its last row. */
void table__columns(struct table *table, const struct column *columns, size_t count,
		    const void *subject);
#define TABLE_COLUMNS(table, columns, subject) \
	table__columns(table, columns, sizeof(columns) / sizeof((columns)[0]), subject)
/* Adds a row about that thing: for both views, or for those given. */
void table__add(struct table *table, const void *row);
void table__add_for(struct table *table, enum table_view view, const void *row);
/* The same below row `parent`, as table__row_below(). */
void table__add_below(struct table *table, size_t parent, const void *row);

#endif
