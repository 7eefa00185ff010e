// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether the commands of a comparison did the same, in sentences. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

static const char *const part_names[] = {
	[OUTCOME_END] = "exit status",
	[OUTCOME_STDOUT] = "stdout",
	[OUTCOME_STDERR] = "stderr",
};

/* Its outcome, and that of the baseline. False: they were not run beside each other. */
struct both {
	const struct command_outcome *own, *base;
};

static bool find_both(const struct comparison *comparison, size_t column, struct both *both)
{
	const struct compare_column *own = &comparison->columns[column];
	const struct compare_column *base = &comparison->columns[comparison->baseline];

	*both = (struct both){ own->outcome, base->outcome };
	return own != base && own->outcome && base->outcome && own->measurement == base->measurement;
}

/* "exit 1 instead of 0", "14 bytes instead of 12 on stdout"; to be freed */
static char *difference_in(const struct both *both, enum outcome_part part)
{
	const struct output_sum *own, *base;
	char *text;

	if (part == OUTCOME_END) {
		char *here = words__exit(both->own->status, both->own->signal, true);
		char *there = words__exit(both->base->status, both->base->signal, true);

		text = text__of("%s instead of %s", here, there);
		free(here);
		free(there);
		return text;
	}
	own = &both->own->written[part - OUTCOME_STDOUT];
	base = &both->base->written[part - OUTCOME_STDOUT];
	if (own->bytes == base->bytes)
		return text__of("%s on %s that differ", quantity__count(own->bytes, "byte", "bytes").text,
				part_names[part]);
	return text__of("%s instead of %" PRIu64 " on %s", quantity__count(own->bytes, "byte", "bytes").text,
			base->bytes, part_names[part]);
}

static void add(char **list, const char *separator, char *one)
{
	text__replace(list, "%s%s%s", *list ? *list : "", *list ? separator : "", one);
	free(one);
}

/* What differs in each run; NULL: nothing. */
static char *differences_of(const struct both *both)
{
	char *list = NULL;

	for (int part = 0; part < OUTCOME_PARTS; part++)
		if (command_outcome__part_always_differs(both->own, both->base, part))
			add(&list, ", ", difference_in(both, part));
	return list;
}

static char *all_differences(const struct comparison *comparison)
{
	char *list = NULL;
	struct both both;

	for (size_t i = 0; i < comparison->column_count; i++) {
		char *differences = find_both(comparison, i, &both) ? differences_of(&both) : NULL;

		if (differences)
			add(&list, "; ", text__of("%s: %s", comparison->columns[i].label, differences));
		free(differences);
	}
	return list;
}

/* "stdout", "stdout and stderr": what varies by itself; NULL: nothing. */
static char *varying(const struct comparison *comparison)
{
	char *list = NULL;
	bool varies;

	for (int part = 0; part < OUTCOME_PARTS; part++) {
		varies = false;
		for (size_t i = 0; i < comparison->column_count; i++) {
			const struct command_outcome *outcome = comparison->columns[i].outcome;

			varies |= outcome && outcome->varies[part];
		}
		if (varies)
			add(&list, " and ", text__of("%s", part_names[part]));
	}
	return list;
}

char *compare_words__same(const struct comparison *comparison)
{
	const struct command_outcome *base = comparison->columns[comparison->baseline].outcome;
	bool known = comparison->column_count > 1;
	autofree char *end = base ? words__exit(base->status, base->signal, true) : NULL;
	uint64_t bytes;
	struct both both;

	for (size_t i = 0; i < comparison->column_count; i++)
		known &= i == comparison->baseline || find_both(comparison, i, &both);
	for (size_t i = 0; i < comparison->column_count && known; i++)
		for (int part = 0; part < OUTCOME_PARTS; part++)
			known &= !comparison->columns[i].outcome->varies[part] &&
				 !command_outcome__part_differs(comparison->columns[i].outcome, base, part);
	if (!known)
		return NULL;
	bytes = base->written[0].bytes + base->written[1].bytes;
	if (!bytes)
		return text__of("%s did the same: no output, %s.", comparison->column_count == 2 ? "Both" : "All", end);
	return text__of("%s did the same: %s of output, %s.", comparison->column_count == 2 ? "Both" : "All",
			quantity__count(bytes, "equal byte", "equal bytes").text, end);
}

char *compare_words__outcome(const struct comparison *comparison)
{
	autofree char *differences = all_differences(comparison);
	autofree char *varies = varying(comparison);

	if (!differences && !varies)
		return NULL;
	return text__of("%s%s%s%s%s%s%s", differences ? "They did not do the same. " : "",
			differences ? differences : "", differences ? "." : "", differences && varies ? " " : "",
			varies ? "The same command differs from run to run in " : "", varies ? varies : "",
			varies ? ", so that this does not say whether they did the same." : "");
}
