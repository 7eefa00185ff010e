// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans of bench spawn and bench startup: rows, columns, history, and what cannot be measured. */
#include "unit.h"

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure/startup/preload.h"
#include "measure/spawn/spawn.h"
#include "measure/startup/startup.h"

static char loops[] = "/tmp/forktax-unit-XXXXXX";

/* A program of ours in the static linkage: a script that knows its size. */
static void make_loop(const char *linkage, const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", loops, linkage);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/%s/%s", loops, linkage, name);
	file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	chmod(path, 0755);
}

static int make_loops(void **state)
{
	static const char small[] = "#!/bin/sh\necho ' size_kib=1100'\n";

	if (!mkdtemp(loops))
		return -1;
	make_loop("static", "spawnloop", small);
	make_loop("static", "startloop", small);
	make_loop("static", "true", "#!/bin/sh\n");
	make_loop("dynamic", "true", "#!/bin/sh\n");
	make_loop("dynamic", "libextra.so", "no library");
	return 0;
}

static int remove_loops(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", loops);
	return system(command);
}

static struct spawn_settings all_methods(const char *sizes)
{
	struct spawn_settings settings = { .linkage = LOOP_STATIC, .loops = loops };
	char *reason;

	memset(settings.methods, true, sizeof(settings.methods));
	assert_int_equal(sweep__parse(sizes, spawn_axes, &settings.sizes, &reason), 0);
	return settings;
}

static const struct bench_cell *cell_of(const struct bench *bench, const char *row, uint32_t column)
{
	for (uint32_t i = 0; i < bench->row_count; i++) {
		if (!strcmp(bench->rows[i].name, row))
			return bench__cell(bench, i, column);
	}
	fail_msg("no row %s", row);
	return NULL;
}

static void test_book_table(void **state)
{
	static const char *const shells[] = { "/opt/my shell/zsh" };
	struct spawn_settings settings = all_methods(SPAWN_BOOK_SIZES);
	struct bench *bench;

	settings.shells = shells;
	settings.shell_count = 1;
	bench = bench_plan__take(bench_spawn__plan(&settings));
	assert_int_equal(bench->row_count, SPAWN_METHOD_COUNT + 1);
	assert_int_equal(bench->column_count, 3);
	assert_string_equal(bench->columns[0].name, "1.70 MB");
	assert_string_equal(bench->columns[2].name, "11.70 MB");
	assert_null(bench->axis.name);
	assert_non_null(strstr(cell_of(bench, "fork", 0)->command, "-m fork -g 1740"));
	assert_non_null(strstr(cell_of(bench, "system(), zsh", 2)->command, "-s /opt/my shell/zsh"));
	assert_non_null(strstr(cell_of(bench, "vfork + exec", 1)->command, "/static/true"));
	/* Five rows of the book in three columns, in ns for one. */
	assert_int_equal(bench->history_count, 15);
	assert_true(fabs(bench->history[0].value - 223000) < 1);
	bench__free(bench);
}

static void test_no_history_of_other_memory(void **state)
{
	struct spawn_settings settings = all_methods("size=1.7M,3M");
	struct bench *bench = bench_plan__take(bench_spawn__plan(&settings));

	assert_int_equal(bench->history_count, 5); /* the one column that the book has */
	bench__free(bench);
	settings.untouched = true;
	bench = bench_plan__take(bench_spawn__plan(&settings));
	assert_int_equal(bench->history_count, 0);
	bench__free(bench);
}

static void test_sizes_that_cannot_be(void **state)
{
	struct spawn_settings settings = all_methods("size=1.1M,1.2M,2M,400G");
	struct bench *bench = bench_plan__take(bench_spawn__plan(&settings));

	for (uint32_t column = 0; column < 4; column++) {
		const struct bench_cell *cell = cell_of(bench, "fork", column);

		if (column == 2) {
			assert_int_equal(cell->state, BENCH_PENDING);
			continue;
		}
		assert_int_equal(cell->state, BENCH_UNAVAILABLE);
		assert_non_null(strstr(cell->reason, column == 3 ? "400G of memory" : "1.07 MB"));
	}
	bench__free(bench);
}

static void test_missing_programs(void **state)
{
	struct spawn_settings settings = all_methods("size=2M");
	struct bench *bench;

	settings.linkage = LOOP_MUSL;
	bench = bench_plan__take(bench_spawn__plan(&settings));
	for (size_t i = 0; i < bench->cell_count; i++) {
		assert_int_equal(bench->cells[i].state, BENCH_UNAVAILABLE);
		assert_non_null(strstr(bench->cells[i].reason, "musl/spawnloop"));
	}
	bench__free(bench);
}

static void test_spawn_sweep(void **state)
{
	struct spawn_settings settings = all_methods("size=2M..32M");
	struct bench *bench;

	settings.is_sweep = true;
	bench = bench_plan__take(bench_spawn__plan(&settings));
	assert_string_equal(bench->axis.name, "size");
	assert_int_equal(bench->column_count, 3);
	assert_string_equal(bench->columns[1].name, "8M");
	bench__free(bench);
}

static void test_startup_rows(void **state)
{
	static char *const argv[] = { "sh", "-c", ":", NULL };
	const struct startup_row row = { "sh -c :", "/bin/sh", argv };
	const struct startup_settings settings = { .rows = &row, .row_count = 1, .loops = loops };
	struct bench *bench = bench_plan__take(bench_startup__plan(&settings));

	assert_int_equal(bench->row_count, LOOP_COUNT + 1);
	assert_int_equal(cell_of(bench, "static", 0)->state, BENCH_PENDING);
	assert_int_equal(cell_of(bench, "sh -c :", 0)->state, BENCH_PENDING);
	assert_int_equal(cell_of(bench, "musl", 0)->state, BENCH_UNAVAILABLE);
	assert_int_equal(bench->baseline_count, 2);
	bench__free(bench);
}

static void test_startup_loads(void **state)
{
	static char *const argv[] = { "sh", NULL };
	const struct startup_row row = { "sh", "/bin/sh", argv };
	struct startup_settings settings = { .rows = &row, .row_count = 1, .loops = loops };
	struct bench *bench;
	char *reason;

	assert_int_equal(sweep__parse("libraries=0,2", startup_axes, &settings.sweep, &reason), 0);
	bench = bench_plan__take(bench_startup__plan(&settings));
	assert_int_equal(cell_of(bench, "sh", 0)->state, BENCH_PENDING);
	assert_int_equal(cell_of(bench, "static", 0)->state, BENCH_PENDING);
	assert_non_null(strstr(cell_of(bench, "static", 1)->reason, "loads no libraries"));
	assert_non_null(strstr(cell_of(bench, "sh", 1)->reason, "forktax's own"));
	/* What ld.so says of what it cannot load is the reason. */
	assert_non_null(strstr(cell_of(bench, "dynamic", 1)->reason, "cannot be preloaded"));
	assert_int_equal(bench->baseline_count, 1);
	bench__free(bench);
}

static void test_relocations(void **state)
{
	char *reason;

	assert_int_equal(bench_startup__check_relocations(0, &reason), 0);
	assert_int_equal(bench_startup__check_relocations(4096, &reason), 0);
	assert_int_equal(bench_startup__check_relocations(4095, &reason), -1);
	free(reason);
}

static size_t entries(const char *directory)
{
	DIR *open = opendir(directory);
	size_t count = 0;

	while (open && readdir(open))
		count++;
	if (open)
		closedir(open);
	return count;
}

static void test_preload(void **state)
{
	struct preload *preload;
	char library[128], *reason = NULL, *directory;

	snprintf(library, sizeof(library), "%s/dynamic/libextra.so", loops);
	preload = preload__new(&reason);
	assert_non_null(preload);
	assert_int_equal(preload__add(preload, library, 3, &reason), 0);
	assert_int_equal(preload__add(preload, "/nowhere/lib.so", 1, &reason), -1);
	assert_non_null(strstr(reason, "No such file"));
	free(reason);
	directory = strdup(strchr(preload__variable(preload), '/'));
	*strstr(directory, "/0.so") = '\0';
	assert_int_equal(entries(directory), 2 + 3);
	preload__free(preload);
	assert_int_equal(entries(directory), 0);
	free(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_book_table),
		cmocka_unit_test(test_no_history_of_other_memory),
		cmocka_unit_test(test_sizes_that_cannot_be),
		cmocka_unit_test(test_missing_programs),
		cmocka_unit_test(test_spawn_sweep),
		cmocka_unit_test(test_startup_rows),
		cmocka_unit_test(test_startup_loads),
		cmocka_unit_test(test_relocations),
		cmocka_unit_test(test_preload),
	};

	return cmocka_run_group_tests(tests, make_loops, remove_loops);
}
