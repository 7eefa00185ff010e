// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/startup/startup.h"

#include "base/memory.h"
#include "base/text.h"
#include "measure/loop/loop_cells.h"
#include "measure/startup/break_ring.h"
#include "measure/startup/preload.h"
#include "measure/startup/startup_task.h"

const struct sweep_axis startup_axes[STARTUP_LOAD_COUNT + 1] = {
	[STARTUP_LIBRARIES] = { "libraries", NULL, 900, "libraries more that ld.so has to load" },
	[STARTUP_RELOCATIONS] = { "relocations", NULL, 16384,
				  "symbols more that ld.so has to look up, in one more library" },
	{ 0 },
};

/* As samples/CMakeLists.txt makes them. */
static const uint64_t relocation_counts[] = { 0, 256, 1024, 4096, 16384 };

/* What all cells have in common. */
struct planning {
	const struct startup_settings *settings;
	struct bench_plan *plan;
	char *loop; /* startloop; NULL: there is none, for this reason */
	char *reason, *remedy;
};

int bench_startup__check_relocations(uint64_t count, char **reason)
{
	for (size_t i = 0; i < sizeof(relocation_counts) / sizeof(relocation_counts[0]); i++) {
		if (relocation_counts[i] == count)
			return 0;
	}
	*reason = checked_strdup("must be 0, 256, 1024, 4096 or 16384: there is a library of each");
	return -1;
}

/* Any linkage will do, because startloop itself is not timed: the smallest comes first. */
static void find_loop(struct planning *planning)
{
	static const enum linkage_id choices[] = { LOOP_STATIC, LOOP_NOW, LOOP_DYNAMIC };

	for (int i = 0; i < 3 && !planning->loop; i++) {
		free(planning->reason);
		free(planning->remedy);
		planning->reason = planning->remedy = NULL;
		planning->loop = loops__find(planning->settings->loops, choices[i], "startloop",
					     &planning->reason, &planning->remedy);
	}
}

static uint64_t load_of(const struct startup_settings *settings, int load, uint32_t column)
{
	return settings->sweep.axis == &startup_axes[load] ? settings->sweep.points[column] :
							     settings->load[load];
}

static void plan_linkage(const struct planning *planning, enum linkage_id id, uint32_t column)
{
	const char *variable = linkages[id].environment;
	const char *environment[3] = { variable };
	struct bench_cell *cell = bench__cell(planning->plan->bench, id, column);
	const struct startup_settings *settings = planning->settings;
	struct startup_wanted wanted = {
		.libraries = load_of(settings, STARTUP_LIBRARIES, column),
		.relocations = load_of(settings, STARTUP_RELOCATIONS, column),
		.linkage = id,
		.loops = settings->loops,
	};
	char *path = loop_cell__find(cell, settings->loops, id, "true");
	struct preload *preload;

	if (!path)
		return;
	wanted.path = path;
	preload = startup_preload__new(&wanted, cell);
	if (preload)
		environment[variable ? 1 : 0] = preload__variable(preload);
	if (cell->state == BENCH_PENDING) {
		char *argv[] = { path, NULL };

		cell->command = text__of("%s%s%s", variable ? variable : "", variable ? " " : "",
					 path);
		bench_plan__set_task(planning->plan, id, column,
				     startup_task__new(
					     &(struct startup_program){
						     .loop = planning->loop,
						     .path = path,
						     .argv = argv,
						     .environment = environment,
					     },
					     preload));
	}
	free(path);
}

static void plan_row(const struct planning *planning, size_t index, uint32_t column)
{
	const struct startup_settings *settings = planning->settings;
	const struct startup_row *row = &settings->rows[index];
	struct bench_cell *cell =
		bench__cell(planning->plan->bench, LOOP_COUNT + index, column);

	if (load_of(settings, STARTUP_LIBRARIES, column) ||
	    load_of(settings, STARTUP_RELOCATIONS, column)) {
		bench_cell__set_state(cell, BENCH_UNAVAILABLE,
				      "only programs of forktax's own are made to load more", NULL);
		return;
	}
	cell->command = checked_strdup(row->name);
	bench_plan__set_task(planning->plan, LOOP_COUNT + index, column,
			     startup_task__new(
				     &(struct startup_program){
					     .loop = planning->loop,
					     .path = row->path,
					     .argv = row->argv,
					     .may_fail = settings->may_fail,
				     },
				     NULL));
}

static void note_startup_settings(struct bench *bench, const struct startup_settings *settings)
{
	struct break_cost cost;
	char *reason;

	sweep__note_loads(&settings->sweep, startup_axes, settings->load, bench);
	if (break_ring__calibrate(&cost, &reason) == 0)
		return;
	bench__warn(bench, "Starts are not divided into phases: %s.", reason);
	free(reason);
}

static struct bench *make_bench(const struct startup_settings *settings)
{
	struct bench *bench = bench__new(BENCH_STARTUP);

	note_startup_settings(bench, settings);
	for (int id = 0; id < LOOP_COUNT; id++)
		bench__add_row(bench, linkages[id].name, linkages[id].what);
	for (size_t i = 0; i < settings->row_count; i++)
		bench__add_row(bench, settings->rows[i].name, NULL);
	sweep__add_columns(&settings->sweep, bench);
	if (settings->sweep.axis) { /* static programs are not part of it */
		bench__add_baseline(bench, bench->columns[0].name, BENCH_SAME, 0);
	} else {
		bench__add_baseline(bench, linkages[LOOP_DIET].name, LOOP_DIET, BENCH_SAME);
		bench__add_baseline(bench, linkages[LOOP_STATIC].name, LOOP_STATIC,
				    BENCH_SAME);
	}
	bench__make_cells(bench);
	return bench;
}

struct bench_plan *bench_startup__plan(const struct startup_settings *settings)
{
	struct bench *bench = make_bench(settings);
	struct planning planning = {
		.settings = settings,
		.plan = bench_plan__new(bench),
	};

	find_loop(&planning);
	for (size_t i = 0; !planning.loop && i < bench->cell_count; i++)
		bench_cell__set_state(&bench->cells[i], BENCH_UNAVAILABLE, planning.reason,
				      planning.remedy);
	for (uint32_t column = 0; planning.loop && column < bench->column_count; column++) {
		for (int id = 0; id < LOOP_COUNT; id++)
			plan_linkage(&planning, id, column);
		for (size_t i = 0; i < settings->row_count; i++)
			plan_row(&planning, i, column);
	}
	free(planning.loop);
	free(planning.reason);
	free(planning.remedy);
	return planning.plan;
}
