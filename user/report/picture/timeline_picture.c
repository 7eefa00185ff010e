// SPDX-License-Identifier: GPL-2.0-or-later
/* The processes of a run on its clock, each below the one that created it. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/html/svg.h"
#include "report/report_sections.h"
#include "report/words.h"

enum { MOST = 500, DEEPEST = 12 };

bool section__if_timeline(const struct run *run, const struct report_options *options)
{
	return section__if_page(run, options) && run__has(run, HAS_CLOCK) &&
	       run__has(run, HAS_LIFE) && run->process_count > 1 && run->process_count <= MOST &&
	       run->process_count == run->totals[LIFE_PROCESSES];
}

static void add_process(struct bar_chart *chart, const struct run *run,
			const struct process *process, unsigned int level)
{
	struct bar *bar = bar_chart__add(chart);
	uint64_t end = process->end_ns == ABSENT ? run->wall_ns : process->end_ns;
	autofree char *images = words__images(run, process, false);
	const double ns = end > process->start_ns ? end - process->start_ns : 0;
	const struct number_text lasted = quantity__time(ns);
	autofree char *exit = words__exit(process->status, process->signal, process->finished);

	bar->level = level < DEEPEST ? level : DEEPEST;
	bar->label = text__of("%" PRId32, process->pid);
	bar->text = text__of("%s, %s", images, lasted.text);
	bar->hint = text__of("%s\n%s, %s, %s", images, birth_counters[process->birth].key,
			     lasted.text,
			     exit);
	bar->class = process->image_count > 1 ? "c5" : level ? "c6" : "c4";
	bar->start = process->start_ns;
	bar->value = ns;
}

/* Those that `parent` created, in order of birth, each followed by its own. */
static void add_children(struct bar_chart *chart, const struct run *run, uint64_t parent,
			 unsigned int level)
{
	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		if (process->parent != parent)
			continue;
		add_process(chart, run, process, level);
		add_children(chart, run, process->id, level + 1);
	}
}

void report__timeline(const struct run *run, const struct report_options *options,
		      const struct table_output *output)
{
	struct bar_chart chart = { .label = "Processes on the clock of the run" };

	html_page__place_next(output->page, PAGE_PICTURE);
	html_page__heading(output->page, "Processes on the clock");
	add_children(&chart, run, 0, 0);
	bar_chart__draw(&chart,
			"From birth to end, each below the one that created it; from the start of "
			"the run. Light: it executed something.",
			output->page);
	if (!section__if_processes(run, options))
		table__show(report__processes(run, options), output);
}
