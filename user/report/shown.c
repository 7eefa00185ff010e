// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/shown.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "format/table.h"
#include "report/options.h"

enum { ROWS_OF_PAGE = 500 };

/* Pages and data. */
static bool has_everything(const struct report_options *options)
{
	bool has = options->formats[TABLE_HTML];

	for (int style = 0; style < TABLE_STYLE_COUNT; style++)
		has |= options->formats[style] && table_style__view(style) == VIEW_DATA;
	return has;
}

static bool has_choice(const struct report_options *options)
{
	return memchr(options->show, true, sizeof(options->show));
}

bool section__is_shown(enum section_id id, enum section_level level, const struct report_options *options)
{
	if (id == SHOW_ALWAYS)
		return true;
	if (level == IF_NAMED)
		return options->show[id];
	if (options->formats[TABLE_HTML])
		return true;
	if (has_choice(options))
		return options->show[id];
	return level == BY_DEFAULT || options->verbose || has_everything(options);
}

bool report__is_brief(const struct report_options *options)
{
	return !has_everything(options) && !options->verbose && !has_choice(options);
}

bool sections__need_processes(const struct report_options *options)
{
	return options->show[SHOW_PROCESSES] || options->show[SHOW_TREE];
}

const char *room__hint(const struct report_options *options, const char *hint)
{
	return options->formats[TABLE_HTML] ? "" : hint;
}

struct room room__of(const struct report_options *options, size_t usual, size_t full)
{
	size_t rows = full;

	if (options->top)
		rows = options->top;
	else if (report__is_brief(options))
		rows = usual;
	else if (options->formats[TABLE_HTML] && full < ROWS_OF_PAGE)
		rows = ROWS_OF_PAGE;
	return (struct room){ rows, room__hint(options, ": --top, --json or --csv") };
}

struct room room__of_list(const struct report_options *options, size_t most)
{
	return room__of(options, most, options->verbose || has_everything(options) ? SIZE_MAX : most);
}

struct room room__of_pool(const struct report_options *options, size_t usual, size_t full)
{
	return options->all_workers ? room__of(options, SIZE_MAX, SIZE_MAX) : room__of(options, usual, full);
}

char *room__title(const struct room *room, const char *title, size_t count)
{
	if (count <= room->rows)
		return text__of("%s", title);
	return text__of("%s (%zu of %zu%s)", title, room->rows, count, room->others);
}
