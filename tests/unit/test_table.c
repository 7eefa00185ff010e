// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <math.h>

#include "base/quantity.h"
#include "format/column.h"

static void assert_printed(struct table *table, struct table_output output, const char *expected)
{
	char *text;
	size_t length;

	output.stream = open_memstream(&text, &length);
	table__print(table, &output);
	fclose(output.stream);
	assert_string_equal(text, expected);
	free(text);
	table__free(table);
}

static struct table *sample(void)
{
	struct table *table = table__new("Title");

	table__column(table, "n", COLUMN_COUNT);
	table__column(table, "name", COLUMN_TEXT);
	table__rule(table);
	table__row(table);
	table__count(table, 12345);
	table__text(table, "a\"b,c\n");
	table__row(table);
	table__count(table, UINT64_MAX);
	return table;
}

static void test_text(void **state)
{
	assert_printed(sample(), (struct table_output){ .style = TABLE_TEXT },
		       "Title\n"
		       "    n name\n"
		       "----- ---------\n"
		       "12345 a\"b,c\\x0a\n"
		       "    -\n");
}

static struct table *wide(void)
{
	struct table *table = table__new(NULL);

	table__column(table, "path", COLUMN_TEXT);
	table__column(table, "number", COLUMN_COUNT);
	table__column(table, "meaning", COLUMN_TEXT);
	table__rule(table);
	table__row(table);
	table__text(table, "/a/path/longer/than/the/terminal");
	table__count(table, 1234567890123456789);
	table__text(table, "abcdefghijklmnopqrstuvwxyz");
	return table;
}

/* What a table cannot do without stays whole: numbers, and words, and names in a path. */
static void test_narrow_terminal(void **state)
{
	assert_printed(wide(), (struct table_output){ .style = TABLE_TEXT, .width = 10 },
		       "path                          number meaning\n"
		       "---------------- ------------------- ----------------\n"
		       "/a/path/longer/  1234567890123456789 abcdefghijklmnopqrstuvwxyz\n"
		       "than/the/\n"
		       "terminal\n");
}

static void test_fits_the_terminal(void **state)
{
	for (unsigned int width = 63; width < 100; width++) {
		struct table_output output = { .style = TABLE_TEXT, .width = width };
		struct table *table = wide();
		char *text, *line, *rest;
		size_t length;

		output.stream = open_memstream(&text, &length);
		table__print(table, &output);
		fclose(output.stream);
		assert_non_null(strstr(text, " 1234567890123456789 "));
		rest = text;
		while ((line = strsep(&rest, "\n")))
			assert_true(strlen(line) <= width);
		free(text);
		table__free(table);
	}
}

/* Nothing is broken inside a name, however many lines that takes. */
static void test_pieces(void **state)
{
	struct table *table = table__new(NULL);

	table__column(table, "of", COLUMN_TEXT);
	table__column(table, "what", COLUMN_TEXT);
	table__row(table);
	table__text(table, "read");
	table__text(table, "/usr/lib/locale/C.utf8/LC_CTYPE and 1/2 of it, 7f1274534000-7f1274594000");
	assert_printed(table, (struct table_output){ .style = TABLE_TEXT, .width = 30 },
		       "of   what\n"
		       "read /usr/lib/locale/C.utf8/\n"
		       "     LC_CTYPE and 1/2 of it,\n"
		       "     7f1274534000-7f1274594000\n");
}

/* A path that fits a line is on one line: behind other words, too. */
static void test_whole_path(void **state)
{
	struct table *table = table__new(NULL);

	table__column(table, "what", COLUMN_TEXT);
	table__row(table);
	table__text(table, "calls for 118 files, such as /tmp/h/r1, /very/long/path/of/a/file");
	assert_printed(table, (struct table_output){ .style = TABLE_TEXT, .width = 34 },
		       "what\n"
		       "calls for 118 files, such as\n"
		       "/tmp/h/r1,\n"
		       "/very/long/path/of/a/file\n");
}

struct narrow_line {
	uint64_t count, less, least;
	const char *words;
};

/* Columns that can be spared go before a word is broken, the largest number first; data has them all. */
static void test_spared_columns(void **state)
{
	static const struct column spared[] = {
		{ "count", COUNT_OF(struct narrow_line, count) },
		{ "less", COUNT_OF(struct narrow_line, less), .spare = 1 },
		{ "least", COUNT_OF(struct narrow_line, least), .spare = 2 },
		{ "words", TEXT_OF(struct narrow_line, words) },
	};
	static const struct narrow_line line = { 12345, 1234, 12345, "several words-of-15" };
	static const struct {
		unsigned int width;
		const char *text;
	} cases[] = {
		{ 0, "count less least words\n12345 1234 12345 several words-of-15\n" },
		{ 40, "count less least words\n12345 1234 12345 several words-of-15\n" },
		{ 31, "count less words\n12345 1234 several words-of-15\n"
		      "(this terminal is too narrow\nfor: least)\n" },
		{ 24, "count words\n12345 several\n      words-of-15\n"
		      "(this terminal is too\nnarrow for: least, less)\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct table *table = table__new(NULL);

		TABLE_COLUMNS(table, spared, NULL);
		table__add(table, &line);
		assert_printed(table, (struct table_output){ .width = cases[i].width }, cases[i].text);
	}
}

static void test_csv_formulas(void **state)
{
	static const struct {
		const char *text, *cell;
	} cells[] = {
		{ "=1+1", "'=1+1" },	     { "+x", "'+x" },		  { "-x", "'-x" },   { "@SUM(A1)", "'@SUM(A1)" },
		{ "-5", "-5" },		     { "+1.5e3", "+1.5e3" },	  { "-", "-" },	     { "a=b", "a=b" },
		{ "=a,b", "\"'=a,b\"" },     { "'=x", "''=x" },		  { "'x'", "'x'" },  { "-5+A1", "'-5+A1" },
		{ "\uff1d1", "'\uff1d1" },   { "", "" },		  { "--o", "'--o" }, { "-inf", "'-inf" },
	};

	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		struct table *table = table__new(NULL);
		char *expected = NULL;

		table__column(table, "n", COLUMN_COUNT);
		table__column(table, "=name", COLUMN_TEXT);
		table__row(table);
		table__count(table, 1);
		table__text(table, cells[i].text);
		assert_true(asprintf(&expected, "n,'=name\r\n1,%s\r\n", cells[i].cell) > 0);
		assert_printed(table, (struct table_output){ .style = TABLE_CSV }, expected);
		free(expected);
	}
}

static void test_csv(void **state)
{
	assert_printed(sample(), (struct table_output){ .style = TABLE_CSV },
		       "# Title\r\n"
		       "n,name\r\n"
		       "12345,\"a\"\"b,c\\x0a\"\r\n"
		       "-,\r\n");
}

static struct table *tree(void)
{
	struct table *table = table__new(NULL);

	table__column(table, "exe", COLUMN_TEXT);
	for (int i = 0; i < 5; i++) {
		static const size_t parents[] = { SIZE_MAX, 0, 1, 1, 0 };

		if (parents[i] == SIZE_MAX)
			table__row(table);
		else
			table__row_below(table, parents[i]);
		table__count(table, i);
	}
	return table;
}

static void test_tree(void **state)
{
	assert_printed(tree(), (struct table_output){ .style = TABLE_TEXT },
		       "exe\n0\n|-1\n| |-2\n| `-3\n`-4\n");
	assert_printed(tree(), (struct table_output){ .style = TABLE_CSV },
		       "exe\r\n0\r\n1\r\n2\r\n3\r\n4\r\n");
}

static void test_deep_tree(void **state)
{
	enum { DEPTH = 100000 };
	struct table_output output = { .style = TABLE_TEXT };
	struct table *table = table__new(NULL);
	char *text;
	size_t length;

	table__column(table, "exe", COLUMN_TEXT);
	table__row(table);
	table__text(table, "p");
	for (size_t i = 0; i < DEPTH; i++) {
		table__row_below(table, i);
		table__text(table, "p");
	}
	output.stream = open_memstream(&text, &length);
	table__print(table, &output);
	fclose(output.stream);
	assert_non_null(strstr(text, "[100000] p\n"));
	assert_true(length < DEPTH * 100);
	free(text);
	table__free(table);
}

/* A thing that tables are about, and what they may show of it. */
struct process {
	const char *name;
	uint64_t faults, by[3];
	double ms;
	struct cell time;
};

struct about {
	bool time, by[3];
};

static struct cell path_of(const void *subject, const void *row, int index)
{
	const struct process *process = row;

	return cell__names(strdup(process->name), strdup(index ? "/usr/bin/sh" : "/bin/sh"));
}

static const char *const actors[] = { "ld.so", "program", "kernel" };

static const struct column columns[] = {
	{ "name", TEXT_OF(struct process, name) },
	{ "path", COLUMN_TEXT, .cell = path_of, .index = 1, .view = VIEW_DATA },
	{ "faults", COUNT_OF(struct process, faults), .key = "page_faults" },
	{ NULL, COUNT_OF(struct process, by), .unless_zero = true, WHEN(struct about, by),
	  EACH_OF(actors) },
	{ "ms", NUMBER_OF(struct process, ms), .decimals = 1, WHEN(struct about, time),
	  .data_always = true },
	{ "us", COLUMN_ESTIMATE, CELL_OF(struct process, time), .key = "ns" },
};

static struct table *described(const struct about *about)
{
	const struct process processes[] = {
		{ "sh", 7, { 0, 7, 0 }, 1.25, cell__said(cell__estimate(1500, 1400, 1600),
							   strdup("1.5 (1.4..1.6)")) },
		{ "true", UINT64_MAX, { 3, 0, 0 }, NAN, cell__said(cell__estimate(2, NAN, NAN),
								    strdup("0.0")) },
		{ "one more", 1, { 0, 0, 0 }, 0, cell__absent() },
	};
	struct table *table = table__new("Processes");

	TABLE_COLUMNS(table, columns, about);
	table__add(table, &processes[0]);
	table__add(table, &processes[1]);
	table__add_for(table, VIEW_DATA, &processes[2]);
	table__row_for(table, VIEW_READING);
	table__text(table, "(1 more)");
	return table;
}

/* Rounds: how many there are, only the table knows. */
struct rounds {
	int count;
	const char *unit;
};

static int rounds_of(const void *subject)
{
	return ((const struct rounds *)subject)->count;
}

static char *round_header(const struct column *column, const void *subject, int round)
{
	char *text;

	return asprintf(&text, "%s %d (%s)", column->header, round + 1, ((const struct rounds *)subject)->unit) < 0
		       ? NULL
		       : text;
}

static void test_columns_by_subject(void **state)
{
	static const struct column columns_of_rounds[] = {
		{ "name", TEXT_OF(struct process, name) },
		{ "round", COUNT_OF(struct process, by), .repeat_of = rounds_of, .header_of = round_header },
	};
	static const struct process process = { .name = "sh", .by = { 4, 5, 6 } };
	static const char *const expected[] = {
		"name\nsh\n",
		"      round  round\nname 1 (us) 2 (us)\nsh        4      5\n",
	};

	for (int i = 0; i < 2; i++) {
		const struct rounds rounds = { 2 * i, "us" };
		struct table *table = table__new(NULL);

		TABLE_COLUMNS(table, columns_of_rounds, &rounds);
		table__add(table, &process);
		assert_printed(table, (struct table_output){ .style = TABLE_TEXT }, expected[i]);
	}
}

/* A number as people write it; programs read the number. What is not known has no words. */
static void test_columns_in_words(void **state)
{
	static const struct column columns_of_time[] = {
		{ "time", COUNT_OF(struct process, faults), .words = quantity__time, .key = "ns" },
		{ "end", COUNT_OF(struct process, by[1]), .words = quantity__time, .unless_absent = true },
	};
	static const struct process processes[] = {
		{ .faults = 1500, .by = { 0, 2000000 } },
		{ .faults = UINT64_MAX, .by = { 0, UINT64_MAX } },
	};
	static const struct {
		enum table_style style;
		const char *expected;
	} forms[] = {
		{ TABLE_TEXT, "   time  end\n1.50 us 2 ms\n      -\n" },
		{ TABLE_CSV, "ns,end\r\n1500,2000000\r\n-,\r\n" },
	};

	for (size_t i = 0; i < 2; i++) {
		struct table *table = table__new(NULL);

		TABLE_COLUMNS(table, columns_of_time, NULL);
		table__add(table, &processes[0]);
		table__add(table, &processes[1]);
		assert_printed(table, (struct table_output){ .style = forms[i].style }, forms[i].expected);
	}
}

static void add_times(struct table *table, double us, double low, double high, struct cell ratio, uint64_t bytes)
{
	const struct cell time = cell__estimate(1e3 * us, 1e3 * low, 1e3 * high);

	table__put(table, cell__in(time, FORM_VALUE, unit__us));
	table__put(table, cell__in(time, FORM_BOUNDS, unit__us));
	table__put(table, cell__in(time, FORM_RANGE, unit__us));
	table__put(table, ratio);
	table__put(table, cell__in(cell__count(bytes), FORM_SIGNED, unit__kib));
}

/* Beside texts, what is not known, and what only programs see; a sum has them, too. */
static struct table *in_units(void)
{
	static const char *const headers[] = { "us", "interval", "both", "ratio", "KiB" };
	const struct cell ratio = cell__number(2.0604, DECIMALS_ALL);
	struct table *table = table__new(NULL);

	for (size_t i = 0; i < 5; i++)
		table__column(table, headers[i], COLUMN_NUMBER);
	table__row(table);
	add_times(table, 823, 820, 826, cell__as_ratio(ratio, FORM_VALUE, "x ", "*"), 256);
	table__row(table);
	add_times(table, 48.64, 48.4, 48.81, cell__text("baseline"), 4096);
	table__row(table);
	add_times(table, NAN, NAN, NAN, cell__as_ratio(cell__number(0.5, DECIMALS_ALL), FORM_VALUE, "x ", NULL), 0);
	table__row_for(table, VIEW_DATA);
	add_times(table, 0.001, 0, 0.002, cell__absent(), UINT64_MAX);
	table__total(table, "total");
	return table;
}

static void test_one_number_of_decimals(void **state)
{
	assert_printed(in_units(), (struct table_output){ .style = TABLE_TEXT },
		       "   us     interval                 both    ratio   KiB\n"
		       "823.0 820.0..826.0 823.0 (820.0..826.0) x 2.060* +0.25\n"
		       " 48.6   48.4..48.8    48.6 (48.4..48.8) baseline +4.00\n"
		       "    -            -                    -  x 0.500  0.00\n"
		       "----- ------------ -------------------- -------- -----\n"
		       "total                                      2.560 +4.25\n");
	assert_printed(in_units(), (struct table_output){ .style = TABLE_CSV },
		       "us,interval,both,ratio,KiB\r\n"
		       "823000,823000,823000,2.0604,256\r\n"
		       "48640,48640,48640,baseline,4096\r\n"
		       ",,,0.5,0\r\n"
		       "1,1,1,-,-\r\n"
		       "total,,,2.5604,4352\r\n");
}

/* People and programs have the same rows and columns, each in their form. */
static void test_columns(void **state)
{
	static const struct about about = { .by = { true, true, false } };

	assert_printed(described(&about), (struct table_output){ .style = TABLE_TEXT },
		       "Processes\n"
		       "name     faults ld.so program             us\n"
		       "sh            7             7 1.5 (1.4..1.6)\n"
		       "true          -     3                    0.0\n"
		       "(1 more)\n");
	assert_printed(described(&about), (struct table_output){ .style = TABLE_CSV },
		       "# Processes\r\n"
		       "name,path,page_faults,ld.so,program,ms,ns,low,high\r\n"
		       "sh,/usr/bin/sh,7,,7,1.2,1500,1400,1600\r\n"
		       "true,/usr/bin/sh,-,3,,-,2,,\r\n"
		       "one more,/usr/bin/sh,1,,,0.0,-,,\r\n");
}

/* A row of which only some columns have anything to say. */
struct needs {
	const char *name;
	uint64_t none, zero, some;
	struct cell estimate;
};

static const struct column needed_columns[] = {
	{ "none", COUNT_OF(struct needs, none), IF_KNOWN },
	{ "zero", COUNT_OF(struct needs, zero), IF_KNOWN },
	{ "also zero", COUNT_OF(struct needs, zero), IF_ANY },
	{ "for programs", COUNT_OF(struct needs, none), IF_ANY, .data_always = true },
	{ "some", COUNT_OF(struct needs, some), IF_ANY },
	{ "range", COLUMN_ESTIMATE, CELL_OF(struct needs, estimate), IF_ANY },
	{ "name", TEXT_OF(struct needs, name), IF_ANY },
};

static struct table *needed(double high)
{
	const struct needs rows[] = {
		{ "a", UINT64_MAX, 0, 0, cell__estimate(0, 0, high) },
		{ "", UINT64_MAX, 0, 3, cell__estimate(NAN, NAN, NAN) },
	};
	struct table *table = table__new(NULL);

	TABLE_COLUMNS(table, needed_columns, NULL);
	table__add(table, &rows[0]);
	table__rule(table);
	table__add_for(table, VIEW_READING, &rows[1]);
	return table;
}

/* A column in which no row has anything is left out, for each reader by the rows that they see. */
static void test_needed_columns(void **state)
{
	assert_printed(needed(0), (struct table_output){ .style = TABLE_TEXT },
		       "zero some name\n"
		       "   0    0 a\n"
		       "---- ---- ----\n"
		       "   0    3\n");
	assert_printed(needed(2), (struct table_output){ .style = TABLE_CSV },
		       "zero,for programs,range,low,high,name\r\n"
		       "0,-,0,0,2,a\r\n");
}

static struct table *sums(size_t most)
{
	struct table *table = table__new(NULL);

	table__column(table, "us", COLUMN_NUMBER);
	table__column(table, "calls", COLUMN_COUNT);
	table__column(table, "lost", COLUMN_COUNT);
	table__column(table, "cause", COLUMN_TEXT);
	table__rule(table);
	for (int i = 1; i <= 4; i++) {
		table__row(table);
		table__put(table, i == 3 ? cell__absent() : cell__number(i * 1.25, DECIMALS_UNLESS_WHOLE));
		table__put(table, cell__count_unless_zero(i - 1));
		table__put(table, i == 2 ? cell__absent() : cell__blank());
		table__text(table, "cause");
	}
	table__limit(table, most, "causes");
	table__total(table, "total");
	return table;
}

/* What a limit leaves out is in one row, so that the total stays the same. */
static void test_sums(void **state)
{
	assert_printed(sums(2), (struct table_output){ .style = TABLE_CSV },
		       "us,calls,lost,cause\r\n"
		       "1.25,,,cause\r\n"
		       "2.50,1,-,cause\r\n"
		       "5.00,5,,(2 other causes)\r\n"
		       "8.75,6,-,total\r\n");
	for (size_t most = 3; most <= 4; most++) /* a single one has its own row */
		assert_printed(sums(most), (struct table_output){ .style = TABLE_CSV },
			       "us,calls,lost,cause\r\n"
			       "1.25,,,cause\r\n"
			       "2.50,1,-,cause\r\n"
			       "-,2,,cause\r\n"
			       "5.00,3,,cause\r\n"
			       "8.75,6,-,total\r\n");
}

/* Bounds of several estimates have to differ. */
static void test_several_estimates(void **state)
{
	struct table *table = table__titled(strdup("People"), strdup("Programs"));

	table__column(table, "faults", COLUMN_ESTIMATE);
	table__column(table, "calls", COLUMN_ESTIMATE);
	table__row(table);
	table__put(table, cell__estimate(1, 0.5, 2));
	table__put(table, cell__estimate(NAN, NAN, NAN));
	assert_printed(table, (struct table_output){ .style = TABLE_CSV },
		       "# Programs\r\n"
		       "faults,faults low,faults high,calls,calls low,calls high\r\n"
		       "1,0.5,2,,,\r\n");
}

static struct table *four_columns(void)
{
	struct table *table = table__new(NULL);

	table__may_continue_below(table);
	table__column(table, "counter", COLUMN_TEXT);
	for (int i = 0; i < 3; i++)
		table__column(table, "12345", COLUMN_COUNT);
	table__row(table);
	table__text(table, "faults");
	for (int i = 0; i < 3; i++)
		table__count(table, i);
	return table;
}

static void test_continues_below(void **state)
{
	assert_printed(four_columns(), (struct table_output){ .style = TABLE_TEXT, .width = 24 },
		       "counter 12345 12345\n"
		       "faults      0     1\n"
		       "\n"
		       "counter 12345\n"
		       "faults      2\n");
	assert_printed(four_columns(), (struct table_output){ .style = TABLE_TEXT },
		       "counter 12345 12345 12345\n"
		       "faults      0     1     2\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_narrow_terminal), cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_whole_path),
		cmocka_unit_test(test_spared_columns),
		cmocka_unit_test(test_fits_the_terminal),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_csv_formulas),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_deep_tree),
		cmocka_unit_test(test_one_number_of_decimals),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_columns_by_subject),
		cmocka_unit_test(test_columns_in_words),
		cmocka_unit_test(test_needed_columns),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_several_estimates),
		cmocka_unit_test(test_continues_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
