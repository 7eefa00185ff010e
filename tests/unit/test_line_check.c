// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines that interpreters told, against the text of the file: which stay, which move, and which are not sure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "resolve/lines/line_check.h"

static char *makefile[] = {
	"all: a b",
	"define T",
	"$(1):",
	"\techo template",
	"endef",
	"$(eval $(call T,a))",
	"b:",
	"\techo one # x",
	"",
	"# none",
	"\techo two",
	"ifeq (a,b)",
	"\techo twice",
	"endif",
	"\techo twice",
	"c d: ; echo three",
	"$(eval $(call T,b))",
	"e:",
	"\techo five",
};

static uint64_t looks_left = 1000;

static struct script_line weigh(char **texts, size_t count, struct script_line line)
{
	uint64_t looks = looks_left;
	const struct texts_of_lines lines = { texts, count, &looks };

	line.source = SCRIPT_FILE;
	line_check__weigh(&line, texts ? &lines : NULL);
	return line;
}

static void check_recipe(char *recipe, uint32_t said, enum line_certainty certainty, uint32_t line)
{
	const struct script_line found = weigh(makefile, sizeof(makefile) / sizeof(makefile[0]), (struct script_line){
		.language = LANGUAGE_MAKE, .line = said, .recipe = recipe });

	assert_int_equal(found.certainty, certainty);
	assert_int_equal(found.line, line);
}

/* A makefile made to harm: too much would have to be compared, so nothing is claimed. */
static void test_looks_end(void **state)
{
	looks_left = 0;
	check_recipe("echo template", 7, LINE_UNSURE, 0);
	looks_left = 1000;
}

static void test_recipes(void **state)
{
	check_recipe("echo one # x", 8, LINE_EXACT, 8);
	check_recipe("echo three", 16, LINE_EXACT, 16);
	check_recipe("echo two", 9, LINE_EXACT, 11); /* make does not count what it leaves out */
	check_recipe("echo twice", 10, LINE_UNSURE, 0); /* it is one of two */
	check_recipe("echo two", 16, LINE_UNSURE, 0); /* another rule has it */
	check_recipe("echo template", 7, LINE_BELOW, 6);
	check_recipe("echo template", 6, LINE_BELOW, 6);
	check_recipe("echo template", 18, LINE_UNSURE, 0); /* of which of two evals? */
	check_recipe("echo one", 8, LINE_BELOW, 6); /* a beginning is another command */
	check_recipe("echo five", 99, LINE_UNSURE, 0); /* behind the end */
}

static void test_shells(void **state)
{
	static char *texts[] = { "V := $(shell x)", "V != x", "$(eval $(V))", "all:", "\ttrue", "\techo $(V)",
				 "V = x \\", "  $(V)", "\ttrue" };
	static const enum line_certainty exact[] = { LINE_EXACT, LINE_EXACT, LINE_EXACT, LINE_UNSURE, LINE_EXACT,
						     LINE_EXACT, LINE_EXACT, LINE_EXACT, LINE_UNSURE };
	const size_t count = sizeof(texts) / sizeof(texts[0]);

	for (uint32_t i = 0; i < count; i++) {
		struct script_line line = { .language = LANGUAGE_MAKE, .line = i + 1 };

		assert_int_equal(weigh(texts, count, line).certainty, exact[i]);
		line.certainty = LINE_BELOW;
		assert_int_equal(weigh(texts, count, line).certainty, i == 2 ? LINE_EXACT : LINE_UNSURE);
		assert_int_equal(weigh(NULL, 0, line).certainty, LINE_UNSURE);
	}
}

static void test_functions(void **state)
{
	static char *texts[] = {
		"f() {", "  x", "}", "function g", "{", "x", "}", "eval 'h() {", "x", "}'", "f", "x", "i ()", "{ x", "}",
		"my-f() {", "x", "}",
	};
	static const struct {
		char *function;
		uint32_t begins;
		enum line_certainty certainty;
	} cases[] = {
		{ "f", 1, LINE_EXACT }, { "g", 5, LINE_EXACT },	 { "h", 8, LINE_UNSURE }, { "f", 11, LINE_UNSURE },
		{ "i", 14, LINE_EXACT }, { "f", 16, LINE_UNSURE }, { "my-f", 16, LINE_EXACT }, { "f", 40, LINE_UNSURE },
		{ NULL, 0, LINE_EXACT },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct script_line line = { .language = LANGUAGE_BASH, .line = 2, .function = cases[i].function,
						  .function_line = cases[i].begins };

		assert_int_equal(weigh(texts, sizeof(texts) / sizeof(texts[0]), line).certainty, cases[i].certainty);
		assert_int_equal(weigh(NULL, 0, line).certainty, LINE_EXACT);
	}
}

/* An interactive bash counts lines of a function from where it begins; no comment and no empty line forks. */
static void test_lines_of_functions(void **state)
{
	static char *texts[] = { "# one", "", "true", "f() {", "  x", "  # two", "  y", "}" };
	static const struct {
		char *function;
		uint32_t begins, said, line;
		enum line_certainty certainty;
	} cases[] = {
		{ "f", 4, 2, 5, LINE_EXACT }, { "f", 4, 3, 0, LINE_UNSURE }, { "f", 4, 5, 5, LINE_EXACT },
		{ "f", 4, 6, 0, LINE_UNSURE }, { NULL, 0, 1, 0, LINE_UNSURE }, { NULL, 0, 2, 0, LINE_UNSURE },
		{ NULL, 0, 3, 3, LINE_EXACT }, { NULL, 0, 9, 0, LINE_UNSURE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct script_line line = { .language = LANGUAGE_BASH, .line = cases[i].said,
						  .function = cases[i].function, .function_line = cases[i].begins };
		const struct script_line found = weigh(texts, sizeof(texts) / sizeof(texts[0]), line);

		assert_int_equal(found.certainty, cases[i].certainty);
		assert_int_equal(found.line, cases[i].line);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recipes), cmocka_unit_test(test_looks_end),
		cmocka_unit_test(test_shells),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_lines_of_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
