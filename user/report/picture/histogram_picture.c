// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/pictures.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/quantity.h"
#include "base/text.h"
#include "format/html/svg.h"
#include "report/run/histogram_lines.h"

static void add_bar(struct bar_chart *chart, const struct call_bucket *bucket)
{
	struct bar *bar = bar_chart__add(chart);

	bar->label = histogram_lines__range(bucket);
	bar->text = text__of("%" PRIu64, bucket->calls);
	bar->hint = text__of("%s\n%s", bar->label, quantity__count(bucket->calls, "call", "calls").text);
	bar->class = "c0";
	bar->value = (double)bucket->calls;
}

void picture__histogram(const struct syscall_row *row, const struct table_output *output)
{
	struct histogram_lines lines = histogram_lines__of(row);
	struct bar_chart chart = { .label = "Calls by time" };

	for (size_t i = 0; i < lines.count; i++)
		add_bar(&chart, &lines.buckets[i]);
	bar_chart__draw(&chart, "Calls by their time; each bar is of times up to twice as long as the one above.",
			output->page);
	histogram_lines__free(&lines);
}
