// SPDX-License-Identifier: GPL-2.0-or-later
/* What is no saved run, or contradicts itself, is refused with a reason on one line. */
#include "run_text.h"

static void test_truncated_anywhere(void **state)
{
	char *text = slurp(GOLDEN "/true.json");
	size_t length = strrchr(text, '}') - text;

	assert_refused(text, 0, "empty");
	for (size_t kept = 1; kept <= length; kept++)
		assert_refused(text, kept, "cut off");
	free(text);
}

static const struct damage damages_of_forks[] = {
	/* schema */
	{ "forktax/1", "forktax/2", "another version" },
	{ "forktax/1", "perf", "not a saved run" },
	{ "\"schema\"", "\"scheme\"", "not a saved run" },
	/* JSON */
	{ "\"wall_ns\":", "\"wall_ns\":1,\"wall_ns\":", "twice" },
	{ "\"wall_ns\":", "\"wall_ns\" ", "not JSON" },
	{ "\"source\":\"ebpf\"", "\"source\":\"\xff\"", "not JSON" },
	{ "45678901", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]", "nested" },
	{ "45678901", "NaN", "\"wall_ns\"" },
	/* values; types and ranges of each member: test_saved_fields.c */
	{ "\"command\":[", "\"command\":[1,", "not of type string" },
	{ "\"attached\":[]", "\"attached\":[-3]", "\"attached\"" },
	{ "\"signal\":null", "\"signal\":9", "both a status and a signal" },
	{ "\"kernel\":\"6", "\"kernel\":\"\\u00006", "U+0000" },
	{ "\"syscall_times\":\"counted\"", "\"syscall_times\":\"perhaps\"", "does not know" },
	{ "\"abi\":\"x86_64\"", "\"abi\":\"vax\"", "\"abi\"" },
	{ "\"birth\":\"vfork\"", "\"birth\":\"egg\"", "groups[1]: \"birth\"" },
	{ "\"fate_exe\":1", "\"fate_exe\":2", "groups[1]: \"fate_exe\" is 2" },
	{ "\"parent_exe\":0", "\"parent_exe\":-1", "groups[0]" },
	{ "\"group\":1", "\"group\":77", "processes[2]: \"group\" is 77" },
	{ "\"groups\":[", "\"groups\":[5,", "groups[0]: is not of type object" },
	{ "\"images\":[", "\"images\":[5,", "\"images\"" },
	{ "{\"id\":2,\"parent\":1", "{\"id\":2,\"parent\":2", "processes[1]" },
	{ "\"end_ns\":523000", "\"end_ns\":3", "before it starts" },
	/* what the source sees */
	{ "\"process_faults\":\"counted\"", "\"process_faults\":\"not counted\"", "but not the whole" },
	{ "\"actors\":\"counted\"", "\"actors\":\"not counted\"", "but not the whole" },
	/* sums */
	{ "\"syscalls\":480", "\"syscalls\":481", "do not add up" },
	{ "\"total\":2220", "\"total\":2221", "do not add up" },
	{ "\"cow_copy\":919", "\"cow_copy\":920", "cow_copy" },
	{ "\"kernel_mode\":313", "\"kernel_mode\":312", "kernel_mode" },
	{ "\"calls\":104", "\"calls\":105", "calls of" },
	{ "\"calls\":2,\"by_actor\":{\"ld.so\":2}", "\"calls\":3,\"by_actor\":{\"ld.so\":2}",
	  "calls of" },
	{ "\"calls\":2,\"by_actor\":{\"ld.so\":2}", "\"calls\":1,\"by_actor\":{\"ld.so\":1}",
	  "the errnos of openat do not add up" },
	{ "\"calls\":2,\"by_actor\":{\"ld.so\":2}", "\"calls\":2,\"by_actor\":{\"program\":2}",
	  "the errnos of openat do not add up" },
	{ "\"unfinished\":104", "\"unfinished\":103", "unfinished of" },
	{ "\"unfinished\":104,\"errnos\":[],\"by_actor\":{\"program\":{\"calls\":104,\"errors\":0,"
	  "\"denied\":0,\"time_ns\":0,\"unfinished\":104",
	  "\"unfinished\":105,\"errnos\":[],\"by_actor\":{\"program\":{\"calls\":104,\"errors\":0,"
	  "\"denied\":0,\"time_ns\":0,\"unfinished\":105",
	  "never returned" },
	{ "\"median\":21", "\"median\":99", "groups[1]" },
	{ "\"exact\":true,\"storage_failures\":0", "\"exact\":true,\"storage_failures\":1",
	  "exact" },
};

static const struct damage damages_of_strace[] = {
	{ "\"fault_classes\":\"not supported\"", "\"fault_classes\":\"counted\"", "but not the whole" },
	{ "\"clock\":\"counted\"", "\"clock\":\"perhaps\"", "does not know" },
	{ "\"by_any\":{\"calls\":104", "\"by_any\":{\"calls\":103", "sum" },
	{ "\"major\":0", "\"major\":2221", "more major" },
};

static const struct damage damages_of_start[] = {
	{ "\"left_out\":0,\"left_out_errors\"", "\"left_out\":1,\"left_out_errors\"", "of the start have 126 calls" },
	{ "\"image_faults\":62", "\"image_faults\":63", "of the start have 61 faults" },
	{ "\"exit_ns\":1609464,\"end_ns\":1619486", "\"exit_ns\":1609464,\"end_ns\":1619487",
	  "of the start take 1619486 ns" },
};

static const struct damage damages_of_files[] = {
	{ "\"opened\":{\"calls\":2", "\"opened\":{\"calls\":3", "files were opened in" },
	{ "\"looked_at\":{\"calls\":1,\"errors\":0", "\"looked_at\":{\"calls\":1,\"errors\":2",
	  "more errors than calls" },
	{ "{\"errno\":2,\"calls\":3}", "{\"errno\":2,\"calls\":2}", "by errno" },
	{ "\"by_ldso\":{\"looked_at\":{\"calls\":1", "\"by_ldso\":{\"looked_at\":{\"calls\":9",
	  "has more uses of a file" },
	{ "\"path\":\"/etc/ld.so.preload\"", "\"path\":null", "contradict" },
};

static const struct damage damages_of_tree[] = {
	{ "\"fate\":null,\"fate_exe\":null,\"children\":1",
	  "\"fate\":null,\"fate_exe\":null,\"children\":\"1\"", "groups[0]" },
};

static void test_damaged(void **state)
{
	refuse_damages(GOLDEN "/forks.json", "", damages_of_forks, ARRAY_LENGTH(damages_of_forks));
	refuse_damages(GOLDEN "/strace.json", "", damages_of_strace, ARRAY_LENGTH(damages_of_strace));
	refuse_damages(GOLDEN "/start.json", "", damages_of_start, ARRAY_LENGTH(damages_of_start));
	refuse_damages(GOLDEN "/files.json", "", damages_of_files, ARRAY_LENGTH(damages_of_files));
	refuse_damages(GOLDEN "/tree.json", "", damages_of_tree, ARRAY_LENGTH(damages_of_tree));
}

static void test_foreign(void **state)
{
	static const char *const texts[] = { "{}", "[]", "null", "1", "\"forktax/1\"",
					     "{\"schema\":7}", "hello\n", "\x7f"
								      "ELF" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(texts[i], strlen(texts[i]), "");
}

static void test_text_after_the_run(void **state)
{
	char *text = slurp(GOLDEN "/true.json");
	char *longer;

	assert_true(asprintf(&longer, "%s{}", text) > 0);
	assert_refused(longer, strlen(longer), "not JSON");
	free(text);
	free(longer);
}

/* What takes hundreds of bytes of memory for each of its own, as any list of empty ones, is not parsed. */
static void test_crowded(void **state)
{
	static const char *const values[] = { "{},", "[],", "0,", "\"\",[0]," };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const size_t length = strlen(values[i]), count = (1 << 18) / length + 1;
		char *text = calloc(count * length + 16, 1), *end = stpcpy(text, "{\"x\":[");

		for (size_t n = 0; n < count; n++)
			end = stpcpy(end, values[i]);
		strcpy(end, "0]}");
		assert_refused(text, strlen(text), "more values");
		assert_refused(text, 1 << 16, "cut off");
		free(text);
	}
}

static void test_unreadable(void **state)
{
	FILE *directory = fopen("/", "r");
	char *reason;

	assert_null(read_run(directory, &reason));
	assert_string_equal(reason, "Is a directory");
	free(reason);
	fclose(directory);
}

static void test_any_byte_changed(void **state)
{
	char *text = slurp(GOLDEN "/true.json");

	change_bytes(text, 0, 1);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truncated_anywhere), cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_foreign),		   cmocka_unit_test(test_text_after_the_run),
		cmocka_unit_test(test_crowded),		   cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_any_byte_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
