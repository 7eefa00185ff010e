// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/bench_output.h"

#include "cmd/common.h"
#include "report/bench/bench_report.h"
#include "saved/saved.h"

static void print(const void *subject, const struct report_options *options, FILE *stream)
{
	const struct table_output tables = tables_for(stream, options);
	const struct bench_view view = { .quiet = options->quiet, .history = options->history };

	if (options->json)
		saved__write_bench(subject, stream);
	else
		bench_report__print(subject, &view, &tables);
}

int print_bench(const char *name, const struct bench *bench, const struct report_options *options)
{
	return print_to(name, options, stdout, print, bench);
}
