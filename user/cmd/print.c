// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/print.h"

#include <stdlib.h>

#include "cmd/commands.h"
#include "cmd/common.h"
#include "report/bench/bench_report.h"
#include "report/bindnow/bindnow_report.h"
#include "report/bindnow/bindnow_words.h"
#include "report/compare/comparison_report.h"
#include "report/run/run_report.h"
#include "saved/saved.h"

int check_output(const char *name, const struct report_options *options)
{
	char *reason;

	if (!options->path || output__check(options->path, &reason) == 0)
		return 0;
	complain(name, 0, "%s", reason);
	free(reason);
	return EXIT_FORKTAX;
}

struct table_output tables_for(FILE *stream, const struct report_options *options)
{
	enum table_style style = TABLE_TEXT;

	for (int i = 0; i < TABLE_STYLE_COUNT; i++)
		if (options->formats[i])
			style = i;
	return table_output__for(stream, style, options->colour);
}

int print_to(const char *name, const struct report_options *options, FILE *otherwise,
	     print_fn *print, const void *subject)
{
	char *reason;
	struct output *output = output__open(options->path, otherwise, &reason);

	if (output) {
		print(subject, options, output__stream(output));
		if (output__commit(output, &reason) == 0)
			return 0;
	}
	complain(name, 0, "%s", reason);
	free(reason);
	return EXIT_FORKTAX;
}

static void print_dictionary(const void *nothing, const struct report_options *options,
			     FILE *stream)
{
	const struct table_output tables = tables_for(stream, options);

	report__counters(&tables);
}

int print_counters(const char *name, const struct report_options *options)
{
	return print_to(name, options, stdout, print_dictionary, NULL);
}

static void print_report(const void *run, const struct report_options *options, FILE *stream)
{
	const struct table_output tables = tables_for(stream, options);

	if (options->json)
		saved__write_run(run, stream); /* a failure stays in the stream */
	else
		report__run(run, options, &tables);
}

int print_run(const char *name, const struct run *run, const struct report_options *options,
	      FILE *otherwise)
{
	int status = print_to(name, options, otherwise, print_report, run);

	if (status)
		return status;
	return options->strict && !run->integrity.exact ? EXIT_INEXACT : 0;
}

static void print_columns(const void *subject, const struct report_options *options, FILE *stream)
{
	const struct comparison *comparison = subject;
	const struct table_output tables = tables_for(stream, options);
	const struct compare_view view = {
		.quiet = options->quiet,
		.sort = options->sort,
		.filter = options->filter,
	};

	if (options->json)
		saved__write_comparison(comparison, stream);
	else
		compare__print(comparison, &view, &tables);
}

int print_comparison(const char *name, const struct comparison *comparison,
		     const struct report_options *options)
{
	int status = print_to(name, options, stdout, print_columns, comparison);

	for (size_t i = 0; i < comparison->column_count && !status && options->strict; i++) {
		if (!compare_column__is_exact(&comparison->columns[i]))
			return EXIT_INEXACT;
	}
	return status;
}

static void save_bindnow(const struct bindnow *bindnow, FILE *stream)
{
	char *verdict = bindnow_words__verdict(bindnow);

	saved__write_bindnow(bindnow, verdict, stream);
	free(verdict);
}

static void print_sides(const void *subject, const struct report_options *options, FILE *stream)
{
	const struct bindnow *bindnow = subject;
	const struct table_output tables = tables_for(stream, options);

	if (options->json)
		save_bindnow(bindnow, stream);
	else
		bindnow__print(bindnow, options->quiet, &tables);
}

int print_bindnow(const char *name, const struct bindnow *bindnow,
		  const struct report_options *options)
{
	const struct compare_column *columns = bindnow->comparison->columns;
	int status = print_to(name, options, stdout, print_sides, bindnow);

	for (int side = 0; side < SIDE_COUNT && !status && options->strict; side++) {
		if (!compare_column__is_exact(&columns[side]))
			return EXIT_INEXACT;
	}
	return status;
}

static void print_cells(const void *subject, const struct report_options *options, FILE *stream)
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
	return print_to(name, options, stdout, print_cells, bench);
}
