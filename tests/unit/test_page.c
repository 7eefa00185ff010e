// SPDX-License-Identifier: GPL-2.0-or-later
/* Pages: what becomes of text, of tables and of what was saved. */
#include "unit.h"

#include <string.h>

#include "base/memory.h"
#include "format/html/html_page.h"
#include "format/html/svg.h"
#include "format/wrap.h"

static char *text;
static size_t size;

static void assert_holds(const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in %s", part, strstr(text, "<body>"));
}

static void assert_lacks(const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" is in %s", part, strstr(text, part));
}

static void test_text_is_escaped(void **state)
{
	FILE *stream = open_memstream(&text, &size);
	struct html_page *page = html_page__new(stream);
	struct table_output output = html_page__output(page);

	html_page__title(page, "<title>&\"\033");
	fputs("<b>&\"\nsecond\n\n<i>\033[1m\n", output.stream);
	wrap__title("<h2>\n", &output);
	wrap__print("<label>", "<words> \xff", 0, 8, &output);
	html_page__finish(page);
	fclose(stream);
	assert_holds("<title>&lt;title&gt;&amp;&quot;\\x1b - forktax</title>");
	assert_holds("<h1>&lt;title&gt;&amp;&quot;\\x1b</h1>");
	assert_holds("<p>&lt;b&gt;&amp;&quot;\nsecond</p>\n<p>&lt;i&gt; [1m</p>");
	assert_holds("<h2>&lt;h2&gt;\\x0a</h2>");
	assert_holds("<p>&lt;label&gt; &lt;words&gt; \\xff</p>");
	assert_lacks("\033");
	assert_lacks("<b>");
	assert_lacks("id=\"saved\"");
	free(text);
}

static void test_tables(void **state)
{
	FILE *stream = open_memstream(&text, &size);
	struct html_page *page = html_page__new(stream);
	struct table_output output = html_page__output(page);
	struct table *table = table__new("A <table>");

	table__column(table, "name", COLUMN_TEXT);
	table__column(table, "calls", COLUMN_COUNT);
	table__rule(table);
	table__named_row(table, "<script>");
	table__count(table, 7);
	table__rule(table);
	table__named_row(table, "total");
	table__count(table, UINT64_MAX);
	table__show(table, &output);
	html_page__finish(page);
	fclose(stream);
	assert_holds("<h2>A &lt;table&gt;</h2>");
	assert_holds("<th scope=\"col\">name</th><th scope=\"col\" class=\"n\">calls</th>");
	assert_holds("<tbody>\n<tr><td>&lt;script&gt;</td><td class=\"n\">7</td></tr>\n</tbody>\n"
		     "<tbody>\n<tr><td>total</td><td class=\"n\">-</td></tr>\n</tbody>");
	free(text);
}

static void test_lines_keep_their_columns(void **state)
{
	FILE *stream = open_memstream(&text, &size);
	struct html_page *page = html_page__new(stream);
	struct table_output output = html_page__output(page), picture;

	picture = picture__begin(&output);
	fputs("a    <b\n\n  c\n", picture.stream);
	picture__end(&output);
	fputs("after\n", output.stream);
	html_page__finish(page);
	fclose(stream);
	assert_holds("<pre>a    &lt;b\n\n  c\n</pre>\n<p>after</p>");
	free(text);
}

static void test_hints_are_escaped_line_by_line(void **state)
{
	FILE *stream = open_memstream(&text, &size);

	svg__mark(stream, "c1", 0, 0, 12.25, 3, "<a>\n\033\"b");
	fclose(stream);
	assert_string_equal(
		text, "<rect class=\"mark c1\" x=\"0\" y=\"0\" width=\"12.2\" height=\"3\"><title>"
		      "&lt;a&gt;\n\\x1b&quot;b</title></rect>\n");
	free(text);
}

/* Each bar where the one before ends; intervals and labels. */
static void test_bars(void **state)
{
	FILE *stream = open_memstream(&text, &size);
	struct html_page *page = html_page__new(stream);
	struct bar_chart chart = { .label = "<chart>" };
	struct bar *bar = bar_chart__add(&chart);

	bar->label = strdup("<one>");
	bar->text = strdup("3");
	bar->value = 3;
	bar = bar_chart__add(&chart);
	bar->start = 3;
	bar->value = 1;
	bar->same_line = true;
	bar->hint = strdup("rest");
	bar->class = "c1";
	bar_chart__draw(&chart, "below", page);
	assert_int_equal(chart.count, 0);
	html_page__finish(page);
	fclose(stream);
	assert_holds("aria-label=\"&lt;chart&gt;\"");
	assert_holds("viewBox=\"0 0 1000 22\"");
	assert_holds("<text x=\"0\" y=\"15\">&lt;one&gt;</text>");
	assert_holds("<rect class=\"mark c4\" x=\"45\" y=\"4\" width=\"696\" "
		     "height=\"14\"><title>3</title>");
	assert_holds("<rect class=\"mark c1\" x=\"741\" y=\"4\" width=\"232\" "
		     "height=\"14\"><title>rest</title>");
	assert_holds("<figcaption>below</figcaption>");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_is_escaped),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_lines_keep_their_columns),
		cmocka_unit_test(test_hints_are_escaped_line_by_line),
		cmocka_unit_test(test_bars),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
