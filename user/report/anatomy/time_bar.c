// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/autofree.h"
#include "base/quantity.h"
#include "report/anatomy/anatomy_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/words_anatomy.h"
#include "report/shown.h"

enum { LINE = 2, OF_LINE = 4 }; /* indentation of lines, and of their parts */
enum { ROWS = 5 };
enum { BLUE = 34, CYAN = 36 }; /* of terminals (ECMA-48) */
enum { NAME_WIDTH = 34, FIGURES_WIDTH = 19, SHORTEST_BAR = 7 }; /* at 60 columns */

struct chart {
	const struct table_output *output;
	double whole; /* ns */
	unsigned int columns;
};

static void draw(const struct chart *chart, unsigned int indent, const char *name, double ns)
{
	const struct table_output *output = chart->output;
	double share = fabs(ns) < 1 ? 0 : ns / chart->whole; /* no "-0.0" */
	autofree char *bar = bar__text(share, chart->columns, output->utf8);

	fprintf(output->stream, "%*s%-*s%9.1f%8s", indent, "", (int)(NAME_WIDTH - indent), name,
		fabs(ns) < 50 ? 0 : ns / 1e3, quantity__share(share, 1).text); /* no "-0.0" */
	if (output->colour && *bar)
		fprintf(output->stream, "  \033[%dm%s\033[0m", indent > LINE ? CYAN : BLUE, bar);
	else if (*bar)
		fprintf(output->stream, "  %s", bar);
	putc('\n', output->stream);
}

/* The image that execve built: all its faults, and the rest. */
static void draw_execd(const struct chart *chart, const struct fork_breakdown *breakdown)
{
	double faults = breakdown->execd_faults_ns;

	draw(chart, OF_LINE, "faults", faults);
	draw(chart, OF_LINE, "its own code, waiting", breakdown->lines[BREAKDOWN_EXECD].ns - faults);
}

static void print_paragraph(char *text, unsigned int indent, const struct table_output *output)
{
	wrap__print(NULL, text, indent, indent, output);
	free(text);
}

static void print_unknown(const struct run *run, uint32_t group, const struct table_output *output)
{
	autofree char *whose = names__group(run, group, false);

	putc('\n', output->stream);
	print_paragraph(text__of("(Where the time of %s goes is not known: the parent waited for "
				 "none of these children by wait4.)",
				 whose),
			0, output);
}

static void print_title(const struct run *run, const struct fork_breakdown *breakdown,
			const struct table_output *output)
{
	autofree char *whose = names__group(run, breakdown->group, false);
	autofree char *title = text__of("Where the %s of one fork go: %s",
					quantity__time(breakdown->whole).text, whose);

	putc('\n', output->stream);
	wrap__title(title, output);
}

/* What the lines have to do with the overhead, and how many forks they are of. */
static void print_overhead(const struct run *run, const struct fork_breakdown *breakdown,
			   const struct table_output *output)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, breakdown->group);
	const double parent = breakdown->lines[BREAKDOWN_PARENT].ns;
	char *text = text__of("Overhead: %s, without the child's own work", quantity__time(breakdown->overhead).text);

	if (breakdown->waiting >= 50)
		text__replace(&text, "%s and %s that are waiting or teardown, which is not known", text,
			      quantity__time(breakdown->waiting).text);
	if (parent >= 50)
		text__replace(&text, "%s, with %s of faults in the parent afterwards", text,
			      quantity__time(parent).text);
	text__replace(&text, "%s.", text);
	if (cost->complete > 1 && breakdown->complete == cost->complete)
		text__replace(&text, "%s Mean of %" PRIu64 " forks.", text, breakdown->complete);
	else if (cost->complete > 1)
		text__replace(&text, "%s Mean of the middle %" PRIu64 " of %" PRIu64 " forks.", text,
			      breakdown->complete, cost->complete);
	print_paragraph(text, LINE, output);
}

static bool is_drawn(int line, const struct breakdown_entry *entry, double whole)
{
	const double ns = fabs(entry->ns);

	return line != BREAKDOWN_PARENT && entry->known && ns >= 50 &&
	       ns >= whole * 0.0005; /* neither "0.0" nor "0.0 %" */
}

/* How many lines there are, and how many of them are longer than this one. */
static size_t count_drawn(const struct chart *chart, const struct fork_breakdown *breakdown, double longer_than)
{
	size_t count = 0;

	for (int line = 0; line < BREAKDOWN_LINE_COUNT; line++)
		count += is_drawn(line, &breakdown->lines[line], chart->whole) &&
			 fabs(breakdown->lines[line].ns) > longer_than;
	return count;
}

/* In the order of time; of more than `most`, the smallest are one. */
static void print_lines(const struct chart *chart, const struct fork_breakdown *breakdown, size_t most, bool durations)
{
	const bool fits = count_drawn(chart, breakdown, 0) <= most;
	autofree char *others = NULL;
	size_t left_out = 0;
	double sum = 0;

	for (int line = 0; line < BREAKDOWN_LINE_COUNT; line++) {
		const struct breakdown_entry *entry = &breakdown->lines[line];

		if (!is_drawn(line, entry, chart->whole))
			continue;
		if (!fits && count_drawn(chart, breakdown, fabs(entry->ns)) >= most - 1) {
			left_out++;
			sum += entry->ns;
			continue;
		}
		draw(chart, LINE, breakdown_line_titles[line], entry->ns);
		if (line == BREAKDOWN_EXECD && entry->ns > 0 && durations)
			draw_execd(chart, breakdown);
	}
	others = text__of("(%zu other parts)", left_out);
	if (left_out)
		draw(chart, LINE, others, sum);
}

void time_bar__print(const struct run *run, const struct fork_breakdown *breakdown,
		     const struct report_options *options, const struct table_output *output)
{
	unsigned int width = wrap__width(output);
	struct table_output picture;
	struct chart chart = { .output = &picture };

	if (!breakdown || !anatomy__fork_cost(run->anatomy, breakdown->group))
		return;
	if (!breakdown->complete) {
		print_unknown(run, breakdown->group, output);
		return;
	}
	chart.whole = breakdown->whole;
	chart.columns =
		width > NAME_WIDTH + FIGURES_WIDTH + SHORTEST_BAR ? width - NAME_WIDTH - FIGURES_WIDTH : SHORTEST_BAR;
	print_title(run, breakdown, output);
	picture = picture__begin(output);
	print_lines(&chart, breakdown, options->top ? SIZE_MAX : room__of(options, ROWS, SIZE_MAX).rows,
		    run->anatomy->durations);
	picture__end(output);
	if (!run->anatomy->durations)
		print_paragraph(text__of("(Faults were not timed: they are in the lines of the "
					 "child.)"),
				LINE, output);
	if (breakdown->has_overhead)
		print_overhead(run, breakdown, output);
}
