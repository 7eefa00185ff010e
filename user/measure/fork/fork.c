// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/fork/fork.h"

#include <stdlib.h>

#include "base/autofree.h"
#include "measure/loop/loop_cells.h"
#include "measure/sizes.h"

enum { KIB = 1024 }; /* forkloop's unit of memory */

static void plan_linkage(struct bench_plan *plan, const struct fork_settings *settings, enum linkage_id id)
{
	struct bench_cell *cell = bench__cell(plan->bench, id, 0);
	const char *environment[] = { linkages[id].environment, NULL };
	char *path = loop_cell__find(cell, settings->loops, id, "forkloop");
	struct line line = { .count = 0 };

	if (!path)
		return;
	line__add(&line, "-R");
	if (settings->resident)
		line__add_number(&line, "-r", (settings->resident + KIB - 1) / KIB);
	if (loop_cell__fits(cell, settings->resident))
		loop_cell__plan(plan, id, 0,
				&(struct loop_program){
					.path = path,
					.arguments = line.words,
					.environment = environment,
				});
	line__free(&line);
	free(path);
}

static void note_fork_settings(struct bench *bench, const struct fork_settings *settings)
{
	autofree char *resident = sizes__text(settings->resident);

	if (settings->resident)
		bench_notes__add(&bench->settings, "resident", resident);
}

struct bench_plan *bench_fork__plan(const struct fork_settings *settings)
{
	struct bench *bench = bench__new(BENCH_FORK);
	struct bench_plan *plan;

	note_fork_settings(bench, settings);
	for (int id = 0; id < LOOP_COUNT; id++)
		bench__add_row(bench, linkages[id].name, linkages[id].what);
	bench__add_baseline(bench, "static", LOOP_STATIC, BENCH_SAME);
	bench__make_cells(bench);
	plan = bench_plan__new(bench);
	for (int id = 0; id < LOOP_COUNT; id++)
		plan_linkage(plan, settings, id);
	return plan;
}
