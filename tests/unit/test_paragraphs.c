// SPDX-License-Identifier: GPL-2.0-or-later
/* Wrapped text, bars, and tables whose last column is wrapped. */
#include "unit.h"

#include <locale.h>
#include <math.h>

#include "format/wrap.h"

static char *text;
static size_t size;

static struct table_output output_of(unsigned int width)
{
	return (struct table_output){ .stream = open_memstream(&text, &size), .width = width };
}

static void assert_text(struct table_output *output, const char *expected)
{
	fclose(output->stream);
	assert_string_equal(text, expected);
	free(text);
}

static void test_wrap(void **state)
{
	struct table_output output = output_of(20);

	wrap__print("A1", "one two three four  five", 0, 4, &output);
	assert_text(&output, "A1  one two three\n    four five\n");
	output = output_of(12);
	wrap__print(NULL, "a-word-longer-than-the-line and", 2, 4, &output);
	assert_text(&output, "    a-word-longer-than-the-line\n    and\n");
	output = output_of(20);
	wrap__print("label", "text", 0, 4, &output); /* no room for the label */
	assert_text(&output, "label text\n");
	output = output_of(0);
	wrap__print("\033[1m", "\n", 0, 8, &output);
	assert_text(&output, "\\x1b[1m \\x0a\n");
	output = output_of(0);
	wrap__print("A", NULL, 0, 4, &output);
	assert_text(&output, "A\n");
}

static void assert_bar(double share, bool utf8, const char *expected)
{
	char *bar = bar__text(share, 4, utf8);

	assert_string_equal(bar, expected);
	free(bar);
}

static void test_bar(void **state)
{
	assert_bar(0.5, false, "##");
	assert_bar(0.5, true, "██");
	assert_bar(0.40625, true, "█▋"); /* 13 eighths */
	assert_bar(0, true, "");
	assert_bar(-1, false, "");
	assert_bar(NAN, true, "");
	assert_bar(7, false, "####");
}

static void test_last_column(void **state)
{
	struct table *table = table__new(NULL);
	struct table_output output = output_of(24);

	table__column(table, "n", COLUMN_COUNT);
	table__column(table, "text", COLUMN_TEXT);
	table__row(table);
	table__text(table, "7");
	table__text(table, "between words it breaks, not in them");
	table__row(table);
	table__text(table, "8");
	table__text(table, "aWordThatIsLongerThanTheLineIs");
	table__print(table, &output);
	assert_text(&output, "n text\n"
			     "7 between words it\n"
			     "  breaks, not in them\n"
			     "8 aWordThatIsLongerThanTheLineIs\n");
	table__free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_bar),
		cmocka_unit_test(test_last_column),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
