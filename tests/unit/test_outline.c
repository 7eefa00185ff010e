// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include "model/rows/fields.h"
#include "saved/outline.h"

static char *text_of(const char *before, const char *part, size_t times, const char *after)
{
	const size_t length = strlen(part);
	char *text = malloc(strlen(before) + times * length + strlen(after) + 1), *to = text;

	to = stpcpy(to, before);
	for (size_t i = 0; i < times; i++)
		to = stpcpy(to, part);
	strcpy(to, after);
	return text;
}

static void expect(char *text, enum outline expected, const char *why)
{
	char *reason = NULL;

	assert_int_equal(outline__check(text, &run_shape, &reason), expected);
	if (why)
		assert_string_equal(reason, why);
	else
		assert_null(reason);
	free(reason);
	free(text);
}

static const struct {
	const char *path;
	const struct shape *shape;
} documents[] = {
	{ "anatomy.json", &run_shape },
	{ "arm64.json", &run_shape },
	{ "bench/arm64.json", &bench_shape },
	{ "bench/fork.json", &bench_shape },
	{ "bench/other.json", &bench_shape },
	{ "bench/serve.json", &bench_shape },
	{ "bench/spawn-sizes.json", &bench_shape },
	{ "bench/spawn.json", &bench_shape },
	{ "bindnow/forkloop.json", &comparison_shape },
	{ "bindnow/static.json", &comparison_shape },
	{ "busy.json", &run_shape },
	{ "cgroups.json", &run_shape },
	{ "check/pool.json", &baseline_shape },
	{ "compare/moved.json", &run_shape },
	{ "compare/repeated.json", &comparison_shape },
	{ "compare/three.json", &comparison_shape },
	{ "critical-path.json", &run_shape },
	{ "doctor/everything.json", &doctor_shape },
	{ "doctor/nothing.json", &doctor_shape },
	{ "doctor/root.json", &doctor_shape },
	{ "doctor/user.json", &doctor_shape },
	{ "files-processes.json", &run_shape },
	{ "files.json", &run_shape },
	{ "forks.json", &run_shape },
	{ "histogram.json", &run_shape },
	{ "hostile.json", &run_shape },
	{ "inexact.json", &run_shape },
	{ "lines.json", &run_shape },
	{ "machine.json", &run_shape },
	{ "stacks.json", &run_shape },
	{ "start.json", &run_shape },
	{ "strace-table.json", &run_shape },
	{ "strace.json", &run_shape },
	{ "table-of-calls.json", &run_shape },
	{ "tree-times.json", &run_shape },
	{ "tree.json", &run_shape },
	{ "true.json", &run_shape },
};

/* Each document that was saved is good, and whatever it is cut to is cut. */
static void saved_documents_are_good(void **state)
{
	for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		char path[256], *text, *reason = NULL;
		size_t length;

		snprintf(path, sizeof(path), GOLDEN "/%s", documents[i].path);
		text = slurp(path);
		if (outline__check(text, documents[i].shape, &reason) != OUTLINE_GOOD)
			fail_msg("%s: %s", path, reason ? reason : "no JSON");
		for (length = strrchr(text, '}') - text; length > 0; length -= length > 9973 ? 9973 : length) {
			text[length] = '\0';
			if (outline__check(text, documents[i].shape, &reason) != OUTLINE_CUT)
				fail_msg("%s, %zu bytes: %s", path, length, reason ? reason : "not cut");
		}
		free(text);
	}
}

static void what_is_none_is_refused(void **state)
{
	expect(strdup("{}"), OUTLINE_WRONG, "\"version\" is missing");
	expect(strdup("[]"), OUTLINE_NO_JSON, NULL);
	expect(strdup("{\"processes\":[{}"), OUTLINE_WRONG, "\"id\" is missing");
	expect(text_of("{\"processes\":{", "\"x\":0,", 70000, ""), OUTLINE_WRONG,
	       "\"processes\" is more than forktax saves there");
	expect(text_of("{\"command\":[", "[],", 70000, ""), OUTLINE_WRONG, "\"command\" is more than forktax saves there");
	expect(text_of("{\"version\":", "[", 70000, ""), OUTLINE_WRONG, "\"version\" is more than forktax saves there");
	expect(strdup("{\"version\" 0"), OUTLINE_NO_JSON, NULL);
	expect(strdup("{\"x\":]"), OUTLINE_NO_JSON, NULL);
	expect(text_of("{\"x\":[", "0,", 60000, ""), OUTLINE_CUT, NULL);
	expect(text_of("{\"x\":[", "0,", 70000, ""), OUTLINE_WRONG, "\"x\" is more than forktax saves there");
	expect(text_of("{", "\"x\":0,", 70000, ""), OUTLINE_WRONG, "\"x\" is more than forktax saves there");
	expect(text_of("{\"x\":", "[", 70000, ""), OUTLINE_WRONG, "\"x\" is more than forktax saves there");
	expect(text_of("{\"x\":\"", "\\\"", 70000, "\""), OUTLINE_CUT, NULL);
}

static void schemas_are_found(void **state)
{
	static const struct {
		const char *text, *schema;
		enum outline outline;
	} cases[] = {
		{ "{\"schema\":\"forktax/1\",", "forktax/1", OUTLINE_GOOD },
		{ "{\"a\":{\"schema\":\"no\"},\"schema\":\"forktax\\/1\"", "forktax/1", OUTLINE_GOOD },
		{ "{\"a\":[1,{\"b\":\"]}\"}],\"c\":", NULL, OUTLINE_CUT },
		{ "{\"a\":1}", NULL, OUTLINE_GOOD },
		{ "{\"schema\":1}", NULL, OUTLINE_GOOD },
		{ "{{", NULL, OUTLINE_NO_JSON },
		{ "", NULL, OUTLINE_CUT },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *schema;

		assert_int_equal(outline__schema(cases[i].text, &schema), cases[i].outline);
		if (cases[i].schema)
			assert_string_equal(schema, cases[i].schema);
		else
			assert_null(schema);
		free(schema);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(saved_documents_are_good),
		cmocka_unit_test(what_is_none_is_refused),
		cmocka_unit_test(schemas_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
