// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <locale.h>

#include "format/escape.h"

static void assert_escaped(const char *text, bool utf8, const char *expected)
{
	char *escaped = escape__text(text, utf8);

	assert_string_equal(escaped, expected);
	free(escaped);
}

static void test_plain(void **state)
{
	assert_escaped("", true, "");
	assert_escaped(NULL, true, "");
	assert_escaped("/usr/bin/env -i ~", true, "/usr/bin/env -i ~");
	assert_escaped("\xc3\xb1 \xe6\x97\xa5 \xf0\x9f\x98\x80", true,
		       "\xc3\xb1 \xe6\x97\xa5 \xf0\x9f\x98\x80");
}

static void test_control(void **state)
{
	assert_escaped("\033[31m", true, "\\x1b[31m");
	assert_escaped("a\nb\tc\rd\x7f", true, "a\\x0ab\\x09c\\x0dd\\x7f");
	assert_escaped("\xc2\x9b", true, "\\xc2\\x9b"); /* CSI of ISO 8859-1 */
	assert_escaped("\xe2\x80\xae", true, "\\xe2\\x80\\xae"); /* right-to-left override */
}

/* U+200B, U+2060, U+FE0F, U+E0041, U+FFFE, U+1FFFF: nothing is seen of them. Accents and emoji are seen. */
static void test_hidden(void **state)
{
	assert_escaped("a\xe2\x80\x8b", true, "a\\xe2\\x80\\x8b");
	assert_escaped("\xe2\x81\xa0", true, "\\xe2\\x81\\xa0");
	assert_escaped("\xef\xb8\x8f", true, "\\xef\\xb8\\x8f");
	assert_escaped("\xf3\xa0\x81\x81", true, "\\xf3\\xa0\\x81\\x81");
	assert_escaped("\xef\xbf\xbe", true, "\\xef\\xbf\\xbe");
	assert_escaped("\xf0\x9f\xbf\xbf", true, "\\xf0\\x9f\\xbf\\xbf");
	assert_escaped("e\xcc\x81 \xef\xbf\xbd", true, "e\xcc\x81 \xef\xbf\xbd");
}

static void test_invalid(void **state)
{
	assert_escaped("\xff", true, "\\xff");
	assert_escaped("\xc3", true, "\\xc3");
	assert_escaped("\xe6\x97", true, "\\xe6\\x97");
	assert_escaped("\xc0\xaf", true, "\\xc0\\xaf");
	assert_escaped("\xed\xa0\x80", true, "\\xed\\xa0\\x80");
	assert_escaped("\xf4\x90\x80\x80", true, "\\xf4\\x90\\x80\\x80");
}

static void test_unambiguous(void **state)
{
	assert_escaped("\\x1b", true, "\\x5cx1b");
	assert_escaped("C:\\dir", true, "C:\\dir");
}

static void test_ascii_only(void **state)
{
	assert_escaped("\xc3\xb1", false, "\\xc3\\xb1");
}

static void test_width(void **state)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		skip();
	assert_int_equal(escape__width(""), 0);
	assert_int_equal(escape__width("abc"), 3);
	assert_int_equal(escape__width("\xc3\xb1"), 1);
	assert_int_equal(escape__width("\xe6\x97\xa5"), 2);
	assert_int_equal(escape__width("e\xcc\x81"), 1); /* combining accent */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),	    cmocka_unit_test(test_control),
		cmocka_unit_test(test_invalid),	    cmocka_unit_test(test_unambiguous),
		cmocka_unit_test(test_ascii_only),  cmocka_unit_test(test_width),
		cmocka_unit_test(test_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
