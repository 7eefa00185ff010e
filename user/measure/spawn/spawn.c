// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/spawn/spawn.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/quantity.h"
#include "base/text.h"
#include "measure/loop/loop_cells.h"

/* Shells that are /bin/sh on some system. */
static const char *const shell_names[] = { "bash", "dash", "busybox", "ksh", "mksh", "yash", "zsh" };
static const char *const shell_directories[] = { "/usr/bin", "/bin", "/usr/local/bin" };

enum {
	SHELL_NAMES = sizeof(shell_names) / sizeof(shell_names[0]),
	SHELL_DIRECTORIES = sizeof(shell_directories) / sizeof(shell_directories[0]),
};

static char *find_shell(const char *name)
{
	for (int i = 0; i < SHELL_DIRECTORIES; i++) {
		char *path = text__of("%s/%s", shell_directories[i], name);

		if (access(path, X_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

char **spawn_shells__installed(size_t *count)
{
	char **shells = NULL;

	*count = 0;
	for (int i = 0; i < SHELL_NAMES; i++) {
		char *path = find_shell(shell_names[i]);

		if (!path)
			continue;
		shells = checked_grow(shells, *count, sizeof(*shells));
		shells[(*count)++] = path;
	}
	return shells;
}

const struct spawn_method_info spawn_methods[SPAWN_METHOD_COUNT] = {
#define METHOD(id, key, name, birth, executes, what) [SPAWN_##id] = { key, name, executes, what },
#include "spawn_methods.def"
#undef METHOD
};

enum {
	KIB = 1024,
	GROWTH_MIN = 132 * 1024, /* malloc maps this much separately, no larger than requested */
};

/* What all cells of a plan have in common. */
struct planning {
	const struct spawn_settings *settings;
	struct bench_plan *plan;
	char *program, *target; /* NULL: there is none, for this reason */
	char *reason, *remedy;
	uint64_t own_size; /* of the program before it grows; 0: unknown */
};

/* A way to create a process and, for system(), maybe a shell. */
struct spawn_row {
	enum spawn_method method;
	const char *shell;
};

/* Asks the program. */
static uint64_t own_size_of(const char *program)
{
	char *argv[] = { (char *)program, "-z", NULL };
	const struct child_request request = { .path = program, .argv = argv };
	struct child_result result;
	uint64_t kib = 0;
	char *reason;

	if (loop_cell__ask(&request, &result, &reason)) {
		free(reason); /* the measurement will fail for the same reason */
		return 0;
	}
	if (sscanf(result.output, " size_kib=%" SCNu64, &kib) != 1)
		kib = 0;
	child_result__free(&result);
	return kib * KIB;
}

static void find_programs(struct planning *planning)
{
	const struct spawn_settings *settings = planning->settings;

	planning->program = loops__find(settings->loops, LOOP_STATIC, "spawnloop",
					&planning->reason, &planning->remedy);
	if (!planning->program)
		return;
	planning->own_size = own_size_of(planning->program);
	planning->target = loops__find(settings->loops, LOOP_STATIC, "true", &planning->reason, &planning->remedy);
}

static bool fits(const struct planning *planning, struct bench_cell *cell, uint64_t size)
{
	uint64_t least = planning->own_size + GROWTH_MIN;

	if (planning->own_size && size < least) {
		loop_cell__refuse(cell,
				  text__of("the program alone has %.2f MB, and grows by malloc to "
					  "%.2f MB at least", (double)planning->own_size / (1 << 20),
					  (double)least / (1 << 20)),
				  checked_strdup("--sizes sets others"));
		return false;
	}
	return loop_cell__fits(cell, size);
}

static void plan_cell(const struct planning *planning, uint32_t index, const struct spawn_row *row, uint32_t column)
{
	const struct spawn_settings *settings = planning->settings;
	uint64_t size = settings->sizes.bytes[column];
	struct bench_cell *cell = bench__cell(planning->plan->bench, index, column);
	struct line line = { .count = 0 };

	if (!planning->program || (spawn_methods[row->method].executes && !planning->target)) {
		bench_cell__set_state(cell, BENCH_UNAVAILABLE, planning->reason, planning->remedy);
		return;
	}
	if (!fits(planning, cell, size))
		return;
	line__add(&line, "-R");
	line__add(&line, "-m");
	line__add(&line, spawn_methods[row->method].key);
	line__add_number(&line, "-g", size / KIB & ~3ull); /* whole pages */
	if (spawn_methods[row->method].executes) {
		line__add(&line, "-e");
		line__add(&line, planning->target);
	}
	if (row->shell) {
		line__add(&line, "-s");
		line__add(&line, row->shell);
	}
	loop_cell__plan(planning->plan, index, column,
			&(struct loop_program){
				.path = planning->program,
				.arguments = line.words,
			});
	line__free(&line);
}

static void add_system_row(struct bench *bench, const char *shell)
{
	autofree char *sh = shell ? NULL : realpath("/bin/sh", NULL);
	autofree char *name = shell ? text__of("system(), %s", text__file_name(shell)) : checked_strdup("system()");
	char *what = shell ? text__of("what system() does, with %s as /bin/sh", shell)
			   : text__of("%s; /bin/sh is %s", spawn_methods[SPAWN_SYSTEM].what, sh ? sh : "missing");

	bench__add_row(bench, name, what);
	free(what);
}

static struct spawn_row *add_rows(struct bench *bench, const struct spawn_settings *settings)
{
	struct spawn_row *rows = checked_calloc(SPAWN_METHOD_COUNT + settings->shell_count, sizeof(*rows));

	for (int method = 0; method < SPAWN_METHOD_COUNT; method++) {
		if (!settings->methods[method])
			continue;
		rows[bench->row_count].method = method;
		if (method == SPAWN_SYSTEM)
			add_system_row(bench, NULL);
		else
			bench__add_row(bench, spawn_methods[method].name, spawn_methods[method].what);
	}
	for (size_t i = 0; settings->methods[SPAWN_SYSTEM] && i < settings->shell_count; i++) {
		rows[bench->row_count] = (struct spawn_row){ SPAWN_SYSTEM, settings->shells[i] };
		add_system_row(bench, settings->shells[i]);
	}
	return rows;
}

static void add_spawn_columns(struct bench *bench, const struct spawn_settings *settings)
{
	for (size_t i = 0; i < settings->sizes.count; i++) {
		uint64_t size = settings->sizes.bytes[i];
		autofree char *name = size % (1 << 20) == 0 ? sizes__text(size)
							    : text__of("%.2f MB", (double)size / (1 << 20));

		bench__add_column(bench, name, size);
	}
}

struct bench_plan *bench_spawn__plan(const struct spawn_settings *settings)
{
	struct planning planning = { .settings = settings };
	struct bench *bench = bench__new(BENCH_SPAWN);
	struct spawn_row *rows;

	rows = add_rows(bench, settings);
	add_spawn_columns(bench, settings);
	bench__add_baseline(bench, bench->rows[0].name, 0, BENCH_SAME);
	if (bench->column_count > 1)
		bench__add_baseline(bench, bench->columns[0].name, BENCH_SAME, 0);
	bench__make_cells(bench);
	planning.plan = bench_plan__new(bench);
	find_programs(&planning);
	for (uint32_t row = 0; row < bench->row_count; row++) {
		for (uint32_t column = 0; column < bench->column_count; column++)
			plan_cell(&planning, row, &rows[row], column);
	}
	free(rows);
	free(planning.program);
	free(planning.target);
	free(planning.reason);
	free(planning.remedy);
	return planning.plan;
}
