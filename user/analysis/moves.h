/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Is a count of one side another one than that of the other, and do the runs bear it out? The rule for all
 * counts: of values where they are there, of ranges where only those were kept. For intervals:
 * estimate__shows().
 */
#ifndef FORKTAX_ANALYSIS_MOVES_H
#define FORKTAX_ANALYSIS_MOVES_H

#include "analysis/faster_half.h"

enum compare_move {
	MOVE_UNKNOWN, /* not counted in some run, or there is none */
	MOVE_NONE, /* the same in all runs */
	MOVE_OTHER, /* the same number, but another path or state */
	MOVE_ONE_RUN, /* they differ, but one side has a single run: the count may always vary like this */
	MOVE_FEW, /* no value of one side is in the range of the other, but there are too few runs to exclude chance */
	MOVE_NOT_SHOWN, /* the values overlap, and the interval does not show a difference */
	MOVE_SHOWN, /* by chance such a difference occurs in less than 5 % of cases */
	MOVE_COUNT
};
extern const char *const compare_move_keys[MOVE_COUNT]; /* "one run" */

/*
 * From the values of all runs. If they do not overlap, the exact rank test decides: by chance n and
 * m values are separated in 2 of (n+m over n) orders, so four runs of each suffice. If they
 * overlap, the 95 % interval of the difference must not contain 0 (faster_half__difference()), which
 * needs six.
 */
enum compare_move compare_move__of(const double *values, size_t n, const double *baseline, size_t m,
				   enum pairing pairing);

/* Do they differ at all? */
static inline bool compare_move__differs(enum compare_move move)
{
	return move > MOVE_NONE;
}

/* The values of all runs of one side, from the least to the most. */
struct count_range {
	uint64_t least, most;
};

/*
 * All runs of `now` must be outside the range of `then`, widened by its own width at both ends,
 * because the range of few runs is narrower than that of many. Never SHOWN_UNKNOWN.
 */
enum shown count_range__shows(struct count_range now, struct count_range then);

#endif
