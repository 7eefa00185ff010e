// SPDX-License-Identifier: GPL-2.0-or-later
/* Wall times of the untraced runs, and what may be said about their differences. */
#include <math.h>
#include <stdlib.h>

#include "analysis/bench/bench_results.h"
#include "base/text.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

static struct cell time_cell(double ns, bool is_known, struct unit unit)
{
	return is_known ? cell__said(cell__estimate(ns, NAN, NAN),
				     text__of("%s", quantity__in(ns, unit).text)) :
			  cell__absent();
}

static struct cell median_of(const struct compare_timing *timing, struct unit unit)
{
	return time_cell(timing->wall.value, timing->wall.known, unit);
}

static struct cell interval_of(const struct compare_timing *timing, struct unit unit)
{
	const struct estimate *wall = &timing->wall;

	return wall->bounded ? cell__own(quantity__bounds(wall->low, wall->high,
							  unit)) : cell__absent();
}

static struct cell minimum_of(const struct compare_timing *timing, struct unit unit)
{
	return time_cell(timing->min_ns, timing->wall.known, unit);
}

static struct cell traced_of(const struct compare_timing *timing, struct unit unit)
{
	return time_cell(timing->traced_wall.median, timing->traced_wall.known, unit);
}

static struct cell ratio_of(const struct compare_timing *timing, struct unit unit)
{
	const struct estimate *ratio = &timing->ratio;

	return ratio->known ? cell__said(cell__number(ratio->value, 3),
					 text__of("%s", quantity__ratio(ratio->value).text))
			    : cell__absent();
}

static struct cell ratio_interval_of(const struct compare_timing *timing,
				     struct unit unit)
{
	const struct estimate *ratio = &timing->ratio;

	return ratio->bounded ? cell__own(quantity__ratio_bounds(ratio->low, ratio->high))
			      : cell__absent();
}

/* Without an interval nothing may be said. */
static struct cell verdict_of(const struct compare_timing *timing, struct unit unit)
{
	static const char *const words[] = {
		[SHOWN_NOTHING] = "none shown",
		[SHOWN_MORE] = "slower",
		[SHOWN_LESS] = "faster",
	};
	const struct estimate *ratio = &timing->ratio;
	enum shown verdict = estimate__shows(ratio, 1);

	if (verdict != SHOWN_UNKNOWN)
		return cell__text(words[verdict]);
	return ratio->known ? cell__text("too few runs") : cell__absent();
}

static const struct timing_row {
	const char *header;
	struct cell (*of)(const struct compare_timing *timing, struct unit unit);
	bool is_ratio; /* it needs another column */
	const char *of_baseline; /* NULL: as of the others */
} timing_rows[] = {
	{ "  median", median_of, false, NULL },
	{ "    95 % interval", interval_of, false, NULL },
	{ "  minimum", minimum_of, false, NULL },
	{ "  ratio to baseline", ratio_of, true, "baseline" },
	{ "    95 % interval", ratio_interval_of, true, NULL },
	{ "  difference", verdict_of, true, NULL },
}, traced_row = { "  median", traced_of, false, NULL };

static void add_timing_row(struct table *table, const struct comparison *comparison,
			   const struct timing_row *row, struct unit unit)
{
	if (row->is_ratio && comparison->column_count < 2)
		return;
	table__named_row(table, row->header);
	for (size_t i = 0; i < comparison->column_count; i++)
		table__put(table, row->of_baseline && i == comparison->baseline ?
					  cell__text(row->of_baseline) :
					  row->of(&comparison->timings[i], unit));
}

static void add_time_section(struct table *table, const char *what, struct unit unit)
{
	char *header = text__of("%s (%s)", what, unit.name);

	table__heading(table, header);
	free(header);
}

void compare_table__add_times(struct table *table, const struct comparison *comparison)
{
	double longest = 0, longest_traced = 0;
	struct unit unit;

	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_timing *timing = &comparison->timings[i];

		longest = fmax(longest, timing->wall.value);
		longest_traced = fmax(longest_traced, timing->traced_wall.median);
	}
	if (longest == 0) { /* saved runs, or --no-time */
		unit = unit__of_time(longest_traced);
		add_time_section(table, "wall time, traced", unit);
		add_timing_row(table, comparison, &traced_row, unit);
		return;
	}
	unit = unit__of_time(longest);
	add_time_section(table, "wall time, untraced", unit);
	for (size_t i = 0; i < sizeof(timing_rows) / sizeof(timing_rows[0]); i++)
		add_timing_row(table, comparison, &timing_rows[i], unit);
}
