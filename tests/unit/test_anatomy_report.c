// SPDX-License-Identifier: GPL-2.0-or-later
/* What the reports of an anatomy make of its rows, before anything is printed. */
#include "report/words.h"
#include "unit.h"

#include <math.h>

#include "analysis/forks/phase_totals.h"
#include "analysis/forks/row_selection.h"
#include "base/quantity.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/causes_table.h"
#include "report/cells.h"
#include "report/shown.h"

static struct object objects[] = {
	{ .path = "/bin/prog" },
	{ .path = "/lib/libc.so.6" },
	{ .path = "/lib64/ld-linux-x86-64.so.2" },
	{ .path = NULL },
};

static struct anatomy_row rows[] = {
	{ .phase = PHASE_CHILD, .actor = ACTOR_KERNEL, .class = FAULT_COW_COPY, .call = "clone",
	  .place = { .kind = PLACE_TLS, .object = NO_OBJECT, .offset = 0x2d0 },
	  .faults = 4, .children = 4, .timed = 4, .ns = 16000, .since_ns = 40 },
	{ .phase = PHASE_CHILD, .actor = ACTOR_LDSO, .class = FAULT_FILE_MAP, .is_exec = true,
	  .place = { .kind = PLACE_FILE, .object = 2, .offset = 0x9000, .section = ".text" },
	  .faults = 4, .children = 4, .timed = 2, .ns = 4000, .since_ns = 8000 },
	{ .phase = PHASE_CHILD, .actor = ACTOR_PROGRAM, .class = FAULT_COW_COPY,
	  .place = { .kind = PLACE_STACK, .object = NO_OBJECT, .offset = 0x1b8 },
	  .code = { .kind = PLACE_FILE, .object = 1, .offset = 0x1234 },
	  .faults = 8, .children = 4, .timed = 8, .ns = 20000, .since_ns = 8000 },
	{ .phase = PHASE_PARENT, .actor = ACTOR_PROGRAM, .class = FAULT_COW_COPY,
	  .place = { .kind = PLACE_ANON, .object = NO_OBJECT },
	  .faults = 4, .children = 4, .timed = 0, .since_ns = 0 },
};

static struct sample samples[] = {
	{ .group = 0, .children = 4, .faults = 40, .unattributed = 3, .missed = 2, .unsampled = 6,
	  .beyond = 5, .child_faults = 21, .child_unattributed = 1, .child_missed = 2,
	  .child_beyond = 1, .parent_beyond = 7 },
};

static struct fork_cost forks[] = {
	{ .group = 0, .forks = 4, .complete = 4, .typical = 4, .part_ns = { [PART_START] = 4 * 11 } },
};

static struct anatomy anatomy = {
	.durations = true,
	.objects = objects, .object_count = 4,
	.rows = rows, .row_count = 4,
	.samples = samples, .sample_count = 1,
	.forks = forks, .fork_count = 1,
};

static struct group groups[] = { { .exec_target = NO_EXE, .birth = BIRTH_FORK } };
static struct exe exes[] = { { .path = "/bin/prog" } };
static struct run run = {
	.exes = exes, .exe_count = 1,
	.groups = groups, .group_count = 1,
	.anatomy = &anatomy,
};

static void assert_words(char *text, const char *expected)
{
	assert_string_equal(text, expected);
	free(text);
}

static void assert_order(enum row_order order, size_t first, size_t second, size_t third)
{
	struct row_selection selection = row_selection__of(&anatomy, 0, PHASE_CHILD, order, SIZE_MAX);

	assert_int_equal(selection.count, 3);
	assert_int_equal(selection.rows[0].number, first);
	assert_int_equal(selection.rows[1].number, second);
	assert_int_equal(selection.rows[2].number, third);
	assert_int_equal(selection.left_out, 0);
	row_selection__free(&selection);
}

static void test_order(void **state)
{
	/* Numbered by the mean time of their occurrence: 10, 1000 (second of two), 2000 ns. */
	assert_order(ROWS_BY_OCCURRENCE, 1, 2, 3);
	assert_order(ROWS_BY_TIME, 2, 1, 3); /* 20, 16 and, half of them timed, 8 us */
}

static void test_cut(void **state)
{
	struct row_selection selection = row_selection__of(&anatomy, 0, PHASE_CHILD, ROWS_BY_OCCURRENCE, 1);

	assert_int_equal(selection.count, 1);
	assert_int_equal(selection.rows[0].number, 2); /* that with the most time */
	assert_int_equal(selection.left_out, 2);
	assert_float_equal(selection.left_out_faults, 8, 0);
	assert_float_equal(selection.left_out_ns, 24000, 0);
	assert_float_equal(selection.faults, 16, 0);
	row_selection__free(&selection);
	/* A line that says "1 more" would be as long as that one. */
	selection = row_selection__of(&anatomy, 0, PHASE_CHILD, ROWS_BY_OCCURRENCE, 2);
	assert_int_equal(selection.count, 3);
	row_selection__free(&selection);
}

/* Rows that take no time are left out beside others that are, not from a page, which has room for all. */
static void test_rows_without_time(void **state)
{
	static struct anatomy_row rows[] = {
		{ .phase = PHASE_CHILD, .faults = 9, .timed = 9, .ns = 1000000 },
		{ .phase = PHASE_CHILD, .faults = 1, .timed = 1, .ns = 9 },
		{ .phase = PHASE_CHILD, .faults = 1, .timed = 1, .ns = 8 },
		{ .phase = PHASE_CHILD, .faults = 1, .timed = 1, .ns = 7 },
	};
	const struct anatomy many = { .rows = rows, .row_count = 4 };
	struct row_selection selection = row_selection__of(&many, 0, PHASE_CHILD, ROWS_BY_TIME, 3);

	assert_int_equal(selection.count, 1);
	row_selection__free(&selection);
	selection = row_selection__of(&many, 0, PHASE_CHILD, ROWS_BY_TIME, 4);
	assert_int_equal(selection.count, 4);
	row_selection__free(&selection);
}

static void test_account(void **state)
{
	struct phase_totals totals = phase_totals__of(&run, 0, PHASE_CHILD);

	assert_float_equal(totals.total, 21, 0);
	assert_float_equal(totals.unsampled, 0, 0); /* children copy as parents elsewhere */
	assert_float_equal(phase_totals__rest(&totals, 17), 0, 0);
	assert_float_equal(phase_totals__rest(&totals, 16), 1, 0);
	totals = phase_totals__of(&run, 0, PHASE_EXEC);
	assert_float_equal(totals.total, 19, 0);
	assert_float_equal(totals.unattributed, 2, 0);
	assert_float_equal(totals.missed, 0, 0);
	assert_float_equal(totals.beyond, 4, 0);
	assert_float_equal(totals.unsampled, 6, 0);
	assert_float_equal(phase_totals__rest(&totals, 7), 0, 0);
	totals = phase_totals__of(&run, 0, PHASE_PARENT);
	assert_true(isnan(totals.total)); /* the kernel does not count that apart */
	assert_float_equal(totals.beyond, 7, 0);
	assert_float_equal(phase_totals__rest(&totals, 4), 0, 0);
	totals = phase_totals__of(&run, NO_GROUP, PHASE_EXEC);
	assert_float_equal(totals.children, 0, 0);
}

/* Three sections; unattributed, missed, beyond, and one that nothing explains; the total. */
static void test_sections_of_children(void **state)
{
	struct table *table = report__parts_by_section(&run, 0, PHASE_CHILD, (struct room){ 12, "" });

	assert_non_null(table);
	assert_int_equal(table__rows(table), 8 + 2); /* with the rules */
	table__free(table);
}

/* The answer has 8 rows, and -v 40. */
static void test_room(void **state)
{
	static const struct {
		struct report_options options;
		size_t rows;
		size_t rows_of_pool;
	} cases[] = {
		{ { 0 }, 8, 8 },
		{ { .verbose = true }, 40, 40 },
		{ { .show[SHOW_CALLS] = true }, 40, 40 },
		{ { .formats[TABLE_CSV] = true }, 40, 40 },
		{ { .formats[TABLE_HTML] = true, .all_workers = true }, 500, SIZE_MAX },
		{ { .all_workers = true }, 8, SIZE_MAX },
		{ { .all_workers = true, .top = 3 }, 3, 3 },
		{ { .verbose = true, .top = 100 }, 100, 100 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(room__of(&cases[i].options, 8, 40).rows, cases[i].rows);
		assert_int_equal(room__of_pool(&cases[i].options, 8, 40).rows, cases[i].rows_of_pool);
	}
	assert_int_equal(room__of(&(struct report_options){ .verbose = true }, 8, SIZE_MAX).rows, SIZE_MAX);
}

static char *bars_of(const struct fork_breakdown *breakdown)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	struct table_output output = { .stream = stream, .width = 200 };

	time_bar__print(&run, breakdown, &(struct report_options){ .top = BREAKDOWN_LINE_COUNT }, &output);
	fclose(stream);
	return text;
}

/*
 * Every line of the breakdown that belongs to the whole, as it is in the breakdown; and nothing
 * else.
 */
static void test_time_bar(void **state)
{
	struct fork_breakdown breakdown = { .complete = 4,
					    .has_overhead = true,
					    .overhead = 150000,
					    .waiting = 7000,
					    .execd_faults_ns = 1200 };
	double sum = 0;
	char *text;

	for (int line = 0; line < BREAKDOWN_LINE_COUNT; line++) {
		breakdown.lines[line] = (struct breakdown_entry){ .known = line != BREAKDOWN_MAPS,
							.ns = 1000 * (line + 10) };
		if (line != BREAKDOWN_PARENT && line != BREAKDOWN_MAPS)
			breakdown.whole += breakdown.lines[line].ns;
	}
	text = bars_of(&breakdown);
	for (int line = 0; line < BREAKDOWN_LINE_COUNT; line++) {
		const char *title = strstr(text, breakdown_line_titles[line]);

		if (line == BREAKDOWN_PARENT || line == BREAKDOWN_MAPS) {
			assert_null(title);
			continue;
		}
		assert_non_null(title);
		assert_float_equal(strtod(title + strlen(breakdown_line_titles[line]), NULL), line + 10, 0);
		sum += line + 10;
	}
	assert_float_equal(sum, breakdown.whole / 1e3, 0);
	assert_null(strstr(text, "copies"));
	assert_float_equal(strtod(strstr(text, "\n    faults ") + strlen("\n    faults"), NULL), 1.2, 0);
	assert_non_null(strstr(text, "Overhead: 150 us,"));
	assert_non_null(strstr(text, "7 us that are waiting or teardown"));
	assert_non_null(strstr(text, "23 us of faults in the parent"));
	free(text);
	breakdown.complete = 0;
	text = bars_of(&breakdown);
	assert_non_null(strstr(text, "is not known: the parent waited for none of these children by wait4"));
	free(text);
	text = bars_of(NULL);
	assert_string_equal(text, "");
	free(text);
}

static void test_places(void **state)
{
	struct place place = { .kind = PLACE_FILE, .object = 1, .offset = 0x3c8 };

	assert_words(words__place(&run, &place), "libc.so.6 at 0x3c8");
	place.section = ".gnu.hash";
	assert_words(words__place(&run, &place), "libc.so.6 .gnu.hash at 0x3c8");
	place.symbol = "exit";
	assert_words(words__place(&run, &place), "libc.so.6 .gnu.hash exit");
	place.symbol_offset = 16;
	place.varies = true;
	assert_words(words__place(&run, &place), "libc.so.6 .gnu.hash exit+0x10 ...");
	place = (struct place){ .kind = PLACE_BSS, .object = 3, .offset = 8 };
	assert_words(words__place(&run, &place), "? .bss at 0x8");
	place = (struct place){ .kind = PLACE_TLS, .object = NO_OBJECT, .offset = -8 };
	assert_words(words__place(&run, &place), "TLS/TCB -0x8");
	place = (struct place){ .kind = PLACE_UNKNOWN, .object = NO_OBJECT };
	assert_words(words__place(&run, &place), "unknown");
	assert_words(words__place(&run, &rows[2].place), "stack -0x1b8"); /* counted down */
}

static void test_codes(void **state)
{
	assert_words(words__code(&run, &rows[0]), "in clone");
	assert_words(words__code(&run, &rows[1]), ""); /* what was fetched is the code */
	assert_words(words__code(&run, &rows[2]), "libc.so.6 at 0x1234");
}

/* One name in all tables, and in saved runs. */
static void test_slots(void **state)
{
	struct place place = { .kind = PLACE_FILE, .object = 0, .offset = 0x3018,
			       .section = ".got.plt", .symbol = "_exit@got" };

	assert_words(words__place(&run, &place), "prog .got.plt _exit@got");
	place.varies = true;
	assert_words(words__place(&run, &place), "prog .got.plt _exit@got ...");
}

static void test_names(void **state)
{
	struct object two[] = { { .path = "/lib64/ld-linux-x86-64.so.2" },
				{ .path = "/lib/ld-linux.so.2" } };
	struct anatomy both = { .objects = two, .object_count = 2 };
	struct run run_of_both = { .anatomy = &both };

	assert_words(names__object(&run, 2, false), "ld.so");
	assert_words(names__object(&run, 2, true), "/lib64/ld-linux-x86-64.so.2");
	assert_words(names__object(&run_of_both, 1, false), "ld-linux.so.2");
	assert_words(names__object(&run, NO_OBJECT, false), "?");
	assert_words(names__group(&run, 0, false), "prog, fork, no exec");
	assert_words(names__group(&run, NO_GROUP, false), "the command itself");
}

/* The rows of a table of causes with that whole, of three causes of 30, 20 and 10 us. To be freed. */
static char *causes_of(double whole_ns, size_t top)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	struct table_output output = { .stream = stream, .width = 200 };
	struct causes_table causes = { .title = strdup("Causes"), .whole_ns = whole_ns };

	for (int us = 30; us > 0; us -= 10)
		causes_table__add(&causes, us * 1e3, 0, 0, strdup(us == 30 ? "most" : "more"));
	causes_table__add(&causes, NAN, 0, 1, strdup("untimed"));
	causes_table__show(&causes, "else", &(struct report_options){ .top = top }, &output);
	fclose(stream);
	return text;
}

/* Together they are the whole: what none explains has its own row, whatever the limit; of two clocks there are no shares. */
static void test_causes(void **state)
{
	char *text = causes_of(100e3, 2);

	assert_non_null(strstr(text, "30.0 30.0        most"));
	assert_non_null(strstr(text, "40.0 40.0        not known: else"));
	assert_non_null(strstr(text, "(2 other causes)"));
	free(text);
	text = causes_of(60e3, 9);
	assert_non_null(strstr(text, "30.0 50.0        most"));
	assert_null(strstr(text, "not known"));
	free(text);
	text = causes_of(59e3, 9);
	assert_null(strstr(text, "not known"));
	assert_null(strstr(text, "%"));
	assert_non_null(strstr(text, "30.0        most"));
	assert_non_null(strstr(text, "(No shares: "));
	free(text);
	text = causes_of(0, 9);
	assert_null(strstr(text, "%"));
	assert_null(strstr(text, "No shares"));
	free(text);
}

/* What is more than the whole is no part of it. */
static void test_shares(void **state)
{
	assert_string_equal(quantity__share(1, 1).text, "100.0 %");
	assert_string_equal(quantity__share(1.0004, 1).text, "100.0 %");
	assert_string_equal(quantity__share(1.001, 1).text, "-");
	assert_string_equal(quantity__share(1, 0).text, "-");
	assert_true(cell__percent(1.00004, 1).kind == cell__percent(1, 1).kind);
	assert_true(cell__percent(1.0001, 1).kind == cell__absent().kind);
}

static void test_figures(void **state)
{
	struct estimate figure = { .known = true, .value = 27600, .low = 24111, .high = 131300 };

	assert_words(words__estimate(&figure, unit__us), "27.6");
	figure.bounded = true;
	assert_words(words__estimate(&figure, unit__us), "27.6 (24.1..131.3)");
	figure = (struct estimate){ .known = true, .value = -0.001 };
	assert_words(words__estimate(&figure, unit__none), "0");
	figure.known = false;
	assert_words(words__estimate(&figure, unit__none), "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),  cmocka_unit_test(test_cut),
		cmocka_unit_test(test_rows_without_time),
		cmocka_unit_test(test_account), cmocka_unit_test(test_sections_of_children),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_time_bar),
		cmocka_unit_test(test_places), cmocka_unit_test(test_codes),
		cmocka_unit_test(test_slots),  cmocka_unit_test(test_names),
		cmocka_unit_test(test_figures), cmocka_unit_test(test_causes),
		cmocka_unit_test(test_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
