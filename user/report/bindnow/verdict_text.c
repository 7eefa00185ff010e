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
		return "Whether LD_BIND_NOW=1 pays off for this command is unknown";
	default:
		return "These runs do not show that LD_BIND_NOW=1 changes how long this command "
		       "takes";
	}
}

/* Where that is the answer as a whole, it is not repeated of each figure. */
static const char *no_difference(const struct bindnow *bindnow)
{
	return bindnow->verdict.outcome == OUTCOME_NOT_SHOWN ? "" : "no difference shown, ";
}

/* "CPU time: 5.3 % more, ratio 1.053 (1.031..1.123)". */
static char *of_time(const struct bindnow *bindnow)
{
	const struct estimate *ratio = comparison__ratio(bindnow->comparison, SIDE_NOW);
	const char *noun = bindnow->comparison->by_cpu ? "CPU time" : "wall time";
	const enum shown shown = bindnow->verdict.time;
	autofree char *bounds = NULL;

	if (!ratio->known)
		return text__of("it was not timed");
	if (shown == SHOWN_UNKNOWN)
		return words__too_few_runs(bindnow->comparison->columns[SIDE_NOW].sample_count);
	bounds = quantity__ratio_bounds(ratio->low, ratio->high);
	if (shown == SHOWN_NOTHING)
		return text__of("%s: ratio %s (%s)", noun, quantity__ratio(ratio->value).text, bounds);
	return text__of("%s: %s %s, ratio %s (%s)", noun, quantity__percent(fabs(ratio->value - 1)).text,
			shown == SHOWN_LESS ? "less" : "more", quantity__ratio(ratio->value).text, bounds);
}

static char *of_faults(const struct bindnow *bindnow)
{
	const struct bindnow_row *row = bindnow__row(bindnow, BINDNOW_ALL, 0, "faults");
	const struct estimate *faults = row ? &row->difference : &(struct estimate){ .known = false };
	const bool is_equal = bindnow->verdict.faults == SHOWN_NOTHING;
	char *difference, *text;

	if (!faults->known)
		return text__of("%s", "");
	if (faults->bounded && faults->low == 0 && faults->high == 0)
		return text__of("; page faults: as many as without");
	difference = bindnow_words__difference(faults, false);
	text = text__of("; page faults: %s%s", is_equal ? no_difference(bindnow) : "", difference);
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
	const struct bindnow_verdict *verdict = &bindnow->verdict;
	autofree char *time = NULL, *faults = NULL, *children = NULL;

	if (verdict->outcome == OUTCOME_NOTHING_TO_BIND)
		return text__of("LD_BIND_NOW can change nothing here: %s.",
				why_nothing(bindnow->files));
	time = of_time(bindnow);
	faults = of_faults(bindnow);
	children = of_children(bindnow);
	return text__of("%s%s %s%s%s.%s", lead(verdict->outcome),
			verdict->outcome == OUTCOME_NOT_MEASURED ? ":" : ".", time, faults, children,
			verdict->outcome == OUTCOME_PAYS
			     ? " To have it for good, link with -z now, or compile what calls into "
			       "libraries with -fno-plt."
			     : "");
}
