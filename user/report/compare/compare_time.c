// SPDX-License-Identifier: GPL-2.0-or-later
/* Times of the untraced runs by the clock that decides, and what may be said about their differences. */
#include <math.h>
#include <stdlib.h>

#include "analysis/bench/bench_results.h"
#include "analysis/compare/unexplained.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

/* All times have one unit and one number of decimals, and so have all ratios. */
struct scale {
	struct unit unit;
	int decimals, ratio_decimals;
	bool by_cpu;
};

static struct number_text time_text(double ns, const struct scale *scale)
{
	return number__fixed(ns / scale->unit.size, scale->decimals);
}

static struct cell time_cell(double ns, bool is_known, const struct scale *scale)
{
	return is_known ? cell__worded(cell__estimate(ns, NAN, NAN), time_text(ns, scale)) : cell__absent();
}

static struct cell median_of(const struct compare_timing *timing, const struct scale *scale)
{
	const struct estimate *time = compare_timing__time(timing, scale->by_cpu);

	return time_cell(time->value, time->known, scale);
}

static struct cell interval_of(const struct compare_timing *timing, const struct scale *scale)
{
	const struct estimate *time = compare_timing__time(timing, scale->by_cpu);

	return time->bounded ? cell__own(quantity__fixed_bounds(time->low / scale->unit.size,
								time->high / scale->unit.size, scale->decimals))
			     : cell__absent();
}

static struct cell minimum_of(const struct compare_timing *timing, const struct scale *scale)
{
	return time_cell(timing->min_ns, timing->wall.known, scale);
}

static struct cell wall_of(const struct compare_timing *timing, const struct scale *scale)
{
	return time_cell(timing->wall.value, timing->wall.known, scale);
}

static struct cell traced_of(const struct compare_timing *timing, const struct scale *scale)
{
	return time_cell(timing->traced_wall.median, timing->traced_wall.known, scale);
}

static struct cell ratio_of(const struct compare_timing *timing, const struct scale *scale)
{
	const struct estimate *ratio = compare_timing__ratio(timing, scale->by_cpu);

	return ratio->known ? cell__worded(cell__number(ratio->value, 3),
					   number__fixed(ratio->value, scale->ratio_decimals))
			    : cell__absent();
}

static struct cell ratio_interval_of(const struct compare_timing *timing, const struct scale *scale)
{
	const struct estimate *ratio = compare_timing__ratio(timing, scale->by_cpu);

	return ratio->bounded ? cell__own(quantity__fixed_bounds(ratio->low, ratio->high, scale->ratio_decimals))
			      : cell__absent();
}

/* Without an interval nothing may be said. */
static struct cell verdict_of(const struct compare_timing *timing, const struct scale *scale)
{
	static const char *const words[] = {
		[SHOWN_NOTHING] = "none shown",
		[SHOWN_MORE] = "slower",
		[SHOWN_LESS] = "faster",
	};
	const struct estimate *ratio = compare_timing__ratio(timing, scale->by_cpu);
	enum shown verdict = estimate__shows(ratio, 1);

	if (verdict != SHOWN_UNKNOWN)
		return cell__text(words[verdict]);
	return ratio->known ? cell__text("too few runs") : cell__absent();
}

static const struct timing_row {
	const char *header;
	struct cell (*of)(const struct compare_timing *timing, const struct scale *scale);
	bool is_ratio; /* it needs another column */
	const char *of_baseline; /* NULL: as of the others */
	enum { ANY_CLOCK, IF_WALL, IF_CPU } when;
} timing_rows[] = {
	{ "  median", median_of, false, NULL, ANY_CLOCK },
	{ "    95 % interval", interval_of, false, NULL, ANY_CLOCK },
	{ "  minimum", minimum_of, false, NULL, IF_WALL },
	{ "  ratio to baseline", ratio_of, true, "baseline", ANY_CLOCK },
	{ "    95 % interval", ratio_interval_of, true, NULL, ANY_CLOCK },
	{ "  difference", verdict_of, true, NULL, ANY_CLOCK },
	{ "  wall time", wall_of, false, NULL, IF_CPU },
}, traced_row = { "  median", traced_of, false, NULL, ANY_CLOCK };

/* Where a difference is shown; else nobody should read a number. */
static struct cell shown_ratio_of(const struct compare_timing *timing, const struct scale *scale)
{
	const struct estimate *ratio = compare_timing__ratio(timing, scale->by_cpu);
	const enum shown verdict = estimate__shows(ratio, 1);

	if (verdict == SHOWN_MORE || verdict == SHOWN_LESS || !ratio->known)
		return ratio_of(timing, scale);
	return cell__text("unclear");
}

static const struct timing_row short_ratio = { "  ratio to baseline", shown_ratio_of, true, "1", ANY_CLOCK };

static struct cell cell_of(const struct comparison *comparison, size_t column, const struct timing_row *row,
			   const struct scale *scale)
{
	if (row->of_baseline && column == comparison->baseline)
		return cell__text(row->of_baseline);
	if (row->of == verdict_of && comparison__is_unexplained(comparison, column))
		return cell__text("not explained");
	return row->of(&comparison->timings[column], scale);
}

static void add_timing_row(struct table *table, const struct comparison *comparison,
			   const struct timing_row *row, const struct scale *scale)
{
	if ((row->is_ratio && comparison->column_count < 2) || row->when == (scale->by_cpu ? IF_WALL : IF_CPU))
		return;
	table__named_row(table, row->header);
	for (size_t i = 0; i < comparison->column_count; i++)
		table__put(table, cell_of(comparison, i, row, scale));
}

static const char *clock_name(const struct scale *scale)
{
	return scale->by_cpu ? "CPU" : "wall";
}

static void add_time_section(struct table *table, const char *what, const struct scale *scale)
{
	autofree char *header = text__of("%s time, %s (%s)", clock_name(scale), what, scale->unit.name);

	table__heading(table, header);
}

/*
 * The unit suits the longest time; three digits of the shortest median are seen, and three decimals of a ratio near 1.
 */
static struct scale scale_of(const struct comparison *comparison, bool is_traced)
{
	double longest = 0, shortest = INFINITY;
	struct scale scale = { .ratio_decimals = 2, .by_cpu = comparison->by_cpu && !is_traced };

	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_timing *timing = &comparison->timings[i];
		const struct estimate *ratio = compare_timing__ratio(timing, scale.by_cpu);
		const double ns = is_traced ? timing->traced_wall.median :
					      compare_timing__time(timing, scale.by_cpu)->value;

		if (is_traced ? !timing->traced_wall.known : !timing->wall.known)
			continue;
		longest = fmax(longest, ns);
		shortest = fmin(shortest, ns);
		if (ratio->known && fabs(ratio->value) < 1.2)
			scale.ratio_decimals = 3;
	}
	scale.unit = unit__of_time(longest);
	scale.decimals = isfinite(shortest) ? number__decimals(shortest / scale.unit.size) : 0;
	return scale;
}

static bool is_timed(const struct comparison *comparison)
{
	bool any = false; /* not of saved runs, or with --no-time */

	for (size_t i = 0; i < comparison->column_count; i++)
		any |= comparison->timings[i].wall.value > 0;
	return any;
}

void compare_table__add_short_times(struct table *table, const struct comparison *comparison)
{
	const bool timed = is_timed(comparison);
	const struct scale scale = scale_of(comparison, !timed);
	autofree char *header = text__of("%s time%s (%s)", clock_name(&scale), timed ? "" : ", traced",
					 scale.unit.name);
	const struct timing_row median = { header, timed ? median_of : traced_of, false, NULL, ANY_CLOCK };

	add_timing_row(table, comparison, &median, &scale);
	if (timed)
		add_timing_row(table, comparison, &short_ratio, &scale);
}

void compare_table__add_times(struct table *table, const struct comparison *comparison)
{
	const struct scale untraced = scale_of(comparison, false), traced = scale_of(comparison, true);

	if (!is_timed(comparison)) {
		add_time_section(table, "traced", &traced);
		add_timing_row(table, comparison, &traced_row, &traced);
		return;
	}
	add_time_section(table, "untraced", &untraced);
	for (size_t i = 0; i < sizeof(timing_rows) / sizeof(timing_rows[0]); i++)
		add_timing_row(table, comparison, &timing_rows[i], &untraced);
}
