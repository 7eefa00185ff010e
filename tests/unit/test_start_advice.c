// SPDX-License-Identifier: GPL-2.0-or-later
/* Every rule for a start: speaks when its evidence is there, and is silent without. */
#include "unit.h"

#include "advice/start/start_advice.h"
#include "base/memory.h"
#include "model/run.h"

/* A start that takes 100 us in all: two of them are worth a word. */
static struct run *new_run(const char *program)
{
	struct run *run = run__new();

	run->anatomy = anatomy__new();
	run->anatomy->costs[COST_SYSCALL] = (struct estimate){ true, true, 150, 100, 200 };
	run->start = start__new();
	run->start->marks.end = 100000;
	run->exes = checked_calloc(1, sizeof(*run->exes));
	run->exes[0].path = checked_strdup(program);
	run->exes[0].linkage = checked_strdup("dynamic");
	run->exe_count = 1;
	run->processes = checked_calloc(1, sizeof(*run->processes));
	run->process_count = 1;
	run->processes[0].image_count = 1;
	run->processes[0].images = checked_calloc(1, sizeof(struct image));
	return run;
}

/* A call of 1 us. */
static struct start_call *add(struct run *run, enum start_reason reason, const char *name,
			      const char *path, int64_t result)
{
	struct start *start = run->start;
	struct start_call *call;

	start->calls = checked_grow(start->calls, start->call_count, sizeof(*start->calls));
	call = &start->calls[start->call_count++];
	*call = (struct start_call){
		.name = checked_strdup(name),
		.actor = ACTOR_PROGRAM,
		.begin_ns = start->call_count * 2000,
		.ns = 1000,
		.returned = true,
		.result = (uint64_t)result,
		.path = path ? checked_strdup(path) : NULL,
		.reason = reason,
	};
	return call;
}

static const struct advice *find(const struct run *run, const char *rule)
{
	for (size_t i = 0; i < run->start->advice_count; i++)
		if (!strcmp(run->start->advice[i].rule, rule))
			return &run->start->advice[i];
	return NULL;
}

static void assert_says(struct run *run, const char *rule, const char *evidence)
{
	const struct advice *advice;

	if (!run->start->advice_count)
		start_advice__find(run);
	advice = find(run, rule);
	assert_non_null(advice);
	if (!strstr(advice->evidence, evidence))
		fail_msg("\"%s\" is not in \"%s\"", evidence, advice->evidence);
	assert_non_null(advice->action);
	assert_int_equal(advice->group, NO_GROUP);
}

static void assert_predicts(const struct run *run, const char *rule, double value, double low,
			    double high)
{
	const struct estimate *ns = &find(run, rule)->predicted_ns;

	assert_true(ns->known);
	if (ns->value != value || ns->low != low || ns->high != high)
		fail_msg("%g (%g..%g)", ns->value, ns->low, ns->high);
}

static void assert_silent(struct run *run, const char *rule)
{
	start_advice__find(run);
	assert_null(find(run, rule));
	run__free(run);
}

static struct run *searching(int failed)
{
	struct run *run = new_run("/bin/far");
	struct start_search *search = checked_calloc(1, sizeof(*search));

	*search = (struct start_search){ checked_strdup("libfar.so"), checked_strdup("/c/libfar.so"),
					 (uint64_t)failed + 1, (uint64_t)failed, 9999 };
	run->start->searches = search;
	run->start->search_count = 1;
	for (int i = 0; i < failed; i++)
		add(run, i ? REASON_SEARCH : REASON_SEARCH_DIRECTORY, "openat", "/a/libfar.so", -2);
	add(run, REASON_SEARCH_DIRECTORY, "newfstatat", "/c", 0); /* there: found */
	return run;
}

/* Two of 100 us are said, one is not: a fiftieth. */
static void test_s1(void **state)
{
	struct run *run = searching(2);

	assert_says(run, "S1", "and fail: 2, 2 us");
	assert_says(run, "S1", "libfar.so (2 of 3 tries)");
	assert_predicts(run, "S1", 2000, 200, 2000);
	run__free(run);
	assert_silent(searching(1), "S1");
}

/* Without what a call costs, all may have been tracing; without the time of the start, who knows. */
static void test_unknown_costs(void **state)
{
	struct run *run = searching(1);

	run->anatomy->costs[COST_SYSCALL].known = false;
	run->start->marks.end = ABSENT;
	assert_says(run, "S1", "and fail: 1, 1 us");
	assert_predicts(run, "S1", 1000, 0, 1000);
	run__free(run);
}

/* What was lost may be what would answer. */
static void test_missed(void **state)
{
	struct run *run = searching(5);

	run->start->missed = 1;
	assert_silent(run, "S1");
}

static struct run *binding(enum start_phase phase, enum actor actor, const char *linkage)
{
	struct run *run = new_run("/bin/lazy");

	free(run->exes[0].linkage);
	run->exes[0].linkage = linkage ? checked_strdup(linkage) : NULL;
	run->start->phases[phase].faults[actor][FAULT_FILE_MAP] = 3;
	add(run, REASON_OPEN_LIBRARY, "openat", "/lib/x86_64-linux-gnu/libc.so.6", 3);
	return run;
}

static void test_s2(void **state)
{
	static const enum start_phase late[] = { START_LIBC, START_MAIN, START_PROGRAM, START_EXIT };
	struct run *run;

	for (size_t i = 0; i < sizeof(late) / sizeof(late[0]); i++) {
		run = binding(late[i], ACTOR_LDSO, "dynamic");
		assert_says(run, "S2", "destructors: 3.");
		assert_string_equal(start_advice__way(find(run, "S2")), "LD_BIND_NOW=1");
		assert_false(find(run, "S2")->predicted_ns.known);
		run__free(run);
	}
	run = binding(START_RELOCATE, ACTOR_LDSO, "dynamic");
	assert_says(run, "S2", "destructors: 0.");
	run__free(run);
	run = binding(START_MAIN, ACTOR_PROGRAM, "dynamic");
	assert_says(run, "S2", "destructors: 0.");
	run__free(run);
	assert_silent(binding(START_MAIN, ACTOR_LDSO, "dynamic-now"), "S2");
	assert_silent(binding(START_MAIN, ACTOR_LDSO, NULL), "S2");
	run = binding(START_MAIN, ACTOR_LDSO, "dynamic"); /* musl's binds at once */
	free(run->start->calls[0].path);
	run->start->calls[0].path = checked_strdup("/lib/libc.musl-x86_64.so.1");
	assert_silent(run, "S2");
}

static void test_s3(void **state)
{
	struct run *run = new_run("/bin/a");

	add(run, REASON_LOCALE, "openat", "/usr/lib/locale/locale-archive", -2);
	add(run, REASON_GCONV, "openat", "/usr/lib/gconv/gconv-modules.cache", 3);
	add(run, REASON_NSS, "openat", "/etc/nsswitch.conf", 3);
	assert_says(run, "S3", "character sets: 2 (1 failed), 2 us");
	assert_string_equal(start_advice__way(find(run, "S3")), "LC_ALL=C");
	run__free(run);
	run = new_run("/bin/a");
	add(run, REASON_NSS, "openat", "/etc/nsswitch.conf", 3);
	assert_silent(run, "S3");
}

static struct run *python(const char *program, const char *path)
{
	struct run *run = new_run(program);

	add(run, REASON_FILE, "newfstatat", path, -2);
	add(run, REASON_FILE, "openat", "/usr/lib/python3.11/__pycache__/os.cpython-311.pyc", 3);
	return run;
}

static void test_python(void **state)
{
	static const char user[] = "/home/u/.local/lib/python3.11/x";
	static const char site[] = "/usr/lib/python3/dist-packages";
	struct run *run = python("/usr/bin/python3.11", user);

	assert_says(run, "S4", "(~/.local): 1, 1 of them failed");
	assert_string_equal(start_advice__way(find(run, "S4")), "-I");
	assert_null(find(run, "S5"));
	run__free(run);
	run = python("/usr/bin/python3.11", site);
	assert_says(run, "S5", "for that: 1, 1 of them failed. Compiled modules (.pyc) that were opened: 1.");
	assert_string_equal(start_advice__way(find(run, "S5")), "-S");
	assert_null(find(run, "S4"));
	run__free(run);
	assert_silent(python("/usr/bin/pypy", site), "S5");
	assert_silent(python("/usr/bin/ipython", user), "S4");
}

/* Two failed calls of the program; others failed otherwise, are ld.so's, or of a locale. */
static struct run *missing(int calls)
{
	struct run *run = new_run("/bin/a");

	for (int i = 0; i < calls; i++)
		add(run, REASON_FILE, "newfstatat", i ? "/b/tool" : "/a/tool", i ? -20 : -2);
	add(run, REASON_FILE, "openat", "/secret", -13);
	add(run, REASON_FILE, "openat", "/there", 3);
	add(run, REASON_LOCALE, "openat", "/locale", -2);
	add(run, REASON_SEARCH, "openat", "/lib.so", -2)->actor = ACTOR_LDSO;
	return run;
}

static void test_s6(void **state)
{
	struct run *run = missing(2);

	assert_says(run, "S6", "that are not there: 2, 2 us");
	assert_says(run, "S6", "In vain more than once: tool (2 times).");
	assert_predicts(run, "S6", 2000, 200, 2000);
	run__free(run);
	assert_silent(missing(1), "S6");
}

/* The first of each is needed. */
static struct run *asking(int times)
{
	struct run *run = new_run("/bin/a");

	for (int i = 0; i < times; i++)
		add(run, REASON_FILE, "newfstatat", "/etc/x", 0);
	return run;
}

static void test_s7(void **state)
{
	struct run *run = asking(3);

	assert_says(run, "S7", "same answer: 2, 2 us");
	assert_says(run, "S7", "newfstatat of /etc/x (3 times)");
	assert_predicts(run, "S7", 2000, 200, 2000);
	run__free(run);
	assert_silent(asking(2), "S7");
	assert_silent(asking(1), "S7");
}

static struct run *reading(int calls)
{
	struct run *run = new_run("/bin/a");

	for (int i = 0; i < calls; i++) {
		struct start_call *call = add(run, REASON_FILE, "read", NULL, 1);

		call->known[2] = true;
		call->arguments[2] = 1;
	}
	return run;
}

static void test_s8(void **state)
{
	struct run *run = reading(2);

	assert_says(run, "S8", "byte: 2; seeks that change nothing: 0; 2 us");
	assert_predicts(run, "S8", 2000, 0, 2000);
	run__free(run);
	assert_silent(reading(1), "S8");
}

/* What cannot be tried says why, and is not. */
static void test_ways(void **state)
{
	struct run *run = searching(2);
	const struct advice *advice;

	start_advice__find(run);
	advice = find(run, "S1");
	assert_null(start_advice__way(advice));
	assert_non_null(strstr(advice->tried, "no: "));
	run__free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_s1),     cmocka_unit_test(test_unknown_costs),
		cmocka_unit_test(test_missed), cmocka_unit_test(test_s2),
		cmocka_unit_test(test_s3),     cmocka_unit_test(test_python),
		cmocka_unit_test(test_s6),     cmocka_unit_test(test_s7),
		cmocka_unit_test(test_s8),     cmocka_unit_test(test_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
