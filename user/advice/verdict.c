// SPDX-License-Identifier: GPL-2.0-or-later
/* The tax of forks as a share of a command's wall time, and whether that is much. */
#include "advice/advice.h"
#include "base/text.h"

/* From this share of the wall time on, forks are worth a thought. */
static const double PROBLEM = 0.05;

/* For three digits of a time in ms, or all before the point. */
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

void advice__judge(struct run *run, const struct fork_bills *bills)
{
	unsigned long long forks = run->totals[LIFE_FORKS];
	double wall = (double)run->wall_ns, share = bills->tax / wall;
	const char *plural = forks == 1 ? "" : "s";

	if (!forks) {
		run->anatomy->verdict =
			text__of(run->attached_count
					 ? "These processes did not fork while they were counted."
					 : "Fork is not this command's problem: it never forks.");
		return;
	}
	if (!bills->taxed || wall <= 0) {
		run->anatomy->verdict = text__of(
			"%llu fork%s; how long they took could not be measured.", forks, plural);
		return;
	}
	run->anatomy->verdict = text__of(
		"%s: the tax of %llu fork%s is %.*f ms of %.*f ms wall time (%.1f %%)%s.%s",
		judgement(run, share), forks, plural, decimals_of(bills->tax), bills->tax / 1e6,
		decimals_of(wall), wall / 1e6, 100 * share,
		share > 1 ? ": more than all of it, as processes ran side by side" : "",
		share < PROBLEM && run->anatomy->advice_count
			? " What is advised below can save no more than that."
			: "");
}
