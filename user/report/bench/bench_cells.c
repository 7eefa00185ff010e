// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench/bench_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/words.h"

bool bench_cells__is_time(enum bench_metric metric)
{
	return !strcmp(metric_counters[metric].unit, "ns");
}

char *bench_cells__time(double ns, const struct time_unit *unit)
{
	return words("%.*f", time_unit__decimals(ns / unit->ns), ns / unit->ns);
}

static char *bytes(double value)
{
	static const char letters[] = "KMGT";
	int power = 0;

	while (value >= 1024 && power < 4) {
		value /= 1024;
		power++;
	}
	if (!power)
		return words("%.0f", value);
	return words("%.*f%c", value < 10 ? 2 : value < 100 ? 1 : 0, value, letters[power - 1]);
}

static char *value_of(double value, enum bench_metric metric, const struct time_unit *unit)
{
	if (bench_cells__is_time(metric))
		return bench_cells__time(value, unit);
	return strcmp(metric_counters[metric].unit, "bytes") ? bench_cells__count(value) :
							       bytes(value);
}

char *bench_cells__median(const struct estimate *estimate, enum bench_metric metric,
			  const struct time_unit *unit)
{
	return estimate->known ? value_of(estimate->value, metric, unit) : words("-");
}

char *bench_cells__interval(const struct estimate *estimate, enum bench_metric metric,
			    const struct time_unit *unit)
{
	char *low, *high, *text;

	if (!estimate->known || !estimate->bounded)
		return words("-");
	low = value_of(estimate->low, metric, unit);
	high = value_of(estimate->high, metric, unit);
	text = words("%s..%s", low, high);
	free(low);
	free(high);
	return text;
}

char *bench_cells__rate(const struct estimate *rate)
{
	if (!rate->known)
		return words("-");
	return words("%.*f", rate->value < 100 ? 1 : 0, rate->value);
}

char *bench_cells__ratio(const struct estimate *ratio, bool is_baseline, bool brief)
{
	if (is_baseline)
		return words("baseline");
	if (!ratio->known)
		return words("-");
	switch (bench_verdict__of(ratio)) {
	case VERDICT_NONE:
		return words("x %.3f (n < %d)", ratio->value, STATS_INTERVAL_MIN);
	case VERDICT_SAME:
		return words(brief ? "none shown" : "no difference shown");
	default:
		if (brief)
			return words("x %.3f", ratio->value);
		return words("x %.3f (%.3f..%.3f)", ratio->value, ratio->low, ratio->high);
	}
}

char *bench_cells__count(double count)
{
	if (isnan(count))
		return words("-");
	/* A mean that is a whole number but for a stray event is shown as that number. */
	return fabs(count - round(count)) < 0.05 ? words("%.0f", count) : words("%.1f", count);
}
