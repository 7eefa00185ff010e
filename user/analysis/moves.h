/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Is a count of one side another one than that of the other, and do the runs bear it out? The rule for all
 * counts: of values where they are there, of ranges where only those were kept. For intervals:
 * estimate__shows().
 */
#ifndef FORKTAX_ANALYSIS_MOVES_H
#define FORKTAX_ANALYSIS_MOVES_H

#include "analysis/stats.h"

enum compare_move {
	MOVE_UNKNOWN, /* not counted in some run, or there is none */
	MOVE_NONE, /* the same in all runs */
	MOVE_OTHER, /* as often, but of another kind: another path, another state */
	MOVE_ONE_RUN, /* they differ, but of one side there is one run: it may always vary so */
	MOVE_FEW, /* each run of one side has more than any of the other: too few runs to rule chance out */
	MOVE_NOT_SHOWN, /* what both sides have overlaps, and no interval shows a difference */
	MOVE_SHOWN, /* chance makes such a difference in less than 5 % of cases */
	MOVE_COUNT
};
extern const char *const compare_move_keys[MOVE_COUNT]; /* "one run" */

/*
 * Of the values of all runs. Without overlap the exact test of ranks counts: by chance n and m values are
 * so apart in 2 of (n+m over n) cases, so that four runs of each suffice. Otherwise the 95 % interval
 * of the difference has to leave out 0 (stats__difference()), which takes six.
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
 * All runs of now must lie beyond the range of then, widened by its own width at both ends: a range of few
 * runs is narrower than what may come. Never SHOWN_UNKNOWN.
 */
enum shown count_range__shows(struct count_range now, struct count_range then);

#endif
