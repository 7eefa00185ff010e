/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What LD_BIND_NOW changes: a comparison of one command as it is and with LD_BIND_NOW=1. It goes in;
 * the verdict and the break-even come out, always the same from the same input.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BINDNOW_H
#define FORKTAX_ANALYSIS_BINDNOW_BINDNOW_H

#include "analysis/bindnow/bindnow_files.h"
#include "analysis/bindnow/bindnow_verdict.h"
#include "analysis/bindnow/break_even.h"
#include "analysis/compare/comparison.h"

enum bindnow_side { SIDE_LAZY, SIDE_NOW, SIDE_COUNT };

struct bindnow {
	const struct comparison *comparison; /* columns: lazy, now; not owned */
	const struct bindnow_files *files; /* of the lazy column */
	double children; /* that finished in the first lazy run; NAN: not counted */
	struct estimate faults; /* now - lazy, of all processes, paired */
	struct break_even in_time, in_faults;
	double explained_ns; /* the most that what LD_BIND_NOW changes can change the untraced time; NAN: unknown */
	struct bindnow_verdict verdict;
};

/* What the sides have in their environment. */
#define BINDNOW_LAZY "LD_BIND_NOW=" /* only where ours has another value; an empty one counts as none */
#define BINDNOW_NOW  "LD_BIND_NOW=1"

/* Is it a comparison of these two sides, with what the files of the command ask of the dynamic linker? */
bool bindnow__is_of(const struct comparison *comparison);
/* Of such a comparison, which is needed as long as the result. */
struct bindnow bindnow__of(const struct comparison *comparison);
/* Can LD_BIND_NOW change anything: does a file bind lazily, or is it unknown whether one does? */
bool bindnow__may_matter(const struct bindnow *bindnow);

#endif
