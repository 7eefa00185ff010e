// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "report/bindnow_words.h"
#include "report/words.h"

/* All files bind that way, or have nothing to bind. */
static bool all_are(const struct bindnow_files *files, enum bindnow_way way)
{
	bool any = false;

	for (size_t i = 0; i < files->count; i++) {
		if (files->files[i].way == way)
			any = true;
		else if (files->files[i].way != WAY_NO_SLOTS)
			return false;
	}
	return any;
}

static const char *why_nothing(const struct bindnow_files *files)
{
	if (all_are(files, WAY_STATIC))
		return "nothing to bind, the command is static";
	if (all_are(files, WAY_MUSL))
		return "musl binds everything at start anyway";
	if (all_are(files, WAY_NOW))
		return "the files ask to be bound at start anyway";
	if (all_are(files, WAY_NO_SLOTS))
		return "no file has functions that could be bound at their first call";
	return "no file binds at first call";
}

static bool is_shown(const struct estimate *ratio)
{
	return ratio->bounded && (ratio->low > 1 || ratio->high < 1);
}

/* CPU time knows nothing of waiting: it tells differences that a busy machine hides. */
static char *of_cpu_time(const struct estimate *ratio)
{
	double change = 100 * (ratio->value - 1);

	if (!is_shown(ratio))
		return words("%s", "");
	return words(" It takes %.1f %% %s CPU time (ratio %.3f, %.3f..%.3f).", fabs(change),
		     change < 0 ? "less" : "more", ratio->value, ratio->low, ratio->high);
}

static char *of_wall_time(const struct estimate *ratio)
{
	double change = 100 * (ratio->value - 1);

	if (!ratio->known)
		return words("How long the command takes was not measured.");
	if (!ratio->bounded)
		return words("Fewer than %d timed runs say nothing about the time of the command.",
			     STATS_INTERVAL_MIN);
	if (!is_shown(ratio))
		return words("LD_BIND_NOW=1 makes no difference to the wall time of the command that "
			     "these runs could show (ratio %.3f, %.3f..%.3f).",
			     ratio->value, ratio->low, ratio->high);
	return words("LD_BIND_NOW=1 makes the command %.1f %% %s (ratio %.3f, %.3f..%.3f).",
		     fabs(change), change < 0 ? "faster" : "slower", ratio->value, ratio->low,
		     ratio->high);
}

static char *of_time(const struct compare_timing *timing)
{
	char *wall = of_wall_time(&timing->ratio), *cpu = of_cpu_time(&timing->cpu_ratio);
	char *text = words("%s%s", wall, cpu);

	free(wall);
	free(cpu);
	return text;
}

/* Have the counts shown that a command of this many children gains, or loses? */
static char *of_children(const struct bindnow *bindnow)
{
	const struct break_even *even = &bindnow->in_time;
	double children = bindnow->children;

	if (isnan(children))
		return words("%s", "");
	if (children == 0)
		return words(" It never forks: no child gains from it.");
	if (even->pays == PAYS_NEVER)
		return words(" Its children gain no time.");
	if (even->pays == PAYS_ALWAYS)
		return words(" Its children gain, and the start is no slower.");
	if (even->pays == PAYS_AT_LATEST && even->high && children >= (double)even->high)
		return words(" Its %.0f children are enough for that to pay off.", children);
	if (even->pays != PAYS_AFTER)
		return words("%s", "");
	if (even->high && children >= (double)even->high)
		return words(" Its %.0f children are enough to pay for the slower start.", children);
	if (children < (double)even->low)
		return words(" Its %.0f children are too few to pay for the slower start.",
			     children);
	return words(" Its %.0f children are about as many as pay for the slower start.", children);
}

static bool gains(const struct compare_timing *timing)
{
	if (is_shown(&timing->ratio))
		return timing->ratio.high < 1;
	return is_shown(&timing->cpu_ratio) && timing->cpu_ratio.high < 1;
}

char *bindnow_words__verdict(const struct bindnow *bindnow)
{
	const struct compare_timing *timing = &bindnow->comparison->timings[SIDE_NOW];
	char *time, *children, *text;

	if (!bindnow__may_matter(bindnow))
		return words("LD_BIND_NOW can change nothing here: %s.",
			     why_nothing(&bindnow->files));
	time = of_time(timing);
	children = of_children(bindnow);
	text = words("%s%s%s", time, children,
		     gains(timing) ? " To have it for good, link with -z now, or compile what calls "
				      "into libraries with -fno-plt."
				    : "");
	free(time);
	free(children);
	return text;
}
