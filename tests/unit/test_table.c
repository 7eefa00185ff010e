// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include "format/table.h"

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

	table__column(table, "n", ALIGN_RIGHT);
	table__column(table, "name", ALIGN_LEFT);
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

	table__column(table, "path", ALIGN_LEFT);
	table__column(table, "number", ALIGN_RIGHT);
	table__column(table, "meaning", ALIGN_LEFT);
	table__rule(table);
	table__row(table);
	table__text(table, "/a/path/longer/than/the/terminal");
	table__count(table, 1234567890123456789);
	table__text(table, "abcdefghijklmnopqrstuvwxyz");
	return table;
}

/* What a table cannot do without stays whole: numbers, and the first 16 columns of text. */
static void test_narrow_terminal(void **state)
{
	assert_printed(wide(), (struct table_output){ .style = TABLE_TEXT, .width = 10 },
		       "path                          number meaning\n"
		       "---------------- ------------------- ----------------\n"
		       "/a/path/longer/t 1234567890123456789 abcdefghijklmnop\n"
		       "                                     qrstuvwxyz\n");
}

static void test_fits_the_terminal(void **state)
{
	for (unsigned int width = 53; width < 90; width++) {
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

	table__column(table, "exe", ALIGN_LEFT);
	for (int i = 0; i < 5; i++) {
		static const size_t parents[] = { SIZE_MAX, 0, 1, 1, 0 };

		if (parents[i] == SIZE_MAX)
			table__row(table);
		else
			table__row_below(table, parents[i]);
		table__format(table, "%d", i);
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

	table__column(table, "exe", ALIGN_LEFT);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_narrow_terminal),
		cmocka_unit_test(test_fits_the_terminal),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_deep_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
