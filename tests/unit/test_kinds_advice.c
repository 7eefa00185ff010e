// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about lines, waits and files that are made again: each speaks from its thresholds on. */
#include <string.h>

#include "advice_said.h"

#include "advice/run/run_advice.h"
#include "base/text.h"
#include "made.h"
#include "model/stacks/stacks.h"
#include "model/start/start.h"

enum { MS = 1000 * 1000, WALL = 1000 * MS };

/* A run of a program whose bill has these two rows. */
static struct run *run_of(const char *path, enum bill_kind kind, uint64_t ms)
{
	struct run *run = made_run(0);

	MADE_EXE(run, .path = checked_strdup(path));
	MADE_PROCESS(run, .exe = 0);
	run->processes[0].id = 1;
	run->bill = checked_calloc(1, sizeof(*run->bill));
	MADE(run->bill->rows, run->bill->count, .kind = kind, .exe = kind < BILL_READY ? 0 : NO_EXE, .wall_ns = ms * MS,
	     .call_nr = -1);
	MADE(run->bill->rows, run->bill->count, .kind = BILL_CODE, .exe = 0, .executed = true, .call_nr = -1,
	     .wall_ns = WALL - ms * MS);
	run->bill->wall_ns = run->bill->cpu_ns = WALL;
	return run;
}

static void find(struct run *run, const struct run *of_files, const char *rule, const char *words)
{
	run_advice__find(run, of_files, NULL);
	if (words)
		assert_says(ADVICE_OF(run, rule), words);
	else
		assert_null(ADVICE_OF(run, rule));
	run__free(run);
}

/* It sleeps for so long on the critical path, in calls that wait for that. */
static void check_wait(const char *rule, const char *words, enum wait_for what, const char *object, uint64_t ms)
{
	struct run *files = run_of("/bin/tool", BILL_DEVICE, ms);
	struct critical_path *path = files->critical_path = checked_calloc(1, sizeof(*path));
	struct path_step *step;
	struct wait *wait;

	path->wall_ns = WALL;
	step = MADE(path->steps, path->step_count, .process = 1, .exe = 0, .end_ns = WALL);
	step->ns[PATH_PART_DEVICE] = ms * MS;
	files->files = checked_calloc(1, sizeof(*files->files));
	wait = MADE(files->files->waits, files->files->wait_count, .process = 1, .what = what, .call = "recvfrom",
		    .end_ns = ms * MS);
	snprintf(wait->object, sizeof(wait->object), "%s", object);
	find(run_of("/bin/tool", BILL_DEVICE, ms), files, rule, words);
	run__free(files);
}

static void test_waits(void **state)
{
	check_wait("R18", "tool waits 150 ms of the 1 s in 1 call of recvfrom() for 10.0.0.1:80.", WAIT_SOCKET, "10.0.0.1:80", 150);
	check_wait("R18", NULL, WAIT_SOCKET, "10.0.0.1:80", 149);
	check_wait("R18", "tool waits 150 ms of the 1 s in 1 call of recvfrom().", WAIT_TIMER, "", 150);
	check_wait("R18", NULL, WAIT_LOOKING, "", 900); /* a child is what it waits for */
	check_wait("R18", NULL, WAIT_REAP, "", 900);
	check_wait("R19", "up to 150 ms of the 1 s, the child had ended already.", WAIT_REAP, "", 150);
	check_wait("R19", NULL, WAIT_REAP, "", 149);
	check_wait("R19", NULL, WAIT_TIMER, "", 900);
}

/* So many sources are opened, so many files that keep what is made of them are missing, and it takes so long. */
static void check_cache(const char *words, const char *path, uint64_t opened, uint64_t missing, uint64_t ms)
{
	struct run *run = run_of(path, BILL_START, 1);

	run->start = start__new();
	MADE(run->start->files, run->start->file_count, .directory = checked_strdup("/lib/x"), .suffix = checked_strdup(".py"),
	     .opened = opened, .ns = ms * MS);
	MADE(run->start->files, run->start->file_count, .directory = checked_strdup("/lib/x/__pycache__"),
	     .suffix = checked_strdup(".pyc"), .missing = missing);
	find(run, NULL, "R20", words);
}

static void test_cache(void **state)
{
	check_cache("python3 opens 10 .py files, as files that keep what it makes of them are missing (5 .pyc): that takes "
		    "100 ms of the 1 s.", "/usr/bin/python3", 10, 5, 100);
	check_cache(NULL, "/usr/bin/python3", 9, 5, 100);
	check_cache(NULL, "/usr/bin/python3", 10, 4, 100);
	check_cache(NULL, "/usr/bin/python3", 10, 5, 99);
	check_cache(NULL, "/usr/bin/tool", 10, 5, 100);
}

/* A line of a script: its programs take so much of the path, of which they start for `start`; each has other arguments. */
struct line {
	uint64_t children, start_ms, all_ms;
	uint64_t rows, least_us, each_us; /* executions: the first one takes least */
};

static void check_line(const char *words, struct line line)
{
	struct run *run = run_of("/bin/bash", BILL_START, 1);
	struct critical_path *path = run->critical_path = checked_calloc(1, sizeof(*path));
	struct path_line *on_path;

	MADE_EXE(run, .path = checked_strdup("/bin/git"));
	MADE_GROUP(run, .parent_exe = 0, .exec_target = 1, .children = line.children);
	MADE(run->bill->rows, run->bill->count, .kind = BILL_START, .exe = 1, .executed = true, .call_nr = -1,
	     .wall_ns = line.start_ms * MS);
	MADE(run->bill->rows, run->bill->count, .kind = BILL_CODE, .exe = 1, .executed = true, .call_nr = -1,
	     .wall_ns = (line.all_ms - line.start_ms) * MS);
	run->lines = checked_calloc(1, sizeof(*run->lines));
	MADE(run->lines->rows, run->lines->count, .source = SCRIPT_FILE, .language = LANGUAGE_BASH, .line = 7,
	     .file = checked_strdup("hook"), .parent_exe = 0, .exec_target = 1, .children = line.children);
	path->wall_ns = WALL;
	on_path = MADE(path->lines, path->line_count, .language = LANGUAGE_BASH, .file = checked_strdup("hook"), .line = 7);
	on_path->ns[PATH_PART_CPU] = line.all_ms * MS;
	run->executions = checked_calloc(1, sizeof(*run->executions));
	for (uint64_t i = 0; i < line.rows; i++)
		MADE(run->executions->rows, run->executions->count, .exe = 1, .parent_exe = 0, .line = 0, .count = 1,
		     .cpu_ns = (i ? line.each_us : line.least_us) * 1000);
	find(run, NULL, "R9", words);
}

static void test_lines(void **state)
{
	check_line("hook:7 takes 100 ms of the 1 s: it starts git 10 times, 10 ms each.", (struct line){ 10, 50, 100, 0, 0, 0 });
	check_line(NULL, (struct line){ 10, 50, 99, 0, 0, 0 });
	check_line(NULL, (struct line){ 9, 50, 100, 0, 0, 0 });
	check_line(NULL, (struct line){ 10, 49, 100, 0, 0, 0 });
	/* What they do is alike, whatever they are asked: they have at most in common what the cheapest one takes. */
	check_line("it starts git 10 times", (struct line){ 10, 0, 100, 5, 5000, 10000 });
	check_line(NULL, (struct line){ 10, 0, 100, 4, 5000, 10000 });
	check_line(NULL, (struct line){ 10, 0, 100, 5, 4000, 10000 });
	check_line(NULL, (struct line){ 10, 0, 100, 5, 10000, 10000 }); /* R26 */
}

/* Ten forks take 200 ms; in their children, a function that this one has called takes 100 faults, for so long. */
static void check_handlers(const char *words, const char *caller, uint64_t ms)
{
	struct run *run = run_of("/bin/server", BILL_FORK, 200);
	struct anatomy *anatomy = run->anatomy = anatomy__new();
	struct stacks *stacks = anatomy->stacks = checked_calloc(1, sizeof(*stacks));
	struct call_stack *stack;

	run->bill->rows[0].executed = true;
	run->bill->rows[0].count = 10;
	MADE_GROUP(run, .parent_exe = 0, .exec_target = NO_EXE, .children = 10);
	MADE_SAMPLE(run, .group = 0, .children = 10);
	MADE_OBJECT(run, .path = checked_strdup("/lib/libpool.so.1"));
	MADE(anatomy->rows, anatomy->row_count, .group = 0, .phase = PHASE_CHILD, .faults = 100, .timed = 100,
	     .class = FAULT_COW_COPY, .children = 10, .ns = ms * MS);
	MADE(stacks->frames, stacks->frame_count, .place = { .object = 0, .symbol = checked_strdup("pool_child") });
	MADE(stacks->frames, stacks->frame_count, .place = { .object = 0, .symbol = checked_strdup(caller) });
	stack = MADE(stacks->list, stacks->count, .proven = 2);
	for (uint32_t i = 0; i < 2; i++)
		*MADE(stack->frames, stack->frame_count, 0) = i;
	MADE(stacks->shares, stacks->share_count, .row = 0, .stack = 0, .faults = 100, .timed = 100, .ns = ms * MS);
	find(run, NULL, "R27", words);
}

static void test_handlers(void **state)
{
	check_handlers("Handlers around each fork of server (pthread_atfork) take 10 page faults: pool_child() of libpool.so.1. "
		       "These faults take 50 ms of the 1 s.", "__run_postfork_handlers", 50);
	check_handlers(NULL, "__run_postfork_handlers", 49);
	check_handlers(NULL, "main", 190);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_cache),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_handlers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
