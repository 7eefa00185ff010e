// SPDX-License-Identifier: GPL-2.0-or-later
/* What a measurement of servers has to say beside its tables. */
#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/bench/bench_layout.h"

/* A load generator busier than this share of its CPU is what limits the figures. */
static const double generator_limit = 0.9;

/* "pre-fork, static", to be freed. */
static char *name_of(const struct bench *bench, size_t cell)
{
	const char *column = bench->columns[cell % bench->column_count].name;

	return text__of("%s%s%s", bench->rows[cell / bench->column_count].name, *column ? ": " : "", column);
}

/* Where the load generator was the limit, the figure is not the server's. */
static void print_limits(const struct bench_analysis *analysis, const struct table_output *output)
{
	const struct bench *bench = analysis->bench;
	autofree char *names = NULL;

	for (size_t i = 0; i < bench->cell_count; i++) {
		const struct estimate *metrics = analysis->cells[i].metrics;
		const struct estimate *client = &metrics[BENCH_METRIC_CLIENT_CPU];
		autofree char *name = NULL;

		if (!client->known || client->value < generator_limit * metrics[BENCH_METRIC_TIME].value)
			continue;
		name = name_of(bench, i);
		text__replace(&names, "%s%s%s", names ? names : "", names ? "; " : "", name);
	}
	if (names)
		wrap__paragraph("Note:",
			   text__of("the load was as busy as one CPU allows, so the server could have "
				    "served more (%s).", names), output);
}

void bench_serve__print_after(const struct bench_analysis *analysis, const struct table_output *output)
{
	print_limits(analysis, output);
}
