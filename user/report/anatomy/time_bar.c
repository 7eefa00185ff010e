// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/quantity.h"
#include "report/anatomy/anatomy_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/words_anatomy.h"
#include "report/picture/pictures.h"

enum { LINE = 2, OF_LINE = 4 }; /* indentation of lines, and of their parts */
enum { BLUE = 34, CYAN = 36 }; /* of terminals (ECMA-48) */
enum { NAME_WIDTH = 34, FIGURES_WIDTH = 18, SHORTEST_BAR = 10 };

struct chart {
	const struct table_output *output;
	double whole; /* ns */
	unsigned int columns;
};

static void draw(const struct chart *chart, unsigned int indent, const char *name, double ns)
{
	const struct table_output *output = chart->output;
	double share = fabs(ns) < 1 ? 0 : ns / chart->whole; /* no "-0.0" */
	char *bar = bar__text(share, chart->columns, output->utf8);

	fprintf(output->stream, "%*s%-*s%9.1f%6.1f %%", indent, "", (int)(NAME_WIDTH - indent),
		name,
		fabs(ns) < 50 ? 0 : ns / 1e3, 100 * share); /* no "-0.0" */
	if (output->colour && *bar)
		fprintf(output->stream, "  \033[%dm%s\033[0m", indent > LINE ? CYAN : BLUE, bar);
	else if (*bar)
		fprintf(output->stream, "  %s", bar);
	putc('\n', output->stream);
	free(bar);
}

/* The image that execve built: all its faults, and the rest. */
static void draw_execd(const struct chart *chart, const struct fork_bill *bill)
{
	double faults = bill->execd_faults_ns;

	draw(chart, OF_LINE, "faults", faults);
	draw(chart, OF_LINE, "its own code, waiting", bill->lines[BILL_EXECD].ns - faults);
}

static void print_paragraph(char *text, unsigned int indent, const struct table_output *output)
{
	wrap__print(NULL, text, indent, indent, output);
	free(text);
}

static void print_unknown(const struct run *run, uint32_t group, const struct table_output *output)
{
	char *whose = names__group(run, group, false);

	putc('\n', output->stream);
	print_paragraph(text__of("(Where the time of %s goes is not known: the parent waited for "
				 "none of these children by wait4.)",
				 whose),
			0, output);
	free(whose);
}

static void print_title(const struct run *run, const struct fork_bill *bill,
			const struct table_output *output)
{
	char *whose = names__group(run, bill->group, false);
	char *title = text__of("Where the %s of one fork go: %s",
			       quantity__time(bill->whole).text, whose);

	putc('\n', output->stream);
	wrap__title(title, output);
	free(whose);
	free(title);
}

/* What the lines have to do with the overhead, and how many forks they are of. */
static void print_overhead(const struct run *run, const struct fork_bill *bill,
			   const struct table_output *output)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, bill->group);
	const double parent = bill->lines[BILL_PARENT].ns;
	char *text = text__of("Overhead: %s, without the child's own work",
			      quantity__time(bill->tax).text);

	if (bill->waiting >= 50)
		text__replace(&text, "%s and %s of waiting", text,
			      quantity__time(bill->waiting).text);
	if (parent >= 50)
		text__replace(&text, "%s, with %s of faults in the parent afterwards", text,
			      quantity__time(parent).text);
	text__replace(&text, "%s.", text);
	if (cost->complete > 1 && bill->complete == cost->complete)
		text__replace(&text, "%s Mean of %" PRIu64 " forks.", text, bill->complete);
	else if (cost->complete > 1)
		text__replace(&text, "%s Mean of the middle %" PRIu64 " of %" PRIu64 " forks.", text,
			      bill->complete, cost->complete);
	print_paragraph(text, LINE, output);
}

static bool is_drawn(int line, const struct bill_entry *entry)
{
	return line != BILL_PARENT && entry->known && fabs(entry->ns) >= 50; /* not "0.0" */
}

static void print_lines(const struct chart *chart, const struct fork_bill *bill, bool durations)
{
	for (int line = 0; line < BILL_LINE_COUNT; line++) {
		const struct bill_entry *entry = &bill->lines[line];

		if (is_drawn(line, entry))
			draw(chart, LINE, bill_line_titles[line], entry->ns);
		if (line == BILL_EXECD && entry->ns > 0 && durations)
			draw_execd(chart, bill);
	}
}

void time_bar__print(const struct run *run, const struct fork_bill *bill,
		     const struct table_output *output)
{
	unsigned int width = wrap__width(output);
	struct table_output picture;
	struct chart chart = { .output = &picture };

	if (!bill || !anatomy__fork_cost(run->anatomy, bill->group))
		return;
	if (!bill->complete) {
		print_unknown(run, bill->group, output);
		return;
	}
	chart.whole = bill->whole;
	chart.columns = width > NAME_WIDTH + FIGURES_WIDTH + SHORTEST_BAR
				? width - NAME_WIDTH - FIGURES_WIDTH
				: SHORTEST_BAR;
	print_title(run, bill, output);
	if (output->page) {
		picture__bill(run, bill, output);
	} else {
		picture = picture__begin(output);
		print_lines(&chart, bill, run->anatomy->durations);
		picture__end(output);
	}
	if (!run->anatomy->durations)
		print_paragraph(text__of("(Faults were not timed: they are in the lines of the "
					 "child.)"),
				LINE, output);
	if (bill->taxed)
		print_overhead(run, bill, output);
}
