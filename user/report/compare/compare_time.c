// SPDX-License-Identifier: GPL-2.0-or-later
/* Wall times of the untraced runs, and what may be said about their differences. */
#include "report/compare/compare_grid.h"

#include <math.h>

#include "base/memory.h"
#include "report/time_unit.h"

static char *duration(double ns, double unit)
{
	return compare__text("%.*f", time_unit__decimals(ns / unit), ns / unit);
}

static char *median_of(const struct compare_timing *timing, double unit)
{
	return timing->wall.known ? duration(timing->wall.value, unit) : compare__text("-");
}

static char *interval_of(const struct compare_timing *timing, double unit)
{
	double low = timing->wall.low / unit, high = timing->wall.high / unit;

	if (!timing->wall.bounded)
		return compare__text("-");
	return compare__text("%.*f..%.*f", time_unit__decimals(high), low, time_unit__decimals(high),
			     high);
}

static char *minimum_of(const struct compare_timing *timing, double unit)
{
	return timing->wall.known ? duration(timing->min_ns, unit) : compare__text("-");
}

static char *ratio_of(const struct compare_timing *timing, double unit)
{
	return timing->ratio.known ? compare__text("%.3f", timing->ratio.value)
				   : compare__text("-");
}

static char *ratio_interval_of(const struct compare_timing *timing, double unit)
{
	const struct estimate *ratio = &timing->ratio;

	return ratio->bounded ? compare__text("%.3f..%.3f", ratio->low, ratio->high)
			      : compare__text("-");
}

/* An interval that holds 1 shows no difference; without an interval nothing may be said. */
static char *verdict_of(const struct compare_timing *timing, double unit)
{
	const struct estimate *ratio = &timing->ratio;

	if (!ratio->known)
		return compare__text("-");
	if (!ratio->bounded)
		return compare__text("n < %d", STATS_INTERVAL_MIN);
	if (ratio->low <= 1 && ratio->high >= 1)
		return compare__text("none shown");
	return compare__text(ratio->low > 1 ? "slower" : "faster");
}

static char *traced_of(const struct compare_timing *timing, double unit)
{
	return timing->traced_wall.known ? duration(timing->traced_wall.median, unit)
					 : compare__text("-");
}

typedef char *timing_fn(const struct compare_timing *timing, double unit);

static void add(struct compare_grid *grid, const char *header, timing_fn *of, double unit)
{
	char **cells = compare_grid__row(grid, header);

	for (size_t i = 0; i < grid->comparison->column_count; i++)
		cells[i] = of(&grid->comparison->timings[i], unit);
}

static void add_section(struct compare_grid *grid, const char *what, struct time_unit unit)
{
	char *header = compare__text("%s (%s)", what, unit.name);

	compare_grid__section(grid, header);
	free(header);
}

static void add_ratio(struct compare_grid *grid)
{
	const struct comparison *comparison = grid->comparison;
	char **cells = compare_grid__row(grid, "  ratio to baseline");

	for (size_t i = 0; i < comparison->column_count; i++)
		cells[i] = i == comparison->baseline ? compare__text("baseline")
						     : ratio_of(&comparison->timings[i], 1);
	add(grid, "    95 % interval", ratio_interval_of, 1);
	add(grid, "  difference", verdict_of, 1);
}

void compare_grid__add_time(struct compare_grid *grid)
{
	const struct comparison *comparison = grid->comparison;
	double longest = 0, longest_traced = 0;
	struct time_unit unit;

	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_timing *timing = &comparison->timings[i];

		longest = fmax(longest, timing->wall.value);
		longest_traced = fmax(longest_traced, timing->traced_wall.median);
	}
	if (longest == 0) { /* saved runs, or --no-time */
		unit = time_unit__for(longest_traced);
		add_section(grid, "wall time, traced", unit);
		add(grid, "  median", traced_of, unit.ns);
		return;
	}
	unit = time_unit__for(longest);
	add_section(grid, "wall time, untraced", unit);
	add(grid, "  median", median_of, unit.ns);
	add(grid, "    95 % interval", interval_of, unit.ns);
	add(grid, "  minimum", minimum_of, unit.ns);
	if (comparison->column_count > 1)
		add_ratio(grid);
}
