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
	const struct estimate *faults = &bindnow->faults;
	const bool is_equal = bindnow->verdict.faults == SHOWN_NOTHING;
	autofree char *difference = NULL;

	if (!faults->known)
		return text__of("%s", "");
	if (faults->bounded && faults->low == 0 && faults->high == 0)
		return text__of("; page faults: as many as without");
	difference = bindnow_words__difference(faults, false);
	return text__of("; page faults: %s%s", is_equal ? no_difference(bindnow) : "", difference);
}

/* What LD_BIND_NOW changes, and the most that it can cost or save. */
static char *of_causes(const struct bindnow *bindnow)
{
	const double whole = comparison__time(bindnow->comparison, SIDE_LAZY)->value;
	const struct unit unit = unit__of_time(whole);
	const uint64_t functions = bindnow_files__functions(bindnow->files);

	return text__of(" That is more than the %s page faults that differ and the %s bound at start "
			"explain: at most %s of %s %s. It is likely something else, or chance.",
			quantity__in(fabs(bindnow->faults.value), unit__none).text,
			quantity__count(functions, "function", "functions").text,
			number__fixed(bindnow->explained_ns / unit.size, 2).text, quantity__in(whole, unit).text,
			unit.name);
}

static char *of_lazy(const struct lazy_functions *lazy, const char *libraries)
{
	const struct number_text functions = quantity__count(lazy->functions, "function", "functions");

	return lazy->files == 1 ? text__of("%s of %s", functions.text, text__file_name(lazy->path))
				: text__of("%s of %zu %s", functions.text, lazy->files, libraries);
}

/* What is left to bind where no program binds at the first call; else nothing. */
static char *of_linking(const struct bindnow *bindnow)
{
	const struct bindnow_files *files = bindnow->files;
	const struct lazy_functions libraries = bindnow_files__lazy(files, LAZY_LIBRARIES);
	const struct lazy_functions opened = bindnow_files__lazy(files, LAZY_OPENED);
	autofree char *asked = of_lazy(&libraries, "libraries"), *others = of_lazy(&opened, "libraries");

	if (bindnow_files__lazy(files, LAZY_PROGRAMS).files || !(libraries.files || opened.files))
		return text__of("%s", "");
	return text__of(" The program %s: only %s%s%s%s are left to a first call.",
			files->files[0].way == WAY_NOW ? "is linked with -z now already" :
							 "has no function left to a first call (-fno-plt)",
			libraries.files ? asked : "", libraries.files && opened.files ? " and " : "",
			opened.files ? others : "",
			opened.files ? " that it opens (dlopen), unless with RTLD_NOW," : "");
}

/* Where something is left that others than the C library's authors link. */
static char *of_advice(const struct bindnow *bindnow)
{
	const struct lazy_functions opened = bindnow_files__lazy(bindnow->files, LAZY_OPENED);

	if (bindnow->verdict.outcome != OUTCOME_PAYS)
		return text__of("%s", "");
	if (bindnow_files__lazy(bindnow->files, LAZY_PROGRAMS).files)
		return text__of(" To have it for good, link with -z now, or compile what calls into "
				"libraries with -fno-plt.");
	if (opened.files)
		return text__of(" To have it for good, link the %zu opened %s with -z now, or open with RTLD_NOW.",
				opened.files, number__plural((double)opened.files, "library", "libraries"));
	return text__of(" To have it for good, link the libraries that are left with -z now.");
}

char *bindnow_words__verdict(const struct bindnow *bindnow)
{
	const struct bindnow_verdict *verdict = &bindnow->verdict;
	autofree char *time = NULL, *faults = NULL, *causes = NULL, *linking = NULL, *advice = NULL;

	if (verdict->outcome == OUTCOME_NOTHING_TO_BIND)
		return text__of("LD_BIND_NOW can change nothing here: %s.", why_nothing(bindnow->files));
	time = of_time(bindnow);
	faults = of_faults(bindnow);
	causes = verdict->outcome == OUTCOME_UNEXPLAINED ? of_causes(bindnow) : text__of("%s", "");
	linking = of_linking(bindnow);
	advice = of_advice(bindnow);
	return text__of("%s%s %s%s%s.%s%s%s", lead(verdict->outcome),
			verdict->outcome == OUTCOME_NOT_MEASURED ? ":" : ".", time, faults,
			bindnow->children == 0 ? "; it never forks, so no child gains from it" : "", causes, linking,
			advice);
}
