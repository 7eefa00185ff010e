// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/compare_job.h"
#include "report/compare/comparison_report.h"
#include "saved/saved.h"

static void print(const void *subject, const struct report_options *options, FILE *stream)
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
	int status = print_to(name, options, stdout, print, comparison);

	for (size_t i = 0; i < comparison->column_count && !status && options->strict; i++) {
		if (!compare_column__is_exact(&comparison->columns[i]))
			return EXIT_INEXACT;
	}
	return status;
}
