// SPDX-License-Identifier: GPL-2.0-or-later
/* What a comparison says, in a sentence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/bench_results.h"
#include "analysis/compare/unexplained.h"
#include "base/autofree.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

const struct compare_row *compare__find_row(const struct comparison *comparison,
					    enum compare_section section, const char *key)
{
	for (size_t i = 0; i < comparison->row_count; i++)
		if (comparison->rows[i].section == section && !strcmp(comparison->rows[i].key, key))
			return &comparison->rows[i];
	return NULL;
}

/* Which of two columns is the faster one, by how much. */
struct pair {
	size_t faster, slower;
	struct estimate ratio; /* how often the time of the faster one fits into the other */
};

static struct estimate inverse(const struct estimate *ratio)
{
	return (struct estimate){ ratio->known, ratio->bounded, 1 / ratio->value, 1 / ratio->high, 1 / ratio->low };
}

/* `column` beside the baseline. */
static struct pair pair_with(const struct comparison *comparison, size_t column)
{
	const struct estimate *ratio = comparison__ratio(comparison, column);

	if (ratio->known && ratio->value > 1)
		return (struct pair){ comparison->baseline, column, *ratio };
	return (struct pair){ column, comparison->baseline, ratio->known ? inverse(ratio) : *ratio };
}

/* Beside the baseline, where nothing was timed. */
static size_t fewest_faults(const struct comparison *comparison)
{
	const struct compare_row *row = compare__find_row(comparison, SECTION_FAULT_TOTALS, "total");
	size_t best = comparison->baseline ? 0 : 1;

	for (size_t i = 0; row && i < comparison->column_count; i++) {
		if (i != comparison->baseline && row->cells[i].known &&
		    (!row->cells[best].known || row->cells[i].median < row->cells[best].median))
			best = i;
	}
	return best;
}

/* The fastest column that is shown to be faster than the baseline; else what the baseline beats most. */
static size_t most_telling(const struct comparison *comparison)
{
	size_t best = fewest_faults(comparison);
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct estimate *ratio = comparison__ratio(comparison, i);
		const enum shown verdict = comparison__shows(comparison, i);

		if (i == comparison->baseline || !ratio->known)
			continue;
		if (verdict == SHOWN_LESS && ratio->value < least) {
			least = ratio->value;
			best = i;
		} else if (verdict == SHOWN_MORE && isinf(least) && ratio->value > most) {
			most = ratio->value;
			best = i;
		}
	}
	return best;
}

static size_t other_of(const struct comparison *comparison, const struct pair *pair)
{
	return pair->faster == comparison->baseline ? pair->slower : pair->faster;
}

/* "21 page faults fewer", those of the faster one. */
static char *faults_words(const struct comparison *comparison, const struct pair *pair)
{
	const struct compare_row *row = compare__find_row(comparison, SECTION_FAULT_TOTALS, "total");
	const double fewer = row->cells[pair->slower].median - row->cells[pair->faster].median;

	if (!fewer)
		return text__of("page faults, of which both make as many");
	return text__of("%s page fault%s %s", quantity__in(fabs(fewer), unit__none).text,
			number__plural(fabs(fewer), "", "s"), fewer < 0 ? "more" : "fewer");
}

/* What was measured, and that what was counted cannot be the cause. */
static char *unexplained_words(const struct comparison *comparison, const struct pair *pair)
{
	const struct estimate less = inverse(&pair->ratio);
	autofree char *faults = faults_words(comparison, pair);
	autofree char *bounds = quantity__ratio_bounds(less.low, less.high);

	return text__of("The measured %s less %s time of %s than of %s (ratio %s) is not explained by %s: at most %s "
			"of %s. It is work that was not counted, where memory lies, or chance",
			quantity__percent(1 - less.value).text, comparison->by_cpu ? "CPU" : "wall",
			comparison->columns[pair->faster].label, comparison->columns[pair->slower].label, bounds,
			faults, quantity__time(comparison->columns[other_of(comparison, pair)].explained_ns).text,
			quantity__time(comparison__time(comparison, pair->slower)->value).text);
}

static char *time_words(const struct comparison *comparison, const struct pair *pair)
{
	const char *faster = comparison->columns[pair->faster].label;
	const char *slower = comparison->columns[pair->slower].label;
	autofree char *too_few = words__too_few_runs(comparison->columns[pair->slower].sample_count);
	autofree char *ratio = NULL;
	bool is_shown;

	if (!pair->ratio.known)
		return NULL;
	if (comparison__is_unexplained(comparison, other_of(comparison, pair)))
		return unexplained_words(comparison, pair);
	is_shown = estimate__shows(&pair->ratio, 1) != SHOWN_NOTHING;
	ratio = words__ratio(is_shown ? &pair->ratio : comparison__ratio(comparison, other_of(comparison, pair)));
	if (!pair->ratio.bounded)
		return text__of("%s took %s times %s %s, without an interval: %s", slower, ratio,
				comparison->by_cpu ? "the CPU time of" : "as long as", faster, too_few);
	if (!is_shown)
		return text__of("No difference in %stime is shown between %s and %s: the ratio is %s",
				comparison->by_cpu ? "CPU " : "", comparison->columns[comparison->baseline].label,
				comparison->columns[other_of(comparison, pair)].label, ratio);
	return text__of("%s is %s times faster than %s%s", faster, ratio, slower,
			comparison->by_cpu ? " by CPU time" : "");
}

/* One kind of count in both columns. */
struct count {
	bool known, differs, varies; /* differs: by more than between runs of the same command */
	double here, there;
	const char *noun; /* of one */
};

static struct count count_of(const struct comparison *comparison, enum compare_section section,
			     const char *key, const struct pair *pair)
{
	const struct compare_row *row = compare__find_row(comparison, section, key);
	const struct spread *here = row ? &row->cells[pair->faster] : NULL;
	const struct spread *there = row ? &row->cells[pair->slower] : NULL;
	const bool calls = section == SECTION_SYSCALL_TOTALS || !strcmp(key, "syscalls");
	struct count count = { .noun = calls ? "system call" : "page fault" };

	if (!row || !here->known || !there->known)
		return count;
	count.known = true;
	count.differs = here->max < there->min || here->min > there->max;
	count.varies = here->min < here->max || there->min < there->max;
	count.here = here->median;
	count.there = there->median;
	return count;
}

/* "22 system calls and about 66 page faults", or "22 and 66"; NULL: nothing is known. */
static char *list_of(const struct count counts[2], bool there, bool with_nouns)
{
	char *text = NULL;

	for (int i = 0; i < 2; i++) {
		const double number = there ? counts[i].there : counts[i].here;

		if (counts[i].known)
			text__replace(&text, "%s%s%s%s%s%s%s", text ? text : "", text ? " and " : "",
				      counts[i].varies && !counts[i].differs ? "about " : "",
				      quantity__in(number, unit__none).text, with_nouns ? " " : "",
				      with_nouns ? counts[i].noun : "",
				      with_nouns ? number__plural(number, "", "s") : "");
	}
	return text;
}

/* The totals. */
static void take_totals(const struct comparison *comparison, const struct pair *pair, struct count counts[2])
{
	counts[0] = count_of(comparison, SECTION_SYSCALL_TOTALS, "total", pair);
	counts[1] = count_of(comparison, SECTION_FAULT_TOTALS, "total", pair);
}

/* Of both columns: the children's means where there are as many, which is returned; else the totals. */
static bool take_counts(const struct comparison *comparison, const struct pair *pair, struct count counts[2])
{
	const struct count children = count_of(comparison, SECTION_CHILDREN, "children", pair);
	const bool per_fork = children.known && children.here > 0 && children.here == children.there;

	take_totals(comparison, pair, counts);
	if (per_fork) {
		counts[0] = count_of(comparison, SECTION_CHILDREN, "syscalls", pair);
		counts[1] = count_of(comparison, SECTION_CHILDREN, "faults", pair);
	}
	return per_fork;
}

/* If one of the counts differs, the sentence has only what differs. Returns whether none does. */
static bool leave_out_alike(struct count counts[2])
{
	if (!counts[0].differs && !counts[1].differs)
		return true;
	for (int i = 0; i < 2; i++)
		counts[i].known = counts[i].differs;
	return false;
}

/* What the faster one does, and the other one instead; NULL: it was not counted. */
static char *count_words(const struct comparison *comparison, const struct pair *pair, bool has_time)
{
	struct count counts[2];
	const char *per = take_counts(comparison, pair, counts) ? " per fork" : "";
	const bool alike = leave_out_alike(counts);
	autofree char *here = list_of(counts, false, true), *there = list_of(counts, true, false);
	const char *who = has_time ? "it" : comparison->columns[pair->faster].label;
	char *text = NULL;

	if (here && alike)
		text = text__of("%s make %s%s", pair->ratio.known ? "both" : "Both", here, per);
	else if (here)
		text = text__of("%s makes %s%s instead of %s%s%s", who, here, per, there, has_time ? "" : " of ",
				has_time ? "" : comparison->columns[pair->slower].label);
	return text;
}

/* Of a single column: what it takes. */
static char *alone(const struct comparison *comparison)
{
	const struct pair self = { 0, 0, { .known = false } };
	const struct estimate *wall = &comparison->timings[0].wall;
	const struct unit unit = unit__of_time(wall->value);
	autofree char *time = NULL, *counts = NULL;
	struct count pair[2];

	take_totals(comparison, &self, pair);
	counts = list_of(pair, false, true);
	time = wall->known ? words__estimate(wall, unit) : NULL;
	return text__of("%s%s%s%s%s%s%s.", comparison->columns[0].label, time ? " takes " : "",
			time ? time : "", time ? " " : "", time ? unit.name : "",
			counts ? time ? " and makes " : " makes " : "", counts ? counts : "");
}

static bool sets_bind_now(char *const *settings)
{
	static const char name[] = "LD_BIND_NOW=";

	for (; settings && *settings; settings++)
		if (!strncmp(*settings, name, strlen(name)) && (*settings)[strlen(name)])
			return true;
	return false;
}

/* Why LD_BIND_NOW binds nothing earlier in this program; NULL: it does. */
static const char *why_bound(const struct elf_facts *facts)
{
	if (facts->linkage == LINKAGE_STATIC || facts->linkage == LINKAGE_STATIC_PIE)
		return "is static";
	if (facts->libc == LIBC_MUSL)
		return "is linked with musl, which binds everything at start";
	return facts->bind_now ? "is linked with -z now already (forktax bindnow says what its libraries leave)" : NULL;
}

char *compare_words__bind_now(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];
		const char *why = column->facts ? why_bound(column->facts) : NULL;

		if (why && sets_bind_now(column->settings))
			return text__of("LD_BIND_NOW changes nothing in the program %s: it %s.",
					text__file_name(column->path), why);
	}
	return NULL;
}

char *compare_words__answer(const struct comparison *comparison)
{
	struct pair pair;
	autofree char *time = NULL, *counts = NULL;
	bool is_shown;

	if (comparison->column_count < 2)
		return alone(comparison);
	pair = pair_with(comparison, most_telling(comparison));
	time = time_words(comparison, &pair);
	is_shown = comparison__shows(comparison, other_of(comparison, &pair)) > SHOWN_NOTHING;
	counts = comparison__is_unexplained(comparison, other_of(comparison, &pair)) ? NULL :
		 count_words(comparison, &pair, time && is_shown);
	return time || counts ? text__of("%s%s%s.", time ? time : "", time && counts ? "; " : "",
					 counts ? counts : "")
			      : NULL;
}
