// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "format/wrap.h"
#include "format/escape.h"
#include "format/output.h"
#include "measure/engine.h"
#include "report/options.h"

enum { BAR_COLUMNS = 24 };

static void put_bar(double share, bool utf8)
{
	char *bar = bar__text(share, BAR_COLUMNS, utf8);

	fprintf(stderr, " %s%*s", bar, (int)(BAR_COLUMNS - escape__width(bar)), "");
	free(bar);
}

void bench_progress__show(void *context, const struct bench_progress *progress)
{
	static const char *const phases[] = { "warm-up", "measuring", "tracing" };
	bool utf8 = table_output__for(stderr, TABLE_TEXT, COLOUR_NEVER).utf8;
	char *row = escape__text(progress->row, utf8), *column = escape__text(progress->column, utf8);

	fprintf(stderr, "\r%-9s", phases[progress->phase]);
	put_bar((double)progress->done / progress->of, utf8);
	if (progress->rounds > 1)
		fprintf(stderr, " round %zu of %zu", progress->round + 1, progress->rounds);
	if (!isnan(progress->remaining_s))
		fprintf(stderr, ", %.0f s left", ceil(progress->remaining_s));
	fprintf(stderr, "  %.20s %.12s\033[K", row, column);
	free(row);
	free(column);
}

void bench_progress__clear(void)
{
	fputs("\r\033[K", stderr);
}

bool bench_progress__is_wanted(const struct report_options *options)
{
	return isatty(STDERR_FILENO) && !options->quiet;
}
