// SPDX-License-Identifier: GPL-2.0-or-later
/* R26: a runtime, or a filter of little, is started again and again for something else: it loads the same each time. */
#include <inttypes.h>
#include <string.h>

#include "advice/interpreters.h"
#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/checksum.h"
#include "base/quantity.h"
#include "base/text.h"

enum { STARTS_LEAST = 4, INPUT_MOST = 16 << 10 /* bytes */, FILTER_NS_LEAST = 4 * 1000 * 1000 };
static const double SHARE_LEAST = 0.1;

/* Has it to load modules at each start? Others that take long work. */
static bool is_runtime(const char *name)
{
	static const char *const others[] = { "node", "nodejs", "java", "R", NULL };

	return interpreter__named(name) || text__is_any(name, others);
}

/*
 * Does it get so little by a pipe that what takes long is not to read that, and is its output what it is for? R9
 * needs lines: without them a filter counts that takes 4 ms, which is more than sed and the like take.
 */
static bool is_filter(const struct execution *row)
{
	return row->fed == row->count && row->input_most_bytes <= INPUT_MOST && row->captured == row->count &&
	       row->cpu_ns >= row->count * (row->line == NO_LINE ? FILTER_NS_LEAST : HEAVY_NS_LEAST);
}

/* The same with the same first argument, of a runtime its script; each takes long. */
static bool starts_key(const struct run_subject *subject, const struct execution *row, uint64_t key[2])
{
	const bool loads = is_runtime(run_subject__name(subject, row->exe)) &&
			   row->cpu_ns >= row->count * HEAVY_NS_LEAST;

	if (row->argument_count < 3 || (!loads && !is_filter(row)))
		return false;
	key[0] = (uint64_t)row->exe << 32 | row->parent_exe;
	key[1] = checksum__add(CHECKSUM_BEGIN, row->arguments[1], strlen(row->arguments[1]));
	return true;
}

bool rule__r26_starts(const struct run_subject *subject, struct advice *advice)
{
	const struct execution_group starts = execution_group__largest(subject, starts_key);
	const double count = (double)starts.all.count;
	autofree char *place = NULL, *share = NULL, *words = NULL;
	struct spared spared = { 0 }, most = { 0 };
	const char *name;
	double ns;

	if (!starts.first || starts.rows < STARTS_LEAST)
		return false;
	/* What they have in common is about what the cheapest one takes, and no more than all; once remains. */
	spared__add(&spared, subject, &starts.all, (count - 1) * starts.least_cpu_ns / (double)starts.all.cpu_ns);
	if (!spared__reaches(&spared, subject, SHARE_LEAST))
		return false;
	ns = spared__predict(&spared, subject, advice);
	share = run_subject__share(subject, ns);
	spared__add(&most, subject, &starts.all, (count - 1) / count);
	spared__widen(&most, subject, 0, advice);
	name = run_subject__name(subject, starts.all.exe);
	words = execution__words(starts.first);
	place = execution__place(subject, starts.first);
	if (!place && starts.first->named)
		place = text__of("named in %s", starts.first->named);
	advice->evidence = text__of("%s%s%s%s starts %s %" PRIu64 " times, each time for something else (%s). Each "
				    "takes %s or more, and so much of all but one %s.",
				    run_subject__name(subject, starts.all.parent_exe), place ? " (" : "",
				    place ? place : "", place ? ")" : "", name, starts.all.count, words,
				    quantity__time(ns / (count - 1)).text, share);
	advice->action = text__of("start %s once for all of them, if %s can do that", name,
				  !is_runtime(name) ? "it" : *starts.first->arguments[1] == '-' ? "what it runs" :
				  text__file_name(starts.first->arguments[1]));
	return true;
}
