// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved is read again: nothing lost, nothing changed. */
#include "base/text.h"
#include "run_text.h"

static void round_trip(void **state)
{
	char *text = slurp(*state);
	struct run *run = read_text(text);
	char *again = written(run);

	assert_string_equal(again, text);
	run__free(run);
	free(again);
	free(text);
}

static void test_empty_run(void **state)
{
	struct run *run = run__new();
	char *first = written(run);
	struct run *copy = read_text(first);
	char *second = written(copy);

	assert_string_equal(first, second);
	assert_int_equal(copy->status, -1);
	assert_true(copy->integrity.exact);
	run__free(run);
	run__free(copy);
	free(first);
	free(second);
}

static void cut_out(char *text, const char *piece)
{
	size_t length = strlen(piece);

	for (char *found; (found = strstr(text, piece));)
		memmove(found, found + length, strlen(found + length) + 1);
}

/* A saved run with these pages instead of its own; "": it does not say. To be freed. */
static char *run_with_pages(const char *member)
{
	static const char own[] = "\"page_bytes\":4096,\n";
	char *text = slurp(GOLDEN "/true.json"), *at = strstr(text, own), *changed;

	assert_non_null(at);
	changed = text__of("%.*s%s%s", (int)(at - text), text, member, at + strlen(own));
	free(text);
	return changed;
}

static void test_pages(void **state)
{
	static const struct {
		const char *member;
		uint64_t bytes;
	} cases[] = { { "\"page_bytes\":16384,", 16384 }, { "\"page_bytes\":null,", ABSENT } };
	char *text;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = read_text(text = run_with_pages(cases[i].member));

		assert_int_equal(run->machine.page_bytes, cases[i].bytes);
		run__free(run);
		free(text);
	}
	text = run_with_pages("");
	assert_refused(text, strlen(text), "\"page_bytes\" is missing");
	free(text);
	text = run_with_pages("\"page_bytes\":5000,");
	assert_refused(text, strlen(text), "no machine has pages of 5000 bytes");
	free(text);
}

/* A run saved before a counter was added to the dictionary. */
static void test_older_run(void **state)
{
	char *text = slurp(GOLDEN "/true.json");
	struct run *whole = read_text(text), *older;
	char *first = written(whole), *second;

	assert_non_null(strstr(text, "\"swap_in\":0,"));
	assert_non_null(strstr(text, "\"vma_busy\":0,"));
	cut_out(text, "\"swap_in\":0,");
	cut_out(text, "\"vma_busy\":0,");
	cut_out(text, "\"resolved\":null,");
	cut_out(text, ",\"faults\":\"counted\",\"process_faults\":\"counted\",\"actors\":\"counted\","
		      "\"denied\":\"counted\",\"life\":\"counted\",\"clock\":\"counted\"");
	older = read_text(text);
	second = written(older);
	assert_string_equal(first, second);
	run__free(whole);
	run__free(older);
	free(first);
	free(second);
	free(text);
}

static void test_values(void **state)
{
	char *text = slurp(GOLDEN "/forks.json");
	struct run *run = read_text(text);
	const struct syscall_row *row = syscall_table__find(&run->table, "openat", ABI_X86_64);

	assert_int_equal(run->totals[LIFE_FORKS], 103);
	assert_true(run->timed);
	assert_int_equal(run->origins[HAS_FAULT_CLASSES], ORIGIN_COUNTED);
	assert_int_equal(row->calls[ACTOR_LDSO], 30);
	assert_int_equal(row->errors[ACTOR_LDSO], 3);
	assert_int_equal(run->group_count, 2);
	assert_int_equal(run->groups[0].exec_target, NO_EXE);
	assert_int_equal(run->groups[1].of[METRIC_CLASS + FAULT_FILE_MAP].median, 33);
	assert_int_equal(run->faults.by[ACTOR_LDSO][FAULT_COW_COPY], 100);
	assert_int_equal(run->processes[0].group, NO_GROUP);
	assert_int_equal(run->processes[2].images[1].kind, IMAGE_EXEC);
	assert_true(run->processes[0].wpcopy == ABSENT);
	run__free(run);
	free(text);
}

static void test_errnos(void **state)
{
	char *text = slurp(GOLDEN "/forks.json");
	struct run *run = read_text(text);
	const struct syscall_row *row = syscall_table__find(&run->table, "openat", ABI_X86_64);
	const struct syscall_row *end = syscall_table__find(&run->table, "exit_group", ABI_X86_64);

	assert_true(run->outcomes);
	assert_int_equal(row->errno_count, 2);
	assert_string_equal(row->errnos[0].name, "ENOENT");
	assert_int_equal(row->errnos[0].calls[ACTOR_LDSO], 2);
	assert_string_equal(row->errnos[1].name, "EACCES");
	assert_int_equal(row->unfinished[ACTOR_LDSO], 0);
	assert_int_equal(end->unfinished[ACTOR_PROGRAM], 104);
	run__free(run);
	free(text);
}

/* A run of a version that did not know errnos: its errors stay, of unknown kinds. */
static void test_run_without_errnos(void **state)
{
	char *text = slurp(GOLDEN "/busy.json");
	struct run *run = read_text(text);
	const struct syscall_row *row = syscall_table__find(&run->table, "access", ABI_X86_64);

	assert_null(strstr(text, "outcomes"));
	assert_false(run->outcomes);
	assert_int_equal(row->errors[ACTOR_LDSO], 1);
	assert_int_equal(row->errno_count, 0);
	run__free(run);
	free(text);
}

static void test_text_is_made_valid(void **state)
{
	static const struct {
		const char *bytes, *saved;
	} cases[] = {
		{ "plain", "\"plain\"" },
		{ "a\xffz", "\"a\xef\xbf\xbdz\"" },
		{ "\xc3", "\"\xef\xbf\xbd\"" }, /* cut off */
		{ "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" }, /* not the shortest form */
		{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" }, /* surrogate */
		{ "\xc3\xb1", "\"\xc3\xb1\"" },
		{ "\x1b[1m\n\"\\", "\"\\u001b[1m\\n\\\"\\\\\"" },
		{ "/usr/bin", "\"/usr/bin\"" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = run__new();
		char *text;
		char expected[128];

		run->kernel = strdup(cases[i].bytes);
		text = written(run);
		snprintf(expected, sizeof(expected), "\"kernel\":%s,", cases[i].saved);
		assert_non_null(strstr(text, expected));
		run__free(run);
		run__free(read_text(text));
		free(text);
	}
}

static void test_full_disk(void **state)
{
	struct run *run = run__new();
	FILE *stream = fopen("/dev/full", "w");

	if (!stream)
		skip();
	assert_int_equal(saved__write_run(run, stream), -1);
	fclose(stream);
	run__free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(round_trip, GOLDEN "/true.json"),
		cmocka_unit_test_prestate(round_trip, GOLDEN "/forks.json"),
		cmocka_unit_test_prestate(round_trip, GOLDEN "/tree.json"),
		cmocka_unit_test_prestate(round_trip, GOLDEN "/hostile.json"),
		cmocka_unit_test_prestate(round_trip, GOLDEN "/inexact.json"),
		cmocka_unit_test_prestate(round_trip, GOLDEN "/anatomy.json"),
		cmocka_unit_test_prestate(round_trip, GOLDEN "/strace.json"),
		cmocka_unit_test(test_empty_run),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_older_run),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_errnos),
		cmocka_unit_test(test_run_without_errnos),
		cmocka_unit_test(test_text_is_made_valid),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
