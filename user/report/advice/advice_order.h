/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order in which advice is shown: what saves most first, as measured, or where it was not tried as predicted; last
 * what was tried without a saving that its interval shows.
 */
#ifndef FORKTAX_REPORT_ADVICE_ADVICE_ORDER_H
#define FORKTAX_REPORT_ADVICE_ADVICE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "model/run/run.h"
#include "model/workers/workers.h"

/* What it is about, in words. */
struct advice_about {
	const char *rows_title, *text_title;
	const char *groups_title; /* of rows about several groups, each with its own number of forks; NULL: the same */
	const char *counted; /* what two rules may count both */
	bool by_groups; /* of children */
	bool of_run; /* savings are of the run as a whole */
	const char *per; /* "fork"; NULL: savings are of the whole */
	const char *saving; /* what a trial should show */
	const char *section; /* whose name shows all of it */
};

struct advice_order {
	const struct advice_about *about;
	const struct run *run; /* NULL: a pool */
	const struct advice **list;
	size_t count;
	size_t useful; /* of these, the first: those that no trial has refuted */
};

/* The advice of forks (run->anatomy), of a start, of the run as a whole, or of a pool. */
struct advice_order advice_order__of_forks(const struct run *run);
struct advice_order advice_order__of_start(const struct run *run);
struct advice_order advice_order__of_run(const struct run *run);
struct advice_order advice_order__of_pool(const struct workers *workers);
/* How often the run has what the advice saves once: so many children, or 1. */
double advice_order__times(const struct advice_order *order, const struct advice *advice);
/* Is it about several groups of children? */
bool advice_order__has_groups(const struct advice_order *order);
const char *advice_order__title(const struct advice_order *order);
void advice_order__free(struct advice_order *order);

/*
 * What advice for a pool is weighed by: the most that it may save. What is certain (no interval) is merging: that takes
 * CPU time as long as the pool lives, so half of it counts.
 */
double advice_order__bytes(const struct advice *advice);
/* Was it tried, but in too few quiet runs for an interval? */
bool advice__lacks_quiet_runs(const struct advice *advice);
/* What it saves: as measured, or as predicted where no trial has shown it. */
const struct estimate *advice__saving(const struct advice *advice);
/* With its trial's result? */
bool advice__is_measured(const struct advice *advice);

#endif
