// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/baseline_update.h"

#include <stdlib.h>

#include "analysis/check/check_result.h"
#include "base/memory.h"
#include "base/text.h"

static void add_copy(struct baseline_context *made, const struct baseline_metric *metric)
{
	struct baseline_metric *added = &made->metrics[made->metric_count++];

	*added = *metric;
	added->of = text__copy(metric->of);
	added->name = text__copy(metric->name);
}

static void copy_metrics(struct baseline_context *made, const struct baseline_context *then,
			 const struct baseline_context *now)
{
	made->metrics = checked_calloc(then->metric_count + now->metric_count, sizeof(*made->metrics));
	for (size_t i = 0; i < then->metric_count; i++) {
		const struct baseline_metric *metric = &then->metrics[i],
					     *measured = baseline_context__like(now, metric);

		if (check_change__of(metric->kind, metric, measured) == CHANGE_BETTER)
			metric = measured;
		if (metric) /* what never happens has no line */
			add_copy(made, metric);
	}
	/* Of one executable that is linked otherwise, the other line is gone; so it is of a line of a script that was
	 * edited. */
	for (size_t i = 0; i < now->metric_count; i++)
		if ((now->metrics[i].kind == BASELINE_IMAGE || now->metrics[i].kind == BASELINE_LINE) &&
		    !baseline_context__like(then, &now->metrics[i]))
			add_copy(made, &now->metrics[i]);
}

static void copy_places(struct baseline_context *made, const struct baseline_context *now)
{
	made->place_count = now->place_count;
	made->places = checked_calloc(now->place_count, sizeof(*made->places));
	for (size_t i = 0; i < now->place_count; i++) {
		struct baseline_place *place = &made->places[i];

		*place = now->places[i];
		place->of = text__copy(place->of);
		place->object = text__copy(place->object);
		place->section = text__copy(place->section);
		place->pages = text__copy(place->pages);
	}
}

static void copy_files(struct baseline_context *made, const struct baseline_context *now)
{
	made->file_count = now->file_count;
	made->files = checked_calloc(now->file_count, sizeof(*made->files));
	for (size_t i = 0; i < now->file_count; i++) {
		made->files[i] = now->files[i];
		made->files[i].of = text__copy(now->files[i].of);
		made->files[i].path = text__copy(now->files[i].path);
	}
}

struct baseline_context baseline_context__tightened(const struct baseline_context *then,
						    const struct baseline_context *now)
{
	struct baseline_context made = {
		.arch = text__copy(then->arch),
		.kernel = text__copy(then->kernel),
		.libc = text__copy(then->libc),
		.huge_pages = text__copy(then->huge_pages),
		.source = text__copy(then->source),
		.runs = then->runs,
	};

	copy_metrics(&made, then, now);
	copy_places(&made, now);
	copy_files(&made, now);
	return made;
}

void baseline_context__keep_ranges(struct baseline_context *now, const struct baseline_context *then)
{
	for (size_t i = 0; i < now->metric_count; i++) {
		struct baseline_metric *metric = &now->metrics[i];
		const struct baseline_metric *before = baseline_context__like(then, metric);

		/* What the page cache or the scheduler decides moves without a cause. */
		if (!before || (baseline_kinds[metric->kind].gates &&
				check_change__of(metric->kind, before, metric) != CHANGE_NONE))
			continue;
		if (before->least < metric->least)
			metric->least = before->least;
		if (before->most > metric->most)
			metric->most = before->most;
	}
}
