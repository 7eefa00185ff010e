// SPDX-License-Identifier: GPL-2.0-or-later
/* The longest steps of the critical path, each where it was on the clock of the run. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/html/svg.h"
#include "report/report_sections.h"
#include "report/tree/critical_path_report.h"

enum { STEPS_DRAWN = 60 };

bool section__if_path_picture(const struct run *run, const struct report_options *options)
{
	return section__if_page(run, options) && run->critical_path && run->critical_path->step_count > 1;
}

static int by_length(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a < b) - (a > b);
}

/* Steps that are shorter are not drawn. */
static uint64_t shortest_drawn(const struct critical_path *path)
{
	autofree uint64_t *lengths = checked_calloc(path->step_count, sizeof(*lengths));

	if (path->step_count <= STEPS_DRAWN)
		return 0;
	for (size_t i = 0; i < path->step_count; i++)
		lengths[i] = path__sum(path->steps[i].ns);
	qsort(lengths, path->step_count, sizeof(*lengths), by_length);
	return lengths[STEPS_DRAWN - 1];
}

/* By what most of its time is. */
static const char *class_of(const struct path_step *step)
{
	const uint64_t half = path__sum(step->ns) / 2;

	return step->ns[PATH_PART_CPU] > half ? "c4" : step->ns[PATH_PART_READY] > half ? "c5" : "c6";
}

static char *hint_of(const struct run *run, const struct path_step *step, const char *name)
{
	char *hint = text__of("%s, pid %" PRId32, name, step->pid);

	if (step->line != UINT32_MAX) {
		autofree char *place = report__path_place(&run->critical_path->lines[step->line]);

		text__replace(&hint, "%s, %s", hint, place);
	}
	for (int part = 0; part < PATH_PARTS; part++)
		if (step->ns[part])
			text__replace(&hint, "%s\n%s: %s", hint, path_part_words[part],
				      quantity__time(step->ns[part]).text);
	return hint;
}

static void add_step(struct bar_chart *chart, const struct run *run, const struct path_step *step)
{
	autofree char *name = report__path_program(run, step->exe, step->executed);
	struct bar *bar = bar_chart__add(chart);

	bar->label = text__of("%" PRId32, step->pid);
	bar->text = text__of("%s, %s", name, quantity__time(path__sum(step->ns)).text);
	bar->hint = hint_of(run, step, name);
	bar->class = class_of(step);
	bar->start = step->begin_ns;
	bar->value = path__sum(step->ns);
}

void report__path_picture(const struct run *run, const struct report_options *options,
			  const struct table_output *output)
{
	const struct critical_path *path = run->critical_path;
	const uint64_t shortest = shortest_drawn(path);
	struct bar_chart chart = { .label = "Steps of the critical path on the clock of the run" };

	html_page__place_next(output->page, PAGE_PICTURE);
	html_page__heading(output->page, "Critical path");
	for (size_t i = 0; i < path->step_count; i++)
		if (path__sum(path->steps[i].ns) >= shortest)
			add_step(&chart, run, &path->steps[i]);
	bar_chart__draw(&chart,
			"What the command waited for, by pid: each step begins where the one before ends; the shortest "
			"are left out. Its colour says what most of its time is: on a CPU, waiting for one (light), "
			"asleep.",
			output->page);
}
