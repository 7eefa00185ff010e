// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench/bench_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/cells.h"

bool bench_cells__is_time(enum bench_metric metric)
{
	return !strcmp(metric_counters[metric].unit, "ns");
}

static char *bytes_text(double value)
{
	static const char letters[] = "KMGT";
	int power = 0;

	while (value >= 1024 && power < 4) {
		value /= 1024;
		power++;
	}
	if (!power)
		return text__of("%.0f", value);
	return text__of("%.*f%c", value < 10 ? 2 : value < 100 ? 1 : 0, value, letters[power - 1]);
}

/* A mean that is a whole number but for a stray event is shown as that number. */
static char *count_text(double count)
{
	return fabs(count - round(count)) < 0.05 ? text__of("%.0f", count) :
						   text__of("%.1f", count);
}

static char *time_text(double ns, const struct time_unit *unit)
{
	return words__number(ns, &(struct number_form){ *unit, 0 });
}

static char *metric_text(double value, enum bench_metric metric, const struct time_unit *unit)
{
	if (bench_cells__is_time(metric))
		return time_text(value, unit);
	return strcmp(metric_counters[metric].unit, "bytes") ? count_text(value) :
							       bytes_text(value);
}

static struct cell said_if_known(double value, char *text)
{
	return cell__said(cell__number(value, DECIMALS_ALL), text);
}

struct cell bench_cells__time(double ns, const struct time_unit *unit)
{
	return isnan(ns) ? cell__absent() : said_if_known(ns, time_text(ns, unit));
}

struct cell bench_cells__count(double count)
{
	return isnan(count) ? cell__absent() : said_if_known(count, count_text(count));
}

struct cell bench_cells__median(const struct estimate *estimate, enum bench_metric metric,
				const struct time_unit *unit)
{
	if (!estimate->known)
		return cell__absent();
	return cell__of_estimate(estimate, metric_text(estimate->value, metric, unit));
}

struct cell bench_cells__interval(const struct estimate *estimate, enum bench_metric metric,
				  const struct time_unit *unit)
{
	char *low, *text;

	if (!estimate->known || !estimate->bounded)
		return cell__absent();
	low = metric_text(estimate->low, metric, unit);
	text = metric_text(estimate->high, metric, unit);
	text__replace(&text, "%s..%s", low, text);
	free(low);
	return cell__of_estimate(estimate, text);
}

struct cell bench_cells__rate(const struct estimate *rate)
{
	if (!rate->known)
		return cell__absent();
	return cell__of_estimate(rate, text__of("%.*f", rate->value < 100 ? 1 : 0, rate->value));
}

static char *ratio_text(const struct estimate *ratio, bool is_brief)
{
	switch (bench_verdict__of(ratio)) {
	case VERDICT_NONE:
		return text__of("x %.3f*", ratio->value);
	case VERDICT_SAME:
		return checked_strdup(is_brief ? "none shown" : "no difference shown");
	default:
		if (is_brief)
			return text__of("x %.3f", ratio->value);
		return text__of("x %.3f (%.3f..%.3f)", ratio->value, ratio->low, ratio->high);
	}
}

bool bench_cells__is_marked(const struct estimate *ratio)
{
	return ratio->known && bench_verdict__of(ratio) == VERDICT_NONE;
}

void bench_cells__explain_mark(const struct table_output *output)
{
	char *text = text__of("* fewer than %d quiet rounds: there is no interval, and the difference may be "
			      "chance.", STATS_INTERVAL_MIN);

	wrap__print(NULL, text, 0, 2, output);
	wrap__separate(output);
	free(text);
}

struct cell bench_cells__ratio(const struct estimate *ratio, bool is_baseline, bool brief)
{
	if (is_baseline)
		return cell__text("baseline");
	if (!ratio->known)
		return cell__absent();
	return cell__of_estimate(ratio, ratio_text(ratio, brief));
}
