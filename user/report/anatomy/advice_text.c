// SPDX-License-Identifier: GPL-2.0-or-later
/* What would make this command's forks cheaper: evidence, action, and what it is worth. */
#include <stdlib.h>

#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

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

static void print_figures(const char *label, const struct estimate *predicted,
			  const struct estimate *measured, double scale,
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

void report__print_advice(const struct run *run, const struct report_options *options,
			  const struct table_output *output)
{
	const struct anatomy *anatomy = run->anatomy;

	putc('\n', output->stream);
	if (anatomy->advice_count)
		wrap__title("Advice: what it saves per child and fork (interval)", output);
	else
		wrap__title("Advice: none, no rule has found anything worth saving", output);
	if (anatomy->advice_count > 1)
		wrap__print(NULL, "Rules may count the same fault: their savings do not add up.", 0,
			    2, output);
	for (size_t i = 0; i < anatomy->advice_count; i++) {
		struct table_output picture;

		putc('\n', output->stream);
		picture = picture__begin(output);
		print_advice(run, &anatomy->advice[i], &picture);
		picture__end(output);
	}
}

static struct cell advice_group(const void *subject, const void *row, int index)
{
	return cell__group(subject, ((const struct advice *)row)->group);
}

/* The figure at that offset of the advice. */
static struct cell advice_figure(const void *subject, const void *row, int offset)
{
	return cell__of_estimate((const struct estimate *)((const char *)row + offset), NULL);
}

#define FIGURE_OF(field) COLUMN_ESTIMATE, .cell = advice_figure, \
			 .index = offsetof(struct advice, field)

static const struct column advice_columns[] = {
	{ "rule", TEXT_OF(struct advice, rule) },
	{ "group", COLUMN_TEXT, .cell = advice_group },
	{ "title", TEXT_OF(struct advice, title) },
	{ "evidence", TEXT_OF(struct advice, evidence) },
	{ "action", TEXT_OF(struct advice, action) },
	{ "tried", TEXT_OF(struct advice, tried) },
	{ "predicted faults", FIGURE_OF(predicted_faults) },
	{ "measured faults", FIGURE_OF(measured_faults) },
	{ "predicted ns", FIGURE_OF(predicted_ns) },
	{ "measured ns", FIGURE_OF(measured_ns) },
	{ "share of wall time", FIGURE_OF(share) },
};

struct table *report__advice(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Advice");

	TABLE_COLUMNS(table, advice_columns, run);
	for (size_t i = 0; i < run->anatomy->advice_count; i++)
		table__add(table, &run->anatomy->advice[i]);
	return table;
}
