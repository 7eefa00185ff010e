// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/bindnow_output.h"

#include <stdlib.h>

#include "cmd/commands.h"
#include "cmd/common.h"
#include "report/bindnow/bindnow_report.h"
#include "report/bindnow/bindnow_words.h"
#include "saved/saved.h"

static void save(const struct bindnow *bindnow, FILE *stream)
{
	char *verdict = bindnow_words__verdict(bindnow);

	saved__write_bindnow(bindnow, verdict, stream);
	free(verdict);
}

static void print(const void *subject, const struct report_options *options, FILE *stream)
{
	const struct bindnow *bindnow = subject;
	const struct table_output tables = tables_for(stream, options);

	if (options->json)
		save(bindnow, stream);
	else
		bindnow__print(bindnow, options->quiet, &tables);
}

int print_bindnow(const char *name, const struct bindnow *bindnow,
		  const struct report_options *options)
{
	const struct compare_column *columns = bindnow->comparison->columns;
	int status = print_to(name, options, stdout, print, bindnow);

	for (int side = 0; side < SIDE_COUNT && !status && options->strict; side++) {
		if (!compare_column__is_exact(&columns[side]))
			return EXIT_INEXACT;
	}
	return status;
}
