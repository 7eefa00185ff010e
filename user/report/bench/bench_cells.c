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

static bool is_size(enum bench_metric metric)
{
	return !strcmp(metric_counters[metric].unit, "bytes");
}

static struct unit unit_of(enum bench_metric metric, struct unit unit)
{
	return bench_cells__is_time(metric) ? unit : unit__none;
}

/* Sizes differ too much for one unit: each has its own. */
static struct number_text metric_text(double value, enum bench_metric metric, struct unit unit)
{
	return is_size(metric) ? quantity__size(value) : quantity__in(value, unit_of(metric, unit));
}

static char *bounds_text(double low, double high, enum bench_metric metric, struct unit unit)
{
	return is_size(metric) ? text__of("%s..%s", quantity__size(low).text, quantity__size(high).text)
			       : quantity__bounds(low, high, unit_of(metric, unit));
}

struct cell bench_cells__number(double value, struct unit unit)
{
	return cell__worded(cell__number(value, DECIMALS_ALL), quantity__in(value, unit));
}

struct cell bench_cells__median(const struct estimate *estimate, enum bench_metric metric,
				struct unit unit)
{
	if (!estimate->known)
		return cell__absent();
	return cell__worded(cell__of_estimate(estimate, NULL), metric_text(estimate->value, metric, unit));
}

struct cell bench_cells__interval(const struct estimate *estimate, enum bench_metric metric,
				  struct unit unit)
{
	if (!estimate->known || !estimate->bounded)
		return cell__absent();
	return cell__of_estimate(estimate, bounds_text(estimate->low, estimate->high, metric, unit));
}

struct cell bench_cells__rate(const struct estimate *rate)
{
	if (!rate->known)
		return cell__absent();
	return cell__worded(cell__of_estimate(rate, NULL), number__rounded(rate->value));
}

static char *ratio_text(const struct estimate *ratio, bool is_brief)
{
	char *text;

	switch (estimate__shows(ratio, 1)) {
	case SHOWN_UNKNOWN:
		return text__of("x %s*", quantity__ratio(ratio->value).text);
	case SHOWN_NOTHING:
		return checked_strdup(is_brief ? "none shown" : "no difference shown");
	default:
		if (is_brief)
			return text__of("x %s", quantity__ratio(ratio->value).text);
		text = words__ratio(ratio);
		text__replace(&text, "x %s", text);
		return text;
	}
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

struct cell bench_cells__ratio(const struct estimate *ratio, bool brief)
{
	return ratio->known ? cell__of_estimate(ratio, ratio_text(ratio, brief)) : cell__absent();
}

struct cell bench_cells__against(const struct bench_figures *figures, size_t baseline, bool brief)
{
	if (figures->is_baseline[baseline] && figures->metrics[BENCH_METRIC_TIME].known)
		return cell__text("baseline");
	return bench_cells__ratio(&figures->ratios[baseline], brief);
}
