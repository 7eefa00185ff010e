// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/serve/serve.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "measure/loop/loop_cells.h"
#include "measure/serve/serve_task.h"
#include "measure/sizes.h"
#include "model/bench/bench.h"

const struct serve_model_facts serve_models[SERVE_MODEL_COUNT] = {
	[SERVE_FORK] = { "fork", "fork", "fork", NULL, "a child for each connection" },
	[SERVE_EXEC] = { "exec", "fork + exec", "exec", NULL, "a child for each connection, which executes a program" },
	[SERVE_PREFORK] = { "prefork", "pre-fork", "prefork", NULL, "workers that all wait in accept(2)" },
	[SERVE_PASSING] = { "passing", "handed over", "passing", NULL,
			    "workers that are handed connections over a Unix socket" },
	[SERVE_DAEMON] = { "daemon", "fork daemon", "daemon", NULL,
			   "a small daemon is handed each connection, and forks for it" },
	[SERVE_THREADS] = { "threads", "threads", "threads", NULL,
			    "a thread for each connection" },
	[SERVE_DASH] = { "dash", "system, dash", "shell", "/bin/dash",
			 "a child for each connection, whose shell answers" },
	[SERVE_BASH] = { "bash", "system, bash", "shell", "/bin/bash",
			 "the same with another shell" },
};

struct serve_settings serve_settings__default(void)
{
	struct serve_settings settings = {
		.workers = SERVE_WORKERS,
		.concurrency = SERVE_WORKERS,
		.linkages = { [LOOP_DYNAMIC] = true, [LOOP_NOW] = true,
			      [LOOP_STATIC] = true, [LOOP_DIET] = true },
	};

	memset(settings.models, true, sizeof(settings.models));
	return settings;
}

static bool is_possible(const struct serve_settings *settings, enum serve_model model,
			enum linkage_id linkage, struct bench_cell *cell)
{
	const char *shell = serve_models[model].shell;

	if (model == SERVE_THREADS && linkage == LOOP_DIET) {
		bench_cell__set_state(cell, BENCH_UNAVAILABLE,
				      "programs with dietlibc's threads crash when they end", NULL);
		return false;
	}
	if (shell && access(shell, X_OK) < 0) {
		loop_cell__refuse(cell, text__of("there is no %s", shell),
				  text__of("apt-get install %s", serve_models[model].key));
		return false;
	}
	return loop_cell__fits(cell, settings->resident);
}

static void plan_cell(struct bench_plan *plan, const struct serve_settings *settings, enum serve_model model,
		      enum linkage_id linkage, uint32_t row, uint32_t column)
{
	struct bench_cell *cell = bench__cell(plan->bench, row, column);
	struct serve_program program = {
		.model = serve_models[model].option,
		.shell = serve_models[model].shell,
		.environment = linkages[linkage].environment,
		.workers = settings->workers,
		.concurrency = settings->concurrency,
		.resident = settings->resident,
	};
	char *path;

	if (!is_possible(settings, model, linkage, cell))
		return;
	path = loop_cell__find(cell, settings->loops, linkage, "server");
	if (!path)
		return;
	program.path = path;
	cell->command = serve_program__command(&program);
	bench_plan__set_task(plan, row, column, serve_task__new(&program));
	free(path);
}

static void note(struct bench *bench, const char *name, char *text)
{
	bench_notes__add(&bench->settings, name, text);
	free(text);
}

static void note_serve_settings(struct bench *bench, const struct serve_settings *settings)
{
	note(bench, "workers", text__of("%" PRIu32, settings->workers));
	note(bench, "connections at once", text__of("%" PRIu32, settings->concurrency));
	if (settings->resident)
		note(bench, "resident", sizes__text(settings->resident));
}

static void add_lines(struct bench *bench, const struct serve_settings *settings)
{
	for (int id = 0; id < LOOP_COUNT; id++) {
		if (settings->linkages[id])
			bench__add_column(bench, linkages[id].name, NAN);
	}
	for (int model = 0; model < SERVE_MODEL_COUNT; model++) {
		if (settings->models[model])
			bench__add_row(bench, serve_models[model].name, serve_models[model].what);
	}
	if (settings->models[SERVE_FORK]) /* the first row, if any */
		bench__add_baseline(bench, serve_models[SERVE_FORK].name, 0, BENCH_SAME);
	if (bench->column_count > 1)
		bench__add_baseline(bench, bench->columns[0].name, BENCH_SAME, 0);
}

struct bench_plan *bench_serve__plan(const struct serve_settings *settings)
{
	struct bench *bench = bench__new(BENCH_SERVE);
	struct bench_plan *plan;
	uint32_t row = 0;

	note_serve_settings(bench, settings);
	add_lines(bench, settings);
	bench__make_cells(bench);
	plan = bench_plan__new(bench);
	for (int model = 0; model < SERVE_MODEL_COUNT; model++) {
		uint32_t column = 0;

		if (!settings->models[model])
			continue;
		for (int id = 0; id < LOOP_COUNT; id++) {
			if (settings->linkages[id])
				plan_cell(plan, settings, model, id, row, column++);
		}
		row++;
	}
	return plan;
}
