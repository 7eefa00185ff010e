// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "report/bindnow/bindnow_words.h"

/* Do all files bind that way, or have nothing to bind? */
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

static const char *lead(enum bindnow_outcome outcome)
{
	switch (outcome) {
	case OUTCOME_PAYS:
		return "LD_BIND_NOW=1 pays off for this command";
	case OUTCOME_COSTS:
		return "LD_BIND_NOW=1 does not pay off for this command";
	case OUTCOME_UNCLEAR:
		return "Whether LD_BIND_NOW=1 pays off for this command is unknown: the "
		       "measurements disagree";
	case OUTCOME_NOT_MEASURED:
		return "Whether LD_BIND_NOW=1 pays off for this command was not measured";
	default:
		return "These runs do not show that LD_BIND_NOW=1 changes how long this command "
		       "takes";
	}
}

static char *of_ratio(const struct estimate *ratio, enum shown shown, const char *noun)
{
	autofree char *bounds = quantity__ratio_bounds(ratio->low, ratio->high);
	char *text;

	if (!ratio->known)
		return text__of("no %s", noun);
	if (shown == SHOWN_UNKNOWN)
		return text__of("%s unknown (needs %d quiet timed runs)", noun,
				STATS_INTERVAL_MIN);
	text = shown == SHOWN_NOTHING
		       ? text__of("no difference of the %s", noun)
		       : text__of("%s %s %s", quantity__percent(fabs(ratio->value - 1)).text,
				  shown == SHOWN_LESS ? "less" : "more", noun);
	text__replace(&text, "%s (ratio %s, %s)", text, quantity__ratio(ratio->value).text, bounds);
	return text;
}

static char *of_faults(const struct estimate *faults, enum shown shown)
{
	char *difference, *text;

	if (!faults->known)
		return text__of("%s", "");
	if (faults->bounded && faults->low == 0 && faults->high == 0)
		return text__of("; as many page faults as without");
	difference = bindnow_words__difference(faults, false);
	text = shown == SHOWN_NOTHING ? text__of("; no difference of the page faults: %s", difference)
				      : text__of("; %s page faults", difference);
	free(difference);
	return text;
}

/* What children save against what the start costs, both measured under tracing. */
static char *of_children(const struct bindnow *bindnow)
{
	double children = bindnow->children;
	const char *plural = number__plural(children, "child", "children");

	if (isnan(children))
		return text__of("%s", "");
	if (children == 0)
		return text__of("; it never forks, so no child gains from it");
	switch (bindnow->verdict.children) {
	case SHOWN_LESS:
		return text__of("; traced, its %.0f %s saved more than the start cost", children,
				plural);
	case SHOWN_MORE:
		return text__of("; traced, its %.0f %s saved less than the start cost", children,
				plural);
	case SHOWN_NOTHING:
		return text__of("; traced, what its %.0f %s saved and what the start cost are too "
				"close to tell apart",
				children, plural);
	default:
		return text__of("%s", "");
	}
}

char *bindnow_words__verdict(const struct bindnow *bindnow)
{
	const struct compare_timing *timing = &bindnow->comparison->timings[SIDE_NOW];
	const struct bindnow_verdict *verdict = &bindnow->verdict;
	const struct bindnow_row *row = bindnow__row(bindnow, BINDNOW_ALL, 0, "faults");
	const struct estimate unknown = { .known = false };
	char *cpu, *wall, *faults, *children, *text;

	if (verdict->outcome == OUTCOME_NOTHING_TO_BIND)
		return text__of("LD_BIND_NOW can change nothing here: %s.",
				why_nothing(&bindnow->files));
	cpu = of_ratio(&timing->cpu_ratio, verdict->cpu, "CPU time");
	wall = of_ratio(&timing->ratio, verdict->wall, "wall time");
	faults = of_faults(row ? &row->difference : &unknown, verdict->faults);
	children = of_children(bindnow);
	text = text__of("%s: %s; %s%s%s.%s", lead(verdict->outcome), cpu, wall, faults, children,
			verdict->outcome == OUTCOME_PAYS
			     ? " To have it for good, link with -z now, or compile what calls into "
			       "libraries with -fno-plt."
			     : "");
	free(cpu);
	free(wall);
	free(faults);
	free(children);
	return text;
}
