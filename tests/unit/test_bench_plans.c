// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans of bench spawn: rows, columns, and what cannot be measured. */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "measure/spawn/spawn.h"

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
	make_loop("static", "true", "#!/bin/sh\n");
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
	struct spawn_settings settings = { .loops = loops };
	char *reason;

	memset(settings.methods, true, sizeof(settings.methods));
	assert_int_equal(sizes__parse(sizes, SPAWN_SIZE_MAX, &settings.sizes, &reason), 0);
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
	assert_non_null(strstr(cell_of(bench, "fork", 0)->command, "-m fork -g 1740"));
	assert_non_null(strstr(cell_of(bench, "system(), zsh", 2)->command, "-s /opt/my shell/zsh"));
	assert_non_null(strstr(cell_of(bench, "vfork + exec", 1)->command, "/static/true"));
	bench__free(bench);
}

static void test_sizes_that_cannot_be(void **state)
{
	struct spawn_settings settings = all_methods("1.1M,1.2M,2M,400G");
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
	struct spawn_settings settings = all_methods("2M");
	struct bench *bench;

	settings.loops = "/nowhere";
	bench = bench_plan__take(bench_spawn__plan(&settings));
	for (size_t i = 0; i < bench->cell_count; i++) {
		assert_int_equal(bench->cells[i].state, BENCH_UNAVAILABLE);
		assert_non_null(strstr(bench->cells[i].reason, "static/spawnloop"));
	}
	bench__free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_book_table),
		cmocka_unit_test(test_sizes_that_cannot_be),
		cmocka_unit_test(test_missing_programs),
	};

	return cmocka_run_group_tests(tests, make_loops, remove_loops);
}
