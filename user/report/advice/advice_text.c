// SPDX-License-Identifier: GPL-2.0-or-later
/* What would make forks cheaper, a start shorter, or a pool smaller: evidence, action, and what it is worth. */
#include <stdlib.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/advice/advice_tables.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/saved_table.h"
#include "report/words.h"

enum { TEXT_COLUMN = 4, LABELLED_COLUMN = 14, FIGURE_WIDTH = 26 };

static void print_title(const struct advice_order *order, const struct advice *advice,
			const struct table_output *output)
{
	autofree char *text = text__of("%s", advice->title ? advice->title : ""), *group = NULL;

	if (order->about->by_groups) {
		group = names__group(order->run, advice->group, false);
		text__replace(&text, "%s (%s)", text, group);
	}
	fputs(output->colour ? "\033[1m" : "", output->stream);
	wrap__print(advice->rule, text, 0, TEXT_COLUMN, output);
	fputs(output->colour ? "\033[0m" : "", output->stream);
}

static void print_paragraph(const char *label, const char *text, const struct table_output *output)
{
	if (text && *text)
		wrap__print(label, text, TEXT_COLUMN, LABELLED_COLUMN, output);
}

static void print_line(const char *label, const char *predicted, const char *measured,
		       const struct table_output *output)
{
	fprintf(output->stream, "%*s%-*s%-*s%s\n", TEXT_COLUMN, "", LABELLED_COLUMN - TEXT_COLUMN, label,
		FIGURE_WIDTH, predicted, measured);
}

static void print_figures(const char *label, struct unit unit, const struct estimate *predicted,
			  const struct estimate *measured, const struct table_output *output)
{
	autofree char *left = words__estimate(predicted, unit);
	autofree char *right = words__estimate(measured, unit);

	if (predicted->known || measured->known)
		print_line(label, left, right, output);
}

static void print_saving(const struct advice *advice, const struct table_output *output)
{
	print_figures("  faults", unit__none, &advice->predicted_faults, &advice->measured_faults, output);
	print_figures("  us", unit__us, &advice->predicted_ns, &advice->measured_ns, output);
}

/* Of a pool: forktax tries nothing there. */
static void print_by_hand(const struct advice *advice, const struct table_output *output)
{
	const struct estimate *bytes = &advice->predicted_bytes;
	autofree char *saves = text__of("%s%s (predicted)", bytes->bounded ? "up to " : "",
					quantity__size(bytes->bounded ? bytes->high : bytes->value).text);

	print_paragraph("saves", saves, output);
	print_paragraph("try", "start the pool by this line, and compare:", output);
	wrap__command(advice->by_hand, LABELLED_COLUMN, output);
}

char *advice_words__tried(const struct advice *advice)
{
	const char *with = advice->tried_with, *how = advice->tried;

	return text__of("%s%s%s", with ? with : "", with ? ": " : "", how ? how : "no");
}

static void print_advice(const struct advice_order *order, const struct advice *advice,
			 const struct table_output *output)
{
	autofree char *tried = advice_words__tried(advice);

	print_title(order, advice, output);
	print_paragraph("evidence", advice->evidence, output);
	print_paragraph("do", advice->action, output);
	print_paragraph("not for", advice->not_for, output);
	if (advice->by_hand) {
		print_by_hand(advice, output);
		return;
	}
	print_line("saves", "predicted", "measured", output);
	print_saving(advice, output);
	print_paragraph("tried", tried, output);
}

static void print_one(const struct advice_order *order, const struct advice *advice, const struct table_output *output)
{
	struct table_output picture;

	putc('\n', output->stream);
	picture = picture__begin(output);
	print_advice(order, advice, &picture);
	picture__end(output);
}

/* What was tried and has not helped is no advice. */
static void print_refuted(const struct advice *advice, const struct table_output *output)
{
	autofree char *faults = words__estimate(&advice->measured_faults, unit__none);
	autofree char *us = words__estimate(&advice->measured_ns, unit__us), *tried = advice_words__tried(advice);
	const bool is_slower = estimate__shows(&advice->measured_ns, 0) == SHOWN_LESS;
	autofree char *text = text__of(
		"%s: %s. Tried%s: us %s, faults %s; %s.", advice->rule, advice->title ? advice->title : "",
		is_slower ? " and slower, what it saves is negative" : ", no saving of time shown", us, faults, tried);

	putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
}

void advice_text__print(const struct advice_order *order, const struct table_output *output)
{
	const size_t in_full = order->useful;
	autofree char *sums = text__of("Rules may count the same %s: their savings do not add up.",
				      order->about->counted);

	if (in_full) {
		putc('\n', output->stream);
		wrap__title(order->about->text_title, output);
	}
	if (in_full > 1)
		wrap__print(NULL, sums, 0, 2, output);
	for (size_t i = 0; i < in_full; i++)
		print_one(order, order->list[i], output);
	for (size_t i = in_full; i < order->count; i++)
		print_refuted(order->list[i], output);
}

void report__print_advice(const struct run *run, const struct report_options *options,
			  const struct table_output *output)
{
	struct advice_order order = advice_order__of_forks(run);

	if (!output->page) /* the rows have all of it there */
		advice_text__print(&order, output);
	advice_order__free(&order);
}

void report__print_start_advice(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	struct advice_order order = advice_order__of_start(run);

	if (!output->page)
		advice_text__print(&order, output);
	advice_order__free(&order);
}

struct table *report__advice(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Advice", run, &anatomy_shape, run->anatomy, "advice");
}

struct table *report__run_advice(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Advice on the run", run, &run_shape, run, "run_advice");
}

struct table *report__start_advice(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Advice for the start", run, &start_shape, run->start, "advice");
}
