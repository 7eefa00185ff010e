// SPDX-License-Identifier: GPL-2.0-or-later
/* What the forks of a command cost, as a sentence: of one, of all, and as a share of its run time. */
#include "advice/advice.h"

#include <stdlib.h>

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

/* One fork of the group that costs most, and all forks; to be freed. */
static char *words_of_forks(const struct run *run, const struct fork_breakdowns *breakdowns)
{
	const struct fork_breakdown *breakdown = fork_breakdowns__costliest(breakdowns);
	const double forks = (double)run->totals[LIFE_FORKS];
	const struct number_text each = quantity__time(breakdown->overhead),
				 all = quantity__time(breakdowns->overhead);
	char *parent = words_of_parent(run, breakdown), *text;

	if (forks == 1)
		text = text__of("The only fork%s costs %s of overhead", parent, each.text);
	else if (breakdown->forks == forks)
		text = text__of("Each of %.0f forks%s costs %s of overhead; together %s", forks,
				parent, each.text, all.text);
	else if (breakdown->forks == 1)
		text = text__of("One fork%s costs %s of overhead; all %.0f forks together %s",
				parent, each.text, forks, all.text);
	else
		text = text__of("Each of %.0f forks%s costs %s of overhead; all %.0f forks together %s",
				breakdown->forks, parent, each.text, forks, all.text);
	free(parent);
	return text;
}

/*
 * "43 % of the run time (144 ms)", whose clock is said where the bill has another; of processes that ran side by side
 * "more than the run time (...)". To be freed.
 */
static char *words_of_share(const struct run *run, double share)
{
	const struct number_text part = quantity__percent(share);

	return text__of("%s%s the %s (%s%s)",
			share > 1 ? "more than" : part.text, share > 1 ? "" : " of",
			run__is_attached(run) ? "time they were watched" : "run time",
			quantity__time((double)run->wall_ns).text,
			run->bill && run->bill->untraced_wall_ns ? ", as traced" : "");
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
	static const char *const rules[] = { "R5", "R6", "R13", "R15", NULL };

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

static char *verdict_of(const struct run *run, const struct fork_breakdowns *breakdowns)
{
	const unsigned long long forks = run->totals[LIFE_FORKS];
	const double share = breakdowns->overhead / (double)run->wall_ns;
	char *costs, *part, *text;

	if (!forks)
		return text__of(run__is_attached(run)
					? "These processes did not fork while they were counted."
					: "This command never forks.");
	if (!breakdowns->has_overhead || !run->wall_ns)
		return text__of("%s; how long they took could not be measured.",
				quantity__count(forks, "fork", "forks").text);
	costs = words_of_forks(run, breakdowns);
	part = words_of_share(run, share);
	text = text__of("%s, %s.%s", costs, part, judgement(run, share, breakdowns->overhead));
	free(part);
	free(costs);
	return text;
}

void advice__judge(struct run *run, const struct fork_breakdowns *breakdowns)
{
	run->anatomy->verdict = verdict_of(run, breakdowns);
}
