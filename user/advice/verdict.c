// SPDX-License-Identifier: GPL-2.0-or-later
/* What the forks of a command cost, as a sentence: of one, of all, and as a share of its run time. */
#include "advice/advice.h"

#include <stdlib.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

/* From this share of the run time on, forks are worth a thought. */
static const double PROBLEM = 0.05;

/* " of bash"; "" if that is not known. To be freed. */
static char *words_of_parent(const struct run *run, const struct fork_breakdown *breakdown)
{
	const uint32_t parent = run->groups[breakdown->group].parent_exe;

	if (parent >= run->exe_count || !run->exes[parent].path)
		return text__of("%s", "");
	return text__of(" of %s", text__file_name(exe__name(&run->exes[parent])));
}

/*
 * What one fork of the group's parent takes of the run time where the run is not traced, by its bill: without the page
 * faults that follow in the copy, and without waiting for it. 0: the bill has none of its forks.
 */
static double untraced_ns(const struct run *run, const struct fork_breakdown *breakdown)
{
	const struct bill_scale scale = bill__scale(run->bill);
	double ns = 0, forks = 0;

	for (size_t i = 0; i < run->bill->count; i++) {
		const struct bill_row *row = &run->bill->rows[i];

		if (row->kind == BILL_FORK && row->exe == run->groups[breakdown->group].parent_exe) {
			ns += bill__untraced(row, scale, row->wall_ns);
			forks += (double)row->count;
		}
	}
	return forks ? ns / forks : 0;
}

/* "Each of 100 forks of bash", "One fork of bash"; to be freed. */
static char *words_of_fork(const struct run *run, const struct fork_breakdown *breakdown)
{
	autofree char *parent = words_of_parent(run, breakdown);

	if (breakdown->forks > 1)
		return text__of("Each of %.0f forks%s", breakdown->forks, parent);
	return text__of("%s fork%s", run->totals[LIFE_FORKS] == 1 ? "The only" : "One", parent);
}

/*
 * One fork of the group that costs most, and all forks: "Each of 100 forks of bash takes 180 us (not traced). As
 * traced, with the page faults that follow, it costs 344 us of overhead; together 34.4 ms". To be freed.
 */
static char *words_of_forks(const struct run *run, const struct fork_breakdowns *breakdowns)
{
	const struct fork_breakdown *breakdown = fork_breakdowns__costliest(breakdowns);
	const double forks = (double)run->totals[LIFE_FORKS];
	const double untraced = run->bill && run->bill->untraced_wall_ns ? untraced_ns(run, breakdown) : 0;
	autofree char *fork = words_of_fork(run, breakdown), *all = NULL, *bare = NULL;

	if (untraced > 0)
		bare = text__of(" takes %s (not traced). As traced, with the page faults that follow, it",
				quantity__time(untraced).text);
	if (forks > 1)
		all = breakdown->forks == forks ? text__of("%s", "; together ")
						: text__of("; all %.0f forks together ", forks);
	return text__of("%s%s costs %s of overhead%s%s", fork, bare ? bare : "",
			quantity__time(breakdown->overhead).text, all ? all : "",
			all ? quantity__time(breakdowns->overhead).text : "");
}

/* "43 % of the run time (144 ms)"; of processes that ran side by side "more than the run time (...)". To be freed. */
static char *words_of_share(const struct run *run, double share)
{
	const struct number_text part = quantity__percent(share);

	return text__of("%s%s the %s (%s)", share > 1 ? "more than" : part.text, share > 1 ? "" : " of",
			run__is_attached(run) ? "time they were watched" : "run time",
			quantity__time((double)run->wall_ns).text);
}

/* Some advice shortens the child's own work, too, which is no overhead. */
static bool may_save_more(const struct run *run, double overhead)
{
	for (size_t i = 0; i < run->anatomy->advice_count; i++) {
		const struct advice *advice = &run->anatomy->advice[i];

		if (advice->predicted_ns.known && advice->group < run->group_count &&
		    advice->predicted_ns.high * (double)group__children(&run->groups[advice->group]) > overhead)
			return true;
	}
	return false;
}

/* The bill has found more of it: ends of children, faults on what they share, what each of them does again. */
static bool is_advised(const struct run *run)
{
	static const char *const rules[] = { "R5", "R6", "R13", "R15", "R21", "R27", NULL };

	for (size_t i = 0; i < run->advice_count; i++)
		if (text__is_any(run->advice[i].rule, rules))
			return true;
	return false;
}

/* What follows from the share, as sentences. */
static const char *judgement(const struct run *run, double share, double overhead)
{
	if (share > 1)
		return " Processes ran side by side.";
	if (share >= PROBLEM || is_advised(run))
		return "";
	if (run__is_attached(run))
		return " Forks are a small part of what these processes do.";
	return run->anatomy->advice_count && !run->advice_count && !may_save_more(run, overhead)
		       ? " Forks are a small part of it: the advice can save no more than that."
		       : " Forks are a small part of it.";
}

/*
 * Where forks are not the answer, one time of one fork is enough: "Each of 60 forks of perl takes 178 us (not traced).
 * Forks are a small part of the run." NULL: they are, or that time is not known. To be freed.
 */
static char *words_of_few(const struct run *run, const struct fork_breakdown *breakdown, double share)
{
	const double untraced = run->bill && run->bill->untraced_wall_ns ? untraced_ns(run, breakdown) : 0;
	autofree char *fork = words_of_fork(run, breakdown);

	if (share >= PROBLEM || !untraced || is_advised(run))
		return NULL;
	return text__of("%s takes %s (not traced). Forks are a small part of the run.", fork,
			quantity__time(untraced).text);
}

static char *verdict_of(const struct run *run, const struct fork_breakdowns *breakdowns)
{
	const unsigned long long forks = run->totals[LIFE_FORKS];
	const double share = breakdowns->overhead / (double)run->wall_ns;
	autofree char *costs = NULL, *part = NULL;
	char *few;

	if (!forks)
		return text__of(run__is_attached(run) ? "These processes did not fork while they were counted."
						      : "This command never forks.");
	if (!breakdowns->has_overhead || !run->wall_ns)
		return text__of("%s; how long they took could not be measured.",
				quantity__count(forks, "fork", "forks").text);
	few = words_of_few(run, fork_breakdowns__costliest(breakdowns), share);
	if (few)
		return few;
	costs = words_of_forks(run, breakdowns);
	part = words_of_share(run, share);
	return text__of("%s, %s.%s", costs, part, judgement(run, share, breakdowns->overhead));
}

void advice__judge(struct run *run, const struct fork_breakdowns *breakdowns)
{
	run->anatomy->verdict = verdict_of(run, breakdowns);
}
