// SPDX-License-Identifier: GPL-2.0-or-later
/* What forks take: of one group, and of a command's wall time. */
#include <math.h>

#include "advice/advice.h"
#include "advice/subject.h"

/* From this share of the wall time on, forks are worth a thought. */
static const double PROBLEM = 0.05;

static double known_ns(const struct fork_bill *bill, enum bill_line line)
{
	return bill->lines[line].known ? bill->lines[line].ns : 0;
}

/*
 * The parent may be late to wait for a child that has ended, so the time until then counts at most
 * as long as making the child took: undoing costs no more than doing.
 */
static double teardown_ns(const struct fork_bill *bill, double start)
{
	double made = known_ns(bill, BILL_COPY) + start;

	return fmin(known_ns(bill, BILL_REAP), made);
}

/*
 * Nor does starting a child take longer than the fork call and a whole fork of the smallest process
 * together: the rest of that time it waited for a CPU.
 */
static double start_ns(const struct run *run, const struct fork_bill *bill)
{
	const struct figure *smallest = &run->anatomy->costs[COST_FORK];
	double start = known_ns(bill, BILL_START);

	return smallest->known ? fmin(start, known_ns(bill, BILL_COPY) + smallest->value) : start;
}

bool advice__fork_ns(const struct run *run, uint32_t group, double *ns)
{
	static const enum bill_line lines[] = { BILL_COPY,    BILL_KERNEL, BILL_BINDING,
						BILL_BINDING_CODE, BILL_DATA, BILL_MAPS, BILL_EXIT,
						BILL_PARENT };
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);
	struct fork_bill bill;
	double start;

	*ns = 0;
	if (!cost || !cost->call.count || !fork_bill__make(run, group, &bill))
		return false;
	start = start_ns(run, &bill);
	*ns = start;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		*ns += known_ns(&bill, lines[i]);
	/* Without a child that was reaped by wait4 only the call itself is known. */
	*ns += bill.complete ? teardown_ns(&bill, start) : (double)cost->call.median;
	return true;
}

/* What all forks take, ns; false if that is known for no group. */
static bool all_forks_ns(const struct run *run, double *ns)
{
	bool known = false;

	*ns = 0;
	for (size_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];
		double each;

		if (!advice__fork_ns(run, (uint32_t)i, &each))
			continue;
		known = true;
		*ns += each * (double)(group->children + group->unfinished);
	}
	return known;
}

/* Of a time in ms: three digits, at least those before the point. */
static int decimals_of(double ns)
{
	return ns >= 1e8 ? 0 : ns >= 1e7 ? 1 : 2;
}

static const char *judgement(const struct run *run, double share)
{
	if (share >= PROBLEM)
		return "Forks are worth a look";
	return run->attached_count ? "Fork is not the problem of these processes"
				   : "Fork is not this command's problem";
}

void advice__judge(struct run *run)
{
	uint64_t forks = run->totals[LIFE_FORKS];
	double ns, wall = (double)run->wall_ns, share;
	const char *plural = forks == 1 ? "" : "s";

	if (!forks) {
		run->anatomy->verdict =
			text__of(run->attached_count
					 ? "These processes have not forked meanwhile."
					 : "Fork is not this command's problem: it never forks.");
		return;
	}
	if (!all_forks_ns(run, &ns) || wall <= 0) {
		run->anatomy->verdict =
			text__of("%llu fork%s; how long they took could not be measured.",
				 (unsigned long long)forks, plural);
		return;
	}
	share = ns / wall;
	run->anatomy->verdict =
		text__of("%s: %llu fork%s, %.*f ms of %.*f ms wall time (%.1f %%)%s.%s",
			 judgement(run, share), (unsigned long long)forks, plural, decimals_of(ns),
			 ns / 1e6, decimals_of(wall), wall / 1e6, 100 * share,
			 share > 1 ? ": more than all of it, as processes ran side by side" : "",
			 share < PROBLEM && run->anatomy->advice_count
				 ? " What is advised below can save no more than that."
				 : "");
}
