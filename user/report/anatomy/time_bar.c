// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/anatomy/time_bar.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "format/bar.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_picks.h"
#include "report/anatomy/words_anatomy.h"
#include "report/words.h"

enum { PART = 2, KIND = 4 }; /* indentation of parts, and of what one consists of */
enum { BLUE = 34, CYAN = 36 }; /* of terminals (ECMA-48) */
enum { NAME_WIDTH = 26, FIGURES_WIDTH = 18, SHORTEST_BAR = 10 };

/*
 * The kernel writes to the child's pages before its first return to user mode already: that is
 * part `start`, not `run`.
 */
static bool is_before_user_mode(const struct anatomy_row *row, const struct fork_cost *cost)
{
	return row->actor == ACTOR_KERNEL && cost && cost->complete &&
	       (double)row->since_ns / row->faults <
		       (double)cost->part_ns[PART_START] / cost->typical;
}

static double *kind_of(struct fault_time *time, const struct anatomy_row *row)
{
	if (row->actor == ACTOR_LDSO)
		return &time->ldso;
	switch (row->class) {
	case FAULT_COW_COPY:
	case FAULT_COW_REUSE:
	case FAULT_FILE_COW:
	case FAULT_ZERO_FILL:
		return &time->copies;
	case FAULT_FILE_MAP:
		return &time->maps;
	default:
		return &time->others;
	}
}

struct fault_time fault_time__of(const struct run *run, uint32_t group)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);
	const struct sample *sample = anatomy__sample(run->anatomy, group);
	struct fault_time time = { 0 };

	for (size_t i = 0; sample && sample->children && i < run->anatomy->row_count; i++) {
		const struct anatomy_row *row = &run->anatomy->rows[i];

		if (row->group == group && row->phase == PHASE_CHILD &&
		    !is_before_user_mode(row, cost))
			*kind_of(&time, row) += anatomy_row__all_ns(row) / sample->children;
	}
	return time;
}

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
	char *us = words__us(ns);

	fprintf(output->stream, "%*s%-*s%9s%6.1f %%", indent, "", (int)(NAME_WIDTH - indent), name,
		us, 100 * share);
	if (output->colour && *bar)
		fprintf(output->stream, "  \033[%dm%s\033[0m", indent > PART ? CYAN : BLUE, bar);
	else if (*bar)
		fprintf(output->stream, "  %s", bar);
	putc('\n', output->stream);
	free(bar);
	free(us);
}

static void draw_run(const struct chart *chart, const struct run *run, uint32_t group, double ns)
{
	struct fault_time time = fault_time__of(run, group);

	if (!run->anatomy->durations)
		return;
	draw(chart, KIND, "faults of ld.so", time.ldso);
	draw(chart, KIND, "copies", time.copies);
	draw(chart, KIND, "file maps", time.maps);
	if (time.others > 0)
		draw(chart, KIND, "other faults", time.others);
	draw(chart, KIND, "code, waiting", ns - time.ldso - time.copies - time.maps - time.others);
}

/* The image that execve built: all its faults, and the rest. */
static void draw_execd(const struct chart *chart, const struct run *run, uint32_t group, double ns)
{
	const struct sample *sample = anatomy__sample(run->anatomy, group);
	double faults = 0;

	if (!run->anatomy->durations || !sample || !sample->children)
		return;
	for (size_t i = 0; i < run->anatomy->row_count; i++) {
		const struct anatomy_row *row = &run->anatomy->rows[i];

		if (row->group == group && row->phase == PHASE_EXEC)
			faults += anatomy_row__all_ns(row) / sample->children;
	}
	draw(chart, KIND, "faults", faults);
	draw(chart, KIND, "code, waiting", ns - faults);
}

static void print_unknown(const struct run *run, uint32_t group, const struct table_output *output)
{
	char *whose = words__group(run, group, false);
	char *text = words("(Where the time of %s goes is not known: none of these children was "
			   "reaped by wait4.)",
			   whose);

	putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
	free(whose);
	free(text);
}

static void print_title(const struct run *run, const struct fork_cost *cost,
			const struct table_output *output)
{
	char *whose = words__group(run, cost->group, false);
	char *us = words__us((double)cost->typical_ns / cost->typical);
	char *title = words("Where one fork's %s us go: %s (mean of the middle half, %" PRIu64
			    " of %" PRIu64 ")", us, whose, cost->typical, cost->complete);

	putc('\n', output->stream);
	wrap__title(title, output);
	free(whose);
	free(us);
	free(title);
}

void time_bar__print(const struct run *run, uint32_t group, const struct table_output *output)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);
	unsigned int width = wrap__width(output);
	struct chart chart = { .output = output };
	double rest;

	if (!cost || !cost->forks)
		return;
	if (!cost->typical_ns) {
		print_unknown(run, group, output);
		return;
	}
	chart.whole = (double)cost->typical_ns / cost->typical;
	chart.columns = width > NAME_WIDTH + FIGURES_WIDTH + SHORTEST_BAR
				? width - NAME_WIDTH - FIGURES_WIDTH
				: SHORTEST_BAR;
	print_title(run, cost, output);
	rest = chart.whole;
	for (int part = 0; part < PART_COUNT; part++) {
		double ns = (double)cost->part_ns[part] / cost->typical;

		if (ns > 0)
			draw(&chart, PART, part_counters[part].header, ns);
		if (part == PART_RUN && ns > 0)
			draw_run(&chart, run, group, ns);
		if (part == PART_EXECD && ns > 0)
			draw_execd(&chart, run, group, ns);
		rest -= ns;
	}
	draw(&chart, PART, "not explained", rest);
}
