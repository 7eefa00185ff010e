// SPDX-License-Identifier: GPL-2.0-or-later
/* What looks wrong with the times of a bench, in words. */
#include "analysis/bench/bench_results.h"
#include "base/memory.h"
#include "base/text.h"

/* Takes over the text. */
static void warn_of(struct bench_analysis *analysis, char *text)
{
	analysis->warnings =
		checked_grow(analysis->warnings, analysis->warning_count, sizeof(char *));
	analysis->warnings[analysis->warning_count++] = text;
}

/* "static", or "static at 16M", to be freed. */
static char *name_of(const struct bench *bench, size_t cell)
{
	const char *row = bench->rows[cell / bench->column_count].name;
	const char *column = bench->columns[cell % bench->column_count].name;

	return text__of("%s%s%s", row, *column ? " at " : "", column);
}

/* The cells of which `is_so` holds, by name, the first few; NULL: none. */
static char *names_of(const struct bench_analysis *analysis,
		      bool (*is_so)(const struct bench_figures *figures))
{
	struct name_list names = { .most = 3 };

	for (size_t i = 0; i < analysis->bench->cell_count; i++) {
		char *name;

		if (!is_so(&analysis->cells[i]))
			continue;
		name = name_of(analysis->bench, i);
		name_list__add(&names, name);
		free(name);
	}
	return name_list__finish(&names);
}

static bool is_slow_first(const struct bench_figures *figures)
{
	return figures->is_slow_first;
}

static bool has_outliers(const struct bench_figures *figures)
{
	return figures->has_outliers && !figures->is_slow_first;
}

static bool gets_slower(const struct bench_figures *figures)
{
	return figures->drift > 1;
}

static bool gets_faster(const struct bench_figures *figures)
{
	return figures->drift < 1; /* not if it is NAN */
}

static void warn_of_others(struct bench_analysis *analysis)
{
	const struct bench *bench = analysis->bench;
	struct disturbance disturbance = { .all = 0 };
	char *words;

	for (size_t i = 0; i < bench->cell_count; i++) {
		const struct series times =
			bench_cell__series(&bench->cells[i], BENCH_METRIC_TIME, bench->rounds);

		disturbance__add(&disturbance, &times);
	}
	words = disturbance__words(&disturbance);
	if (words)
		warn_of(analysis, words);
}

void bench_analysis__set_warnings(struct bench_analysis *analysis)
{
	static const struct {
		bool (*is_so)(const struct bench_figures *figures);
		const char *text;
	} kinds[] = {
		{ is_slow_first, "The first round was far slower than the others, as if something "
				 "had to be loaded first" },
		{ has_outliers, "Some rounds took far longer or shorter than the others: other "
				"programs may have disturbed them" },
		{ gets_slower, "Times grew during the measurement, by more than chance: does the "
			       "CPU get hot, or did the machine get busier?" },
		{ gets_faster, "Times fell during the measurement, by more than chance: was the "
			       "machine busy when it began?" },
	};

	warn_of_others(analysis);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char *names = names_of(analysis, kinds[i].is_so);

		if (names)
			warn_of(analysis, text__of("%s (%s).", kinds[i].text, names));
		free(names);
	}
}
