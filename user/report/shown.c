// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/shown.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "format/table.h"
#include "report/options.h"

enum {
	ROWS_OF_PAGE = 500,
	ROWS_LEAST = 2, /* of what is made shorter */
};

static bool has_everything(const struct table_output *output)
{
	return output->page || table_output__view(output) == VIEW_DATA;
}

static bool has_choice(const struct report_options *options)
{
	return memchr(options->show, true, sizeof(options->show));
}

bool section__is_shown(enum section_id id, enum section_level level,
		       const struct report_options *options, const struct table_output *output)
{
	if (output->page || id == SHOW_ALWAYS)
		return true;
	if (has_choice(options))
		return options->show[id];
	return level == BY_DEFAULT || options->verbose || has_everything(output);
}

bool report__is_brief(const struct report_options *options, const struct table_output *output)
{
	return !has_everything(output) && !options->verbose && !has_choice(options);
}

/* A list has all rows if all were asked for. */
static size_t rows_that_fit(size_t usual, const struct report_options *options)
{
	if (!options->rows_fewer || usual == SIZE_MAX || usual <= ROWS_LEAST)
		return usual;
	return usual > ROWS_LEAST + options->rows_fewer ? usual - options->rows_fewer : ROWS_LEAST;
}

size_t report__rows(size_t usual, const struct report_options *options,
		    const struct table_output *output)
{
	if (options->top)
		return options->top;
	if (!report__is_brief(options, output))
		return SIZE_MAX;
	return rows_that_fit(usual, options);
}

const char *room__hint(const struct report_options *options, const char *hint)
{
	return options->formats[TABLE_HTML] ? "" : hint;
}

struct room room__of(const struct report_options *options, size_t rows)
{
	if (options->formats[TABLE_HTML] && rows < ROWS_OF_PAGE)
		rows = ROWS_OF_PAGE;
	if (options->all_workers)
		rows = SIZE_MAX;
	return (struct room){ options->top ? options->top : rows,
			      room__hint(options, ": --top, --json or --csv") };
}

char *room__title(const struct room *room, const char *title, size_t count)
{
	if (count <= room->rows)
		return text__of("%s", title);
	return text__of("%s (%zu of %zu%s)", title, room->rows, count, room->others);
}
