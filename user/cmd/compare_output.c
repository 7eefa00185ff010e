// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/compare_job.h"
#include "elf/checked.h"
#include "report/compare.h"

static void print(const struct comparison *comparison, const struct report_options *options,
		  FILE *stream)
{
	const struct table_output tables =
		table_output__for(stream, options->csv ? TABLE_CSV : TABLE_TEXT, options->colour);
	const struct compare_view view = {
		.quiet = options->quiet,
		.sort = options->sort,
		.filter = options->filter,
	};

	/* A failed write is found again by the commit, which knows the name of the file. */
	if (options->json)
		compare_json__write(comparison, stream);
	else
		compare__print(comparison, &view, &tables);
}

int print_comparison(const char *name, const struct comparison *comparison,
		     const struct report_options *options)
{
	char *reason = NULL;
	struct output *output = output__open(options->path, stdout, &reason);

	if (output) {
		print(comparison, options, output__stream(output));
		if (output__commit(output, &reason))
			output = NULL;
	}
	if (!output) {
		complain(name, 0, "%s", reason);
		free(reason);
		return EXIT_FORKTAX;
	}
	for (size_t i = 0; i < comparison->column_count && options->strict; i++) {
		if (!compare_column__is_exact(&comparison->columns[i]))
			return EXIT_INEXACT;
	}
	return 0;
}
