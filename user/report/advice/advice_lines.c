// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/advice/advice_lines.h"

#include "format/wrap.h"

enum { TEXT_COLUMN = 4, LABELLED_COLUMN = 14, FIGURE_WIDTH = 26 };

void advice_lines__title(const char *rule, const char *title, const struct table_output *output)
{
	fputs(output->colour ? "\033[1m" : "", output->stream);
	wrap__print(rule, title, 0, TEXT_COLUMN, output);
	fputs(output->colour ? "\033[0m" : "", output->stream);
}

void advice_lines__paragraph(const char *label, const char *text, const struct table_output *output)
{
	if (text && *text)
		wrap__print(label, text, TEXT_COLUMN, LABELLED_COLUMN, output);
}

void advice_lines__saves(const struct table_output *output)
{
	advice_lines__figures("saves", "predicted", "measured", output);
}

void advice_lines__figures(const char *label, const char *predicted, const char *measured,
			   const struct table_output *output)
{
	fprintf(output->stream, "%*s%-*s%-*s%s\n", TEXT_COLUMN, "", LABELLED_COLUMN - TEXT_COLUMN, label,
		FIGURE_WIDTH, predicted, measured);
}
