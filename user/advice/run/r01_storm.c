// SPDX-License-Identifier: GPL-2.0-or-later
/* R1: each process makes hundreds of calls on descriptors that are not open. */
#include <errno.h>
#include <math.h>

#include "advice/run/rules_run.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "model/words/syscall_names.h"

enum { CALLS_LEAST = 500 }; /* of a process: fewer are no loop over all descriptors */
enum { LOWER_LIMIT = 256 }; /* of "ulimit -n 256" */
static const double SHARE_LEAST = 0.05, NEAR_LIMIT = 0.9;
/* What a loop adds to each call at most, in an interpreter. */
static const double LOOP_NS_MOST = 5000;

/* Calls of the same program, or of the same copies. */
static uint64_t calls_of(const struct bill *bill, const struct bill_row *like)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < bill->count; i++) {
		const struct bill_row *row = &bill->rows[i];

		if (row->kind == BILL_CALL && row->exe == like->exe && row->executed == like->executed)
			calls += row->count;
	}
	return calls;
}

/* What the calls take, and of the code around them the part that all calls of the program share. */
static double loop_ns(const struct run_subject *subject, const struct bill_row *row, const struct bill_row *code)
{
	const double calls = (double)row->count, part = calls / (double)calls_of(subject->run->bill, row);

	return run_subject__wall(subject, row) + fmin(part * run_subject__wall(subject, code), calls * LOOP_NS_MOST);
}

/* How many images of the program there were, or copies of it. */
static uint64_t images_of(const struct run_subject *subject, const struct bill_row *row)
{
	const struct run *run = subject->run;
	const struct bill_row *start = run_subject__row(subject, BILL_START, row->exe, true);
	uint64_t copies = 0;

	if (row->executed)
		return start ? start->count : 0;
	for (size_t i = 0; i < run->group_count; i++)
		if (run->groups[i].parent_exe == row->exe)
			copies += group__children(&run->groups[i]);
	return copies;
}

struct storm {
	const struct bill_row *row; /* NULL: there is none */
	double ns, each; /* how long; calls of a process */
};

static struct storm find_storm(const struct run_subject *subject)
{
	const struct bill *bill = subject->run->bill;
	struct storm storm = { 0 };

	for (size_t i = 0; i < bill->count; i++) {
		const struct bill_row *row = &bill->rows[i];
		const struct bill_row *code = run_subject__row(subject, BILL_CODE, row->exe, row->executed);
		uint64_t images;
		double ns;

		if (row->kind != BILL_CALL || row->error != EBADF || !code)
			continue;
		images = images_of(subject, row);
		if (!images || row->count / images < CALLS_LEAST)
			continue;
		ns = loop_ns(subject, row, code);
		if (ns >= SHARE_LEAST * run_subject__busy(subject) && ns > storm.ns)
			storm = (struct storm){ row, ns, (double)row->count / (double)images };
	}
	return storm;
}

bool rule__r01_storm(const struct run_subject *subject, struct advice *advice)
{
	const struct storm storm = find_storm(subject);
	const double most = subject->open_files_most == ABSENT ? 0 : (double)subject->open_files_most;
	const bool reaches_limit = most && storm.each >= NEAR_LIMIT * most;
	autofree char *share = NULL, *limit = NULL;

	if (!storm.row)
		return false;
	share = run_subject__share(subject, storm.ns);
	limit = reaches_limit ? text__of(", up to the limit of open files (%.0f)", most) : text__of("%s", "");
	advice->evidence = text__of("%s%s: %.0f %s() calls each, all failing with EBADF%s, take %s.",
				    storm.row->executed ? "" : "Children of ",
				    run_subject__name(subject, storm.row->exe), storm.each,
				    syscall_name(storm.row->call_abi, storm.row->call_nr), limit, share);
	advice->action = text__of("close what is open: close_range(2), or what /proc/self/fd lists%s",
				  reaches_limit ? "; or lower the limit (ulimit -n)" : "");
	if (reaches_limit && most > 2 * LOWER_LIMIT)
		advice->way = text__of("ulimit -n %d", LOWER_LIMIT);
	advice->predicted_ns = estimate__of(storm.ns);
	estimate__widen(&advice->predicted_ns, run_subject__wall(subject, storm.row), storm.ns);
	return true;
}
