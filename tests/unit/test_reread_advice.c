// SPDX-License-Identifier: GPL-2.0-or-later
/* The rule about a file that is read again and again: speaks from its thresholds on. */
#include <string.h>

#include "advice_said.h"

#include "advice/run/run_advice.h"
#include "base/text.h"
#include "made.h"
#include "model/start/start.h"

enum { MS = 1000 * 1000, WALL = 1000 * MS };

/* A run whose program opens that file, as often, for so much of its time; says `words`, or nothing (NULL). */
static void check(const char *words, const char *path, uint64_t opened, uint64_t bytes, uint64_t ms)
{
	struct run *run = made_run(0);

	MADE_EXE(run, .path = checked_strdup("/usr/local/bin/tool"));
	MADE_PROCESS(run, .exe = 0);
	run->bill = checked_calloc(1, sizeof(*run->bill));
	MADE(run->bill->rows, run->bill->count, .kind = BILL_CODE, .exe = 0, .executed = true, .wall_ns = WALL, .call_nr = -1);
	run->bill->wall_ns = run->bill->cpu_ns = WALL;
	run->start = start__new();
	MADE(run->start->files, run->start->file_count, .directory = checked_strdup(""), .suffix = checked_strdup(""),
	     .again = checked_strdup("/etc/other"), .again_opened = 20, .again_bytes = 20 << 12, .again_ns = MS);
	MADE(run->start->files, run->start->file_count, .directory = checked_strdup(""), .suffix = checked_strdup(""),
	     .again = checked_strdup(path), .again_opened = opened, .again_bytes = bytes, .again_ns = ms * MS);
	run_advice__find(run, NULL, NULL);
	if (words)
		assert_says(ADVICE_OF(run, "R17"), words);
	else
		assert_null(ADVICE_OF(run, "R17"));
	run__free(run);
}

static void test_reread(void **state)
{
	(void)state;
	check("tool opens /proc/self/mountinfo 20 times and reads 80 KiB of it: again and again that takes 101 ms of the 1 s.",
	      "/proc/self/mountinfo", 20, 20 << 12, 106);
	check(NULL, "/proc/self/mountinfo", 20, 20 << 12, 105); /* once remains */
	check(NULL, "/proc/self/mountinfo", 19, 20 << 12, 900);
	check(NULL, "/proc/self/mountinfo", 20, (20 << 12) - 1, 900);
	check(NULL, "/dev/urandom", 20, 20 << 12, 900);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_reread) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
