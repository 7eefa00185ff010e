// SPDX-License-Identifier: GPL-2.0-or-later
/* What looks wrong with the times of a bench, in words. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis/bench/bench_results.h"
#include "base/memory.h"

__attribute__((format(printf, 2, 3))) static void warn_of(struct bench_analysis *analysis,
							  const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		err(125, "out of memory");
	va_end(arguments);
	analysis->warnings =
		checked_grow(analysis->warnings, analysis->warning_count, sizeof(char *));
	analysis->warnings[analysis->warning_count++] = text;
}

/* "static", or "static at 16M", to be freed. */
static char *name_of(const struct bench *bench, size_t cell)
{
	const char *row = bench->rows[cell / bench->column_count].name;
	const char *column = bench->columns[cell % bench->column_count].name;
	char *name;

	if (asprintf(&name, *column ? "%s at %s" : "%s%s", row, column) < 0)
		err(125, "out of memory");
	return name;
}

/* The cells of which `is_so` holds, by name, the first few; NULL: none. */
static char *names_of(const struct bench_analysis *analysis,
		      bool (*is_so)(const struct bench_figures *figures))
{
	enum { NAMED = 3 };
	size_t count = 0;
	char *names = NULL;

	for (size_t i = 0; i < analysis->bench->cell_count; i++) {
		char *name, *longer;

		if (!is_so(&analysis->cells[i]) || count++ >= NAMED)
			continue;
		name = name_of(analysis->bench, i);
		if (asprintf(&longer, "%s%s%s", names ? names : "", names ? ", " : "", name) < 0)
			err(125, "out of memory");
		free(name);
		free(names);
		names = longer;
	}
	if (count > NAMED) {
		char *longer;

		if (asprintf(&longer, "%s and %zu more", names, count - NAMED) < 0)
			err(125, "out of memory");
		free(names);
		names = longer;
	}
	return names;
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
		warn_of(analysis, "%s", words);
	free(words);
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
			warn_of(analysis, "%s (%s).", kinds[i].text, names);
		free(names);
	}
}
