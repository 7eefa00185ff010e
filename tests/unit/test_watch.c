// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A watch from its sample on: the textfile, and the line of JSON. What they must be stands in tests/golden/watch; with
 * FORKTAX_UPDATE=1 this writes it: read the difference.
 */
#include "unit.h"

#include "base/text.h"
#include "model/watch/watch.h"
#include "report/watch/watch_textfile.h"
#include "saved/saved.h"

static struct watch_sample *load(const char *name)
{
	char *path = text__of("%s/watch/%s.json", GOLDEN, name), *reason = NULL;
	struct saved saved;

	if (saved__load(path, &saved, &reason) < 0)
		fail_msg("%s: %s", path, reason);
	free(path);
	assert_int_equal(saved.family, SAVED_WATCH);
	return saved.watch_sample;
}

static void assert_golden(const char *name, const char *text)
{
	char *path = text__of("%s/watch/%s", GOLDEN, name), *expected;

	if (getenv("FORKTAX_UPDATE")) {
		FILE *file = fopen(path, "w");

		fputs(text, file);
		fclose(file);
	}
	expected = slurp(path);
	assert_string_equal(text, expected);
	free(expected);
	free(path);
}

static void check_textfile(const char *sample_name, const char *name)
{
	struct watch_sample *sample = load(sample_name);
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	watch_textfile__print(sample, "1.2.3", "6.1.0", stream);
	fclose(stream);
	assert_golden(name, text);
	free(text);
	watch_sample__free(sample);
}

static void test_textfile(void **state)
{
	check_textfile("classes", "classes.prom");
	check_textfile("totals", "totals.prom");
}

/* A line is what was read. */
static void test_line(void **state)
{
	struct watch_sample *sample = load("classes");
	char *path = text__of("%s/watch/classes.json", GOLDEN), *text = slurp(path), *line = watch_json__line(sample);

	assert_int_equal(strlen(line) + 1, strlen(text));
	assert_memory_equal(line, text, strlen(line));
	free(line);
	free(text);
	free(path);
	watch_sample__free(sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_textfile),
		cmocka_unit_test(test_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
