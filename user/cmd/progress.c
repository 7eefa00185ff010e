// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/commands.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/escape.h"
#include "format/output.h"
#include "format/wrap.h"
#include "measure/engine.h"
#include "report/options.h"

enum { BAR_COLUMNS = 16 };

/* A line that fills the terminal would wrap, and the next one could not take its place. */
static void cut(char *line, unsigned int width)
{
	size_t used = 0, columns;

	while (*line) {
		const size_t bytes = escape__character(line, &columns);

		if (used + columns >= width) {
			*line = '\0';
			return;
		}
		used += columns;
		line += bytes;
	}
}

static char *line_of(const struct bench_progress *progress, bool utf8)
{
	static const char *const phases[] = { "warm-up", "measuring", "tracing" };
	autofree char *row = escape__text(progress->row, utf8), *column = escape__text(progress->column, utf8);
	autofree char *bar = bar__text((double)progress->done / progress->of, BAR_COLUMNS, utf8);
	char *line = text__of("%-9s %s%*s", phases[progress->phase], bar, (int)(BAR_COLUMNS - escape__width(bar)), "");

	if (progress->rounds > 1)
		text__replace(&line, "%s round %zu of %zu%s", line, progress->round + 1, progress->rounds,
			      isnan(progress->remaining_s) ? "" : ",");
	if (!isnan(progress->remaining_s))
		text__replace(&line, "%s %.0f s left", line, ceil(progress->remaining_s));
	text__replace(&line, "%s  %s %s", line, row, column);
	return line;
}

void bench_progress__show(void *context, const struct bench_progress *progress)
{
	const struct table_output output = table_output__for(stderr, TABLE_TEXT, COLOUR_NEVER);
	autofree char *line = line_of(progress, output.utf8);

	cut(line, wrap__width(&output));
	fprintf(stderr, "\r%s\033[K", line);
}

void bench_progress__clear(void)
{
	fputs("\r\033[K", stderr);
}

bool bench_progress__is_wanted(const struct report_options *options)
{
	return isatty(STDERR_FILENO) && !options->quiet;
}
