// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench/bench_cells.h"

#include <math.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/cells.h"

bool bench_cells__is_time(enum bench_metric metric)
{
	return !strcmp(metric_counters[metric].unit, "ns");
}

bool bench_cells__is_size(enum bench_metric metric)
{
	return !strcmp(metric_counters[metric].unit, "bytes");
}

struct cell bench_cells__number(double value, struct unit unit)
{
	return cell__in(cell__number(value, DECIMALS_ALL), FORM_VALUE, unit);
}

struct cell bench_cells__median(const struct estimate *estimate, struct unit unit)
{
	return estimate->known ? cell__in(cell__of_estimate(estimate, NULL), FORM_VALUE, unit) : cell__absent();
}

struct cell bench_cells__interval(const struct estimate *estimate, struct unit unit)
{
	return estimate->known && estimate->bounded ? cell__in(cell__of_estimate(estimate, NULL), FORM_BOUNDS, unit)
						    : cell__absent();
}

struct cell bench_cells__rate(const struct estimate *rate)
{
	return bench_cells__median(rate, unit__none);
}

bool bench_cells__is_marked(const struct estimate *ratio)
{
	return ratio->known && estimate__shows(ratio, 1) == SHOWN_UNKNOWN;
}

void bench_cells__explain_mark(const struct table_output *output)
{
	autofree char *text = text__of("* fewer than %d quiet rounds: there is no interval, and the difference may be "
				       "chance.", STATS_INTERVAL_MIN);

	wrap__print(NULL, text, 0, 2, output);
	wrap__separate(output);
}

/* "x 1.480 (1.462..1.497)", "no difference shown"; `brief`: without the interval. */
static struct cell ratio_cell(const struct estimate *ratio, bool brief)
{
	const struct cell cell = cell__of_estimate(ratio, NULL);

	if (!ratio->known)
		return cell__absent();
	switch (estimate__shows(ratio, 1)) {
	case SHOWN_UNKNOWN:
		return cell__as_ratio(cell, FORM_VALUE, "x ", "*");
	case SHOWN_NOTHING:
		return cell__said(cell, text__of(brief ? "none shown" : "no difference shown"));
	default:
		return cell__as_ratio(cell, brief ? FORM_VALUE : FORM_RANGE, "x ", NULL);
	}
}

struct cell bench_cells__against(const struct bench_figures *figures, size_t baseline, bool brief)
{
	if (figures->is_baseline[baseline] && figures->metrics[BENCH_METRIC_TIME].known)
		return cell__text("baseline");
	return ratio_cell(&figures->ratios[baseline], brief);
}
