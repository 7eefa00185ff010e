// SPDX-License-Identifier: GPL-2.0-or-later
/* What the formats mean for the text around tables. */
#include <stdlib.h>

#include "base/memory.h"
#include "format/escape.h"
#include "format/html/html_page.h"
#include "format/pieces.h"
#include "format/wrap.h"

static const struct style {
	enum table_view view;
	bool has_colour;
} styles[TABLE_STYLE_COUNT] = {
#define FORMAT(id, name, view, colour) [TABLE_##id] = { view, colour },
#include "format/formats.def"
#undef FORMAT
};

enum table_view table_style__view(enum table_style style)
{
	return styles[style].view;
}

enum table_view table_output__view(const struct table_output *output)
{
	return table_style__view(output->style);
}

bool table_style__has_colour(enum table_style style)
{
	return styles[style].has_colour;
}

char *table_output__safe(const struct table_output *output, const char *text)
{
	return escape__text(text, output->utf8); /* a page escapes its markup itself */
}

void wrap__separate(const struct table_output *output)
{
	if (output->style == TABLE_HTML)
		putc('\n', output->stream);
}

struct table_output picture__begin(const struct table_output *output)
{
	struct table_output picture = *output;

	if (output->page)
		html_page__begin_lines(output->page);
	picture.style = TABLE_TEXT;
	return picture;
}

void picture__end(const struct table_output *output)
{
	if (output->page)
		html_page__end_lines(output->page);
}
