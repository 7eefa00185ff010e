// SPDX-License-Identifier: GPL-2.0-or-later
/* What is no saved run, or contradicts itself, is refused with a reason on one line. */
#include "run_text.h"

static void test_truncated_anywhere(void **state)
{
	char *text = slurp(GOLDEN "/true.json");
	size_t length = strrchr(text, '}') - text;

	assert_rejected(text, 0, "empty");
	for (size_t kept = 1; kept <= length; kept++)
		assert_rejected(text, kept, "cut off");
	free(text);
}

/* Replaces the first `from` in a saved run that is otherwise good. */
struct damage {
	const char *file, *from, *to, *reason;
};

static const struct damage damages[] = {
	/* schema */
	{ "forks", "forktax/1", "forktax/2", "another version" },
	{ "forks", "forktax/1", "perf", "not a saved run" },
	{ "forks", "\"schema\"", "\"scheme\"", "not a saved run" },
	/* JSON */
	{ "forks", "\"wall_ns\":", "\"wall_ns\":1,\"wall_ns\":", "twice" },
	{ "forks", "\"wall_ns\":", "\"wall_ns\" ", "not JSON" },
	{ "forks", "\"source\":\"ebpf\"", "\"source\":\"\xff\"", "not JSON" },
	{ "forks", "45678901", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]", "nested" },
	{ "forks", "45678901", "NaN", "\"wall_ns\"" },
	/* values; types and ranges of each member: test_saved_fields.c */
	{ "forks", "\"command\":[", "\"command\":[1,", "not of type string" },
	{ "forks", "\"attached\":[]", "\"attached\":[-3]", "\"attached\"" },
	{ "forks", "\"signal\":null", "\"signal\":9", "both a status and a signal" },
	{ "forks", "\"kernel\":\"6", "\"kernel\":\"\\u00006", "U+0000" },
	{ "forks", "\"syscall_times\":\"counted\"", "\"syscall_times\":\"perhaps\"", "does not know" },
	{ "forks", "\"abi\":\"x86_64\"", "\"abi\":\"vax\"", "\"abi\"" },
	{ "forks", "\"birth\":\"vfork\"", "\"birth\":\"egg\"", "groups[1]: \"birth\"" },
	{ "forks", "\"fate_exe\":1", "\"fate_exe\":2", "groups[1]: \"fate_exe\" is 2" },
	{ "forks", "\"parent_exe\":0", "\"parent_exe\":-1", "groups[0]" },
	{ "forks", "\"group\":1", "\"group\":77", "processes[2]: \"group\" is 77" },
	{ "forks", "\"groups\":[", "\"groups\":[5,", "groups[0]: is not of type object" },
	{ "forks", "\"images\":[", "\"images\":[5,", "\"images\"" },
	{ "forks", "{\"id\":2,\"parent\":1", "{\"id\":2,\"parent\":2", "processes[1]" },
	{ "forks", "\"end_ns\":523000", "\"end_ns\":3", "before it starts" },
	/* what the source sees */
	{ "forks", "\"process_faults\":\"counted\"", "\"process_faults\":\"not counted\"", "but not the whole" },
	{ "forks", "\"actors\":\"counted\"", "\"actors\":\"not counted\"", "but not the whole" },
	{ "strace", "\"fault_classes\":\"not supported\"", "\"fault_classes\":\"counted\"", "but not the whole" },
	{ "strace", "\"life\":\"counted\"", "\"life\":\"perhaps\"", "does not know" },
	{ "strace", "\"by_any\":{\"calls\":104", "\"by_any\":{\"calls\":103", "sum" },
	{ "strace", "\"major\":0", "\"major\":2221", "more major" },
	/* the start of the other executable */
	{ "start", "\"name\":\"vhangup\",\"here\":0,\"there\":2",
	  "\"name\":\"vhangup\",\"here\":1,\"there\":2",
	  "do not sum" },
	{ "start", "\"name\":\"lseek\",\"here\":1,\"there\":1", "\"name\":\"lseek\",\"here\":2,\"there\":2",
	  "of the other start have 97 calls, its list 98" },
	{ "start", "\"name\":\"lseek\",\"here\":1,\"there\":1,\"differ\":[]",
	  "\"name\":\"lseek\",\"here\":2,\"there\":1,\"differ\":[{\"reason\":\"unknown\",\"path\":null,"
	  "\"path_cut\":false,\"subject\":null,\"here\":1,\"there\":0}]",
	  "not those of the list" },
	{ "start", "\"image_faults\":18", "\"image_faults\":19", "of the other start have 16 faults" },
	{ "start", "\"end_ns\":609000", "\"end_ns\":609001", "of the other start take 609000 ns" },
	/* files */
	{ "files", "\"opened\":{\"calls\":2", "\"opened\":{\"calls\":3", "files were opened in" },
	{ "files", "\"looked_at\":{\"calls\":1,\"errors\":0", "\"looked_at\":{\"calls\":1,\"errors\":2",
	  "more errors than calls" },
	{ "files", "{\"errno\":2,\"calls\":3}", "{\"errno\":2,\"calls\":2}", "by errno" },
	{ "files", "\"by_ldso\":{\"looked_at\":{\"calls\":1", "\"by_ldso\":{\"looked_at\":{\"calls\":9",
	  "has more uses of a file" },
	{ "files", "\"path\":\"/etc/ld.so.preload\"", "\"path\":null", "contradict" },
	/* sums */
	{ "forks", "\"syscalls\":480", "\"syscalls\":481", "do not add up" },
	{ "forks", "\"total\":2220", "\"total\":2221", "do not add up" },
	{ "forks", "\"cow_copy\":919", "\"cow_copy\":920", "cow_copy" },
	{ "forks", "\"kernel_mode\":313", "\"kernel_mode\":312", "kernel_mode" },
	{ "forks", "\"calls\":104", "\"calls\":105", "calls of" },
	{ "forks", "\"calls\":2,\"by_actor\":{\"ld.so\":2}", "\"calls\":3,\"by_actor\":{\"ld.so\":2}",
	  "calls of" },
	{ "forks", "\"calls\":2,\"by_actor\":{\"ld.so\":2}", "\"calls\":1,\"by_actor\":{\"ld.so\":1}",
	  "the errnos of openat do not add up" },
	{ "forks", "\"calls\":2,\"by_actor\":{\"ld.so\":2}", "\"calls\":2,\"by_actor\":{\"program\":2}",
	  "the errnos of openat do not add up" },
	{ "forks", "\"unfinished\":104", "\"unfinished\":103", "unfinished of" },
	{ "forks",
	  "\"unfinished\":104,\"errnos\":[],\"by_actor\":{\"program\":{\"calls\":104,\"errors\":0,"
	  "\"denied\":0,\"time_ns\":0,\"unfinished\":104",
	  "\"unfinished\":105,\"errnos\":[],\"by_actor\":{\"program\":{\"calls\":104,\"errors\":0,"
	  "\"denied\":0,\"time_ns\":0,\"unfinished\":105",
	  "never returned" },
	{ "forks", "\"median\":21", "\"median\":99", "groups[1]" },
	{ "forks", "\"exact\":true,\"storage_failures\":0", "\"exact\":true,\"storage_failures\":1",
	  "exact" },
	{ "tree", "\"fate\":null,\"fate_exe\":null,\"children\":1",
	  "\"fate\":null,\"fate_exe\":null,\"children\":\"1\"", "groups[0]" },
};

static void test_damaged(void **state)
{
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		const struct damage *damage = &damages[i];
		char *path, *text, *at;

		assert_true(asprintf(&path, "%s/%s.json", GOLDEN, damage->file) > 0);
		text = slurp(path);
		at = strstr(text, damage->from);
		if (!at)
			fail_msg("%s has no %s", path, damage->from);
		assert_damage_rejected(text, at, damage->from, damage->to, damage->reason);
		free(path);
		free(text);
	}
}

static void test_foreign(void **state)
{
	static const char *const texts[] = { "{}", "[]", "null", "1", "\"forktax/1\"",
					     "{\"schema\":7}", "hello\n", "\x7f"
								      "ELF" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_rejected(texts[i], strlen(texts[i]), "");
}

static void test_text_after_the_run(void **state)
{
	char *text = slurp(GOLDEN "/true.json");
	char *longer;

	assert_true(asprintf(&longer, "%s{}", text) > 0);
	assert_rejected(longer, strlen(longer), "not JSON");
	free(text);
	free(longer);
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
		cmocka_unit_test(test_unreadable),	   cmocka_unit_test(test_any_byte_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
