// SPDX-License-Identifier: GPL-2.0-or-later
/* What would make this command's forks cheaper: evidence, action, and what it is worth. */
#include <stdlib.h>

#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"

enum { TEXT_COLUMN = 4, LABELLED_COLUMN = 14, FIGURE_WIDTH = 26 };

static void print_title(const struct run *run, const struct advice *advice,
			const struct table_output *output)
{
	char *group = words__group(run, advice->group, false);
	char *text = text__of("%s (%s)", advice->title ? advice->title : "", group);

	fputs(output->colour ? "\033[1m" : "", output->stream);
	wrap__print(advice->rule, text, 0, TEXT_COLUMN, output);
	fputs(output->colour ? "\033[0m" : "", output->stream);
	free(text);
	free(group);
}

static void print_paragraph(const char *label, const char *text, const struct table_output *output)
{
	if (text && *text)
		wrap__print(label, text, TEXT_COLUMN, LABELLED_COLUMN, output);
}

static void print_figures(const char *label, const struct figure *predicted,
			  const struct figure *measured, double scale,
			  const struct table_output *output)
{
	char *left = words__figure(predicted, scale);
	char *right = words__figure(measured, scale);

	if (predicted->known || measured->known)
		fprintf(output->stream, "%*s%-*s%-*s%s\n", TEXT_COLUMN, "",
			LABELLED_COLUMN - TEXT_COLUMN, label, FIGURE_WIDTH, left, right);
	free(left);
	free(right);
}

static void print_advice(const struct run *run, const struct advice *advice,
			 const struct table_output *output)
{
	print_title(run, advice, output);
	print_paragraph("evidence", advice->evidence, output);
	print_paragraph("do", advice->action, output);
	fprintf(output->stream, "%*s%-*s%-*s%s\n", TEXT_COLUMN, "", LABELLED_COLUMN - TEXT_COLUMN,
		"saves", FIGURE_WIDTH, "predicted", "measured");
	print_figures("  faults", &advice->predicted_faults, &advice->measured_faults, 1, output);
	print_figures("  us", &advice->predicted_ns, &advice->measured_ns, 1e-3, output);
	print_paragraph("tried", advice->tried ? advice->tried : "no", output);
	if (advice->share.known) {
		char *share = text__of("%.0f %% of the wall time is the tax of these forks",
				       100 * advice->share.value);

		print_paragraph("share", share, output);
		free(share);
	}
}

void report__print_advice(const struct run *run, const struct table_output *output)
{
	const struct anatomy *anatomy = run->anatomy;

	if (anatomy->advice_count)
		wrap__title("Advice: what it saves per child and fork (interval)", output);
	else
		wrap__title("Advice: none, no rule has found anything worth saving", output);
	if (anatomy->advice_count > 1)
		wrap__print(NULL, "Rules may count the same fault: their savings do not add up.", 0,
			    2, output);
	for (size_t i = 0; i < anatomy->advice_count; i++) {
		putc('\n', output->stream);
		print_advice(run, &anatomy->advice[i], output);
	}
}

static void add_figure(struct table *table, const struct figure *figure)
{
	const double values[] = { figure->value, figure->low, figure->high };

	for (int i = 0; i < 3; i++) {
		if (figure->known && (!i || figure->bounded))
			table__format(table, "%.15g", values[i]);
		else
			table__text(table, "");
	}
}

static void add_advice(struct table *table, const struct run *run, const struct advice *advice)
{
	char *group = words__group(run, advice->group, true);

	table__row(table);
	table__text(table, advice->rule);
	table__text(table, group);
	table__text(table, advice->title);
	table__text(table, advice->evidence);
	table__text(table, advice->action);
	table__text(table, advice->tried);
	add_figure(table, &advice->predicted_faults);
	add_figure(table, &advice->measured_faults);
	add_figure(table, &advice->predicted_ns);
	add_figure(table, &advice->measured_ns);
	add_figure(table, &advice->share);
	free(group);
}

struct table *report__advice(const struct run *run)
{
	static const char *const texts[] = { "rule",	 "group",  "title",
					     "evidence", "action", "tried" };
	static const char *const figures[] = {
		"predicted faults", "measured faults",	  "predicted ns",
		"measured ns",	    "share of wall time",
	};
	static const char *const bounds[] = { "", " low", " high" };
	struct table *table;

	if (!run->anatomy->advice_count)
		return NULL;
	table = table__new("Advice");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		table__column(table, texts[i], ALIGN_LEFT);
	for (size_t i = 0; i < 3 * sizeof(figures) / sizeof(figures[0]); i++) {
		char *header = text__of("%s%s", figures[i / 3], bounds[i % 3]);

		table__column(table, header, ALIGN_RIGHT);
		free(header);
	}
	for (size_t i = 0; i < run->anatomy->advice_count; i++)
		add_advice(table, run, &run->anatomy->advice[i]);
	return table;
}
