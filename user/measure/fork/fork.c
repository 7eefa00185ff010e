// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/fork/fork.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "measure/loop/loop_cells.h"

const struct sweep_axis fork_axes[LOAD_COUNT + 1] = {
	[LOAD_RESIDENT] = { "resident", "bytes", 1ull << 39, "memory that the parent has written" },
	[LOAD_PAGES] = { "pages", "pages", 1u << 20, "pages that each child writes to" },
	[LOAD_CALLS] = { "calls", "functions", 48, "functions that each child calls first" },
	[LOAD_LIBRARIES] = { "libraries", NULL, 900, "libraries that the parent has loaded" },
	[LOAD_MAPPINGS] = { "mappings", NULL, 1000000, "mappings that the parent has" },
	[LOAD_THREADS] = { "threads", NULL, 10000, "threads that wait in the parent" },
	{ 0 },
};

/* The options of samples/forkloop. */
static const char *const letters[LOAD_COUNT] = { "-r", "-t", "-b", "-l", "-v", "-j" };

/* forkloop counts memory in KiB. */
static uint64_t in_units(enum fork_load load, uint64_t amount)
{
	return load == LOAD_RESIDENT ? (amount + 1023) / 1024 : amount;
}

/* The loads of one cell. */
struct amounts {
	uint64_t load[LOAD_COUNT];
};

static struct amounts amounts_of(const struct fork_settings *settings, uint32_t column)
{
	struct amounts amounts;

	memcpy(amounts.load, settings->load, sizeof(amounts.load));
	if (settings->sweep.axis)
		amounts.load[settings->sweep.axis - fork_axes] = settings->sweep.points[column];
	return amounts;
}

static bool fits(const struct amounts *amounts, struct bench_cell *cell)
{
	uint64_t written = amounts->load[LOAD_PAGES] * page_bytes;

	return loop_cell__fits(cell, amounts->load[LOAD_RESIDENT] + written);
}

static bool add_libraries(const struct fork_settings *settings, const struct amounts *amounts,
			  enum linkage_id id, struct line *line, struct bench_cell *cell)
{
	char *path;

	if (!amounts->load[LOAD_LIBRARIES])
		return true;
	if (!loop_cell__may_load(cell, id))
		return false;
	path = loop_cell__find(cell, settings->loops, id, "libextra.so");
	if (!path)
		return false;
	line__add(line, "-L");
	line__add(line, path);
	free(path);
	return true;
}

static void plan_linkage(struct bench_plan *plan, const struct fork_settings *settings,
			 enum linkage_id id, uint32_t column)
{
	struct bench_cell *cell = bench__cell(plan->bench, id, column);
	const struct amounts amounts = amounts_of(settings, column);
	const char *environment[] = { linkages[id].environment, NULL };
	char *path = loop_cell__find(cell, settings->loops, id, "forkloop");
	struct line line = { .count = 0 };

	if (!path)
		return;
	line__add(&line, "-R");
	if (settings->with_exit)
		line__add(&line, "-x");
	if (settings->huge)
		line__add(&line, "-H");
	for (int load = 0; load < LOAD_COUNT; load++) {
		if (amounts.load[load])
			line__add_number(&line, letters[load],
					 in_units(load, amounts.load[load]));
	}
	if ((!settings->huge || loop_cell__may_have_huge_pages(cell)) && fits(&amounts, cell) &&
	    add_libraries(settings, &amounts, id, &line, cell))
		loop_cell__plan(plan, id, column,
				&(struct loop_program){
					.path = path,
					.arguments = line.words,
					.environment = environment,
				});
	line__free(&line);
	free(path);
}

/* Replaces {} by the point of the sweep; true if there was one. */
static bool add_word(struct line *line, const char *word, uint64_t point)
{
	const char *braces = strstr(word, "{}");
	char *text;

	if (!braces) {
		line__add(line, word);
		return false;
	}
	text = text__of("%.*s%" PRIu64 "%s", (int)(braces - word), word, point, braces + 2);
	line__add(line, text);
	free(text);
	return true;
}

static void plan_row(struct bench_plan *plan, const struct fork_settings *settings, size_t index,
		     uint32_t column)
{
	const struct sweep *sweep = &settings->sweep;
	struct bench_cell *cell = bench__cell(plan->bench, LOOP_COUNT + index, column);
	char *words = checked_strdup(settings->rows[index].command), *rest = words, *word;
	bool follows = !sweep->axis; /* its command has a {} for the point */
	struct line line = { .count = 0 };

	while ((word = strsep(&rest, " "))) {
		if (*word)
			follows |= add_word(&line, word, sweep->axis ? sweep->points[column] : 0);
	}
	if (!follows)
		bench_cell__set_state(cell, BENCH_UNAVAILABLE, "its command has no {}",
				      "{} stands for the point of the sweep");
	else
		loop_cell__plan(plan, LOOP_COUNT + index, column,
				&(struct loop_program){
					.path = line.words[0],
					.arguments = line.words + 1,
				});
	line__free(&line);
	free(words);
}

/* In a sweep each row is also compared with its first point. */
static void add_first_point(struct bench *bench)
{
	char *name;

	if (!bench->axis.name)
		return;
	name = text__of("%s %s", bench->axis.name, bench->columns[0].name);
	bench__add_baseline(bench, name, BENCH_SAME, 0);
	free(name);
}

static void note_fork_settings(struct bench *bench, const struct fork_settings *settings)
{
	bench_notes__add(&bench->settings, "children leave by",
			 settings->with_exit ? "exit" : "_exit");
	sweep__note_loads(&settings->sweep, fork_axes, settings->load, bench);
	if (settings->huge)
		bench_notes__add(&bench->settings, "resident memory", "huge pages");
}

struct bench_plan *bench_fork__plan(const struct fork_settings *settings)
{
	struct bench *bench = bench__new(BENCH_FORK);
	struct bench_plan *plan;

	note_fork_settings(bench, settings);
	for (int id = 0; id < LOOP_COUNT; id++)
		bench__add_row(bench, linkages[id].name, linkages[id].what);
	for (size_t i = 0; i < settings->row_count; i++)
		bench__add_row(bench, settings->rows[i].name, settings->rows[i].command);
	sweep__add_columns(&settings->sweep, bench);
	bench__add_baseline(bench, "static", LOOP_STATIC, BENCH_SAME);
	add_first_point(bench);
	bench__make_cells(bench);
	plan = bench_plan__new(bench);
	for (uint32_t column = 0; column < bench->column_count; column++) {
		for (int id = 0; id < LOOP_COUNT; id++)
			plan_linkage(plan, settings, id, column);
		for (size_t i = 0; i < settings->row_count; i++)
			plan_row(plan, settings, i, column);
	}
	return plan;
}
