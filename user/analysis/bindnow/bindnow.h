/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What LD_BIND_NOW changes: a comparison of one command as it is and with LD_BIND_NOW=1. It goes in;
 * rows of figures and the break-even come out, always the same from the same input.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BINDNOW_H
#define FORKTAX_ANALYSIS_BINDNOW_BINDNOW_H

#include "analysis/bindnow/bindnow_files.h"
#include "analysis/bindnow/bindnow_measures.h"
#include "analysis/bindnow/bindnow_verdict.h"
#include "analysis/bindnow/break_even.h"
#include "analysis/compare/comparison.h"

struct bindnow_row {
	enum bindnow_section section;
	size_t group; /* index into bindnow.groups; 0 where the section has none */
	const char *key, *header;
	bool is_time; /* ns; else a count */
	struct spread cells[SIDE_COUNT]; /* over the traced runs */
	struct estimate difference; /* now - lazy, paired */
};

struct bindnow_group {
	char *name; /* "sh: fork, no exec" */
	uint64_t children;
};

struct bindnow {
	const struct comparison *comparison; /* columns: lazy, now; not owned */
	const struct bindnow_files *files; /* of the lazy column */
	struct bindnow_group *groups; /* of the first lazy run: by children, descending */
	size_t group_count;
	double children; /* that finished in that run; NAN: not counted */
	struct bindnow_row *rows; /* in the order of sections and groups; none without traced runs */
	size_t row_count;
	struct break_even in_time, in_faults;
	double explained_ns; /* the most that what LD_BIND_NOW changes can change the untraced time; NAN: unknown */
	struct bindnow_verdict verdict;
};

/* What the sides have in their environment. */
#define BINDNOW_LAZY "LD_BIND_NOW=" /* only where ours has another value; an empty one counts as none */
#define BINDNOW_NOW  "LD_BIND_NOW=1"

/* Is it a comparison of these two sides, with what the files of the command ask of the dynamic linker? */
bool bindnow__is_of(const struct comparison *comparison);
/* Of such a comparison, which it needs as long as it is there. */
struct bindnow *bindnow__new(const struct comparison *comparison);
void bindnow__free(struct bindnow *bindnow); /* NULL is fine */

/*
 * Is the number of functions that the group's children bound again on that side a lower bound,
 * because some pages were not compared?
 */
bool bindnow__is_least(const struct bindnow *bindnow, size_t group, int side);
/* Does it count functions bound again, by all children of a group or by one generation? */
bool bindnow_row__counts_symbols(const struct bindnow_row *row);
/* The row, or NULL. */
const struct bindnow_row *bindnow__row(const struct bindnow *bindnow, enum bindnow_section section,
				       size_t group, const char *key);
/* Can LD_BIND_NOW change anything: does a file bind lazily, or is it unknown whether one does? */
bool bindnow__may_matter(const struct bindnow *bindnow);

#endif
