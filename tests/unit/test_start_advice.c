// SPDX-License-Identifier: GPL-2.0-or-later
/* Every rule for a start: speaks when its evidence is there, and is silent without. */
#include "advice_said.h"

#include <math.h>

#include "advice/start/start_advice.h"
#include "base/memory.h"
#include "base/text.h"
#include "made.h"
#include "model/run/run.h"

/* A start that takes 100 us in all: two of them are worth a word. */
static struct run *new_run(const char *program)
{
	struct run *run = made_run(WITH_ANATOMY | WITH_START);

	run->anatomy->costs[COST_SYSCALL] = (struct estimate){ true, true, 150, 100, 200 };
	run->start->marks.end = 100000;
	MADE_EXE(run, .path = checked_strdup(program), .linkage = checked_strdup("dynamic"));
	MADE_PROCESS(run, .exe = 0);
	return run;
}

/* A call of 1 us. */
static struct start_call *add(struct run *run, enum start_reason reason, const char *name,
			      const char *path, int64_t result)
{
	struct start *start = run->start;

	return MADE(start->calls, start->call_count, .name = checked_strdup(name), .actor = ACTOR_PROGRAM,
		    .begin_ns = (start->call_count + 1) * 2000, .ns = 1000, .returned = true,
		    .result = (uint64_t)result, .path = path ? checked_strdup(path) : NULL, .reason = reason);
}

/* The rule says so, after all rules were asked once. */
static void says(struct run *run, const char *rule, const char *evidence)
{
	if (!run->start->advice_count)
		start_advice__find(run, NULL);
	assert_says(ADVICE_OF(run->start, rule), evidence);
	assert_int_equal(ADVICE_OF(run->start, rule)->group, NO_GROUP);
}

static void assert_predicts(const struct run *run, const char *rule, double value, double low,
			    double high)
{
	const struct estimate *ns = &ADVICE_OF(run->start, rule)->predicted_ns;

	assert_true(ns->known);
	if (ns->value != value || ns->low != low || ns->high != high)
		fail_msg("%g (%g..%g)", ns->value, ns->low, ns->high);
}

static void assert_silent(struct run *run, const char *rule)
{
	start_advice__find(run, NULL);
	assert_null(ADVICE_OF(run->start, rule));
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

	says(run, "S1", "and fail: 2, 2 us");
	says(run, "S1", "libfar.so (2 of 3 tries)");
	assert_predicts(run, "S1", 2000, 200, 2000);
	run__free(run);
	assert_silent(searching(1), "S1");
}

/* What S1 advises for a try of each path that fails, with that LD_LIBRARY_PATH; NULL: the environment is not known. */
static char *s1_advises(const char *variable, const char *const *paths)
{
	char *environment[] = { "HOME=/", (char *)variable, NULL };
	struct run *run = searching(0);
	const struct advice *advice;
	char *text;

	add(run, REASON_OPEN_LIBRARY, "openat", "/lib/libc.so.6", 3);
	for (; *paths; paths++)
		for (int i = 0; i < 2; i++)
			add(run, REASON_SEARCH, "openat", *paths, -2);
	run->start->searches->failed = 2;
	start_advice__find(run, variable ? environment : NULL);
	advice = ADVICE_OF(run->start, "S1");
	assert_non_null(advice);
	text = text__of("%s (%s)", advice->action, advice->tried);
	run__free(run);
	return text;
}

/* It speaks of those lists of directories alone that the failing tries come from. */
static void test_s1_whose_directories(void **state)
{
	enum { RUNPATH = 1, VARIABLE = 2, SYSTEM = 4 };
	static const char *const words[] = { "RUNPATH", "LD_LIBRARY_PATH", "system" };
	static const struct {
		const char *variable;
		const char *paths[3];
		int spoken_of;
	} cases[] = {
		{ "PATH=/a", { "/a/libfar.so" }, RUNPATH },
		{ "LD_LIBRARY_PATH=/a:/b", { "/b/libfar.so" }, VARIABLE },
		{ "LD_LIBRARY_PATH=/a/;/b", { "/a/glibc-hwcaps/x86-64-v3/libfar.so" }, VARIABLE },
		{ "LD_LIBRARY_PATH=/a", { "/a/deeper/libfar.so" }, RUNPATH },
		{ "LD_LIBRARY_PATH=/a", { "/a/libfar.so", "/b/libfar.so" }, VARIABLE | RUNPATH },
		{ "LD_LIBRARY_PATH=", { "/usr/lib/x86_64-linux-gnu/libno.so" }, SYSTEM },
		{ "LD_LIBRARY_PATH=/lib", { "/lib/tls/x86_64/libno.so", "/lib64/libno.so" }, VARIABLE | SYSTEM },
		{ "LD_LIBRARY_PATH=/a", { "/usr/lib/app/libno.so" }, RUNPATH },
		{ "LD_LIBRARY_PATH=$ORIGIN/x", { "/a/libfar.so" }, RUNPATH | VARIABLE },
		{ NULL, { "/a/libfar.so" }, RUNPATH | VARIABLE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = s1_advises(cases[i].variable, cases[i].paths);

		for (int word = 0; word < 3; word++)
			if (!strstr(text, words[word]) != !(cases[i].spoken_of >> word & 1))
				fail_msg("%zu, %s: %s", i, words[word], text);
		/* What no setting can change is the file. */
		if (!strstr(text, "linked again") != !(cases[i].spoken_of & RUNPATH))
			fail_msg("%zu: %s", i, text);
		free(text);
	}
}

/* musl has no cache that could list them. */
static void test_s1_of_musl(void **state)
{
	struct run *run = searching(2);

	start_advice__find(run, NULL);
	assert_null(strstr(ADVICE_OF(run->start, "S1")->action, "ld.so.cache"));
	run__free(run);
}

/* Without what a call costs, all may have been tracing; without the time of the start, who knows. */
static void test_unknown_costs(void **state)
{
	struct run *run = searching(1);

	run->anatomy->costs[COST_SYSCALL].known = false;
	run->start->marks.end = ABSENT;
	says(run, "S1", "and fail: 1, 1 us");
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

static void test_s3(void **state)
{
	struct run *run = new_run("/bin/a");

	add(run, REASON_LOCALE, "openat", "/usr/lib/locale/locale-archive", -2);
	add(run, REASON_GCONV, "openat", "/usr/lib/gconv/gconv-modules.cache", 3);
	add(run, REASON_NSS, "openat", "/etc/nsswitch.conf", 3);
	says(run, "S3", "character sets: 2 (1 failed), 2 us");
	assert_string_equal(advice__way(ADVICE_OF(run->start, "S3")), "LC_ALL=C");
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

	says(run, "S4", "(~/.local): 1, 1 of them failed");
	assert_string_equal(advice__way(ADVICE_OF(run->start, "S4")), "-I");
	assert_null(ADVICE_OF(run->start, "S5"));
	run__free(run);
	run = python("/usr/bin/python3.11", site);
	says(run, "S5", "for that: 1, 1 of them failed. Compiled modules (.pyc) that were opened: 1.");
	assert_string_equal(advice__way(ADVICE_OF(run->start, "S5")), "-S");
	assert_null(ADVICE_OF(run->start, "S4"));
	run__free(run);
	assert_silent(python("/usr/bin/pypy", site), "S5");
	assert_silent(python("/usr/bin/ipython", user), "S4");
	assert_silent(python("/usr/bin/pythonista", user), "S4");
}

/* With the option it does so no more: what shows is the script's. Behind what is to run there are no options of python's. */
static void test_python_has_the_option(void **state)
{
	static const char site[] = "/usr/lib/python3/dist-packages";
	static const struct {
		const char *words[4];
		bool silent;
	} cases[] = {
		{ { "python3", "-S", "a.py" }, true },	  { { "python3", "-ESc", "pass" }, true },
		{ { "python3", "-W", "S", "-S" }, true }, { { "python3", "-W", "-S", "a.py" }, false },
		{ { "python3", "a.py", "-S" }, false },	  { { "python3", "-cS" }, false },
		{ { "python3", "-I", "a.py" }, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = python("/usr/bin/python3.11", site);

		run->command = checked_calloc(5, sizeof(char *));
		for (; run->command_count < 4 && cases[i].words[run->command_count]; run->command_count++)
			run->command[run->command_count] =
				checked_strdup(cases[i].words[run->command_count]);
		start_advice__find(run, NULL);
		assert_int_equal(ADVICE_OF(run->start, "S5") == NULL, cases[i].silent);
		run__free(run);
	}
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
	add(run, REASON_FILE, "unlink", "/old", -2);
	add(run, REASON_FILE, "mkdir", "/no/such", -2);
	add(run, REASON_SEARCH, "openat", "/lib.so", -2)->actor = ACTOR_LDSO;
	return run;
}

static void test_s6(void **state)
{
	struct run *run = missing(2);

	says(run, "S6", "that do not exist: 2, 2 us");
	says(run, "S6", "Not found at several paths: tool (2 paths).");
	assert_predicts(run, "S6", 2000, 200, 2000);
	run__free(run);
	assert_silent(missing(1), "S6");
}

/* One of them has waited: the value has ten times the usual time of it. */
static void test_s6_without_waiting(void **state)
{
	struct run *run = missing(3);

	run->start->calls[1].ns = 90000;
	says(run, "S6", "that do not exist: 3, 92 us as traced.");
	assert_predicts(run, "S6", 12000, 300, 92000);
	run__free(run);
}

/* A file that is asked for by its own path is on no search path, however often. */
static void test_s6_without_a_search(void **state)
{
	struct run *run = new_run("/bin/a");

	for (int i = 0; i < 3; i++)
		add(run, REASON_FILE, "access", "/etc/a.conf", -2);
	says(run, "S6", "that do not exist: 3, 3 us as traced.");
	assert_null(strstr(ADVICE_OF(run->start, "S6")->evidence, "at several paths"));
	assert_null(strstr(ADVICE_OF(run->start, "S6")->action, "first in the search path"));
	run__free(run);
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

	says(run, "S7", "same result: 2, 2 us");
	says(run, "S7", "newfstatat of /etc/x (3 times)");
	assert_predicts(run, "S7", 2000, 200, 2000);
	run__free(run);
	assert_silent(asking(2), "S7");
	run = asking(3); /* ld.so for itself */
	for (int i = 0; i < 3; i++)
		run->start->calls[i].actor = ACTOR_LDSO;
	run->start->marks.entry = 90000;
	assert_silent(run, "S7");
	run = asking(3); /* before the program, whoever it was */
	for (int i = 0; i < 3; i++)
		run->start->calls[i].before_program = true;
	assert_silent(run, "S7");
	run = asking(3); /* musl's ld.so is the program's C library */
	for (int i = 0; i < 3; i++)
		run->start->calls[i].actor = ACTOR_LDSO;
	run->start->marks.entry = 1000;
	says(run, "S7", "newfstatat of /etc/x (3 times)");
	run__free(run);
	run = asking(4); /* two each */
	run->start->calls[0].actor = run->start->calls[1].actor = ACTOR_LDSO;
	run->start->marks.entry = 5000;
	add(run, REASON_OPEN_LIBRARY, "openat", "/lib/libc.so.6", 3)->actor = ACTOR_LDSO;
	run->start->marks.end = 50000;
	says(run, "S7", "same result: 1, 1 us");
	run__free(run);
	assert_silent(asking(1), "S7");
}

/* A relative path is the same as long as the directory is. */
static void test_s7_relative(void **state)
{
	static const uint64_t here = (uint32_t)-100; /* AT_FDCWD */

	for (int with = 0; with < 3; with++) {
		struct run *run = new_run("/bin/a");

		for (int i = 0; i < 4; i++) {
			if (i == 3 && with == 1)
				add(run, REASON_FILE, "chdir", "/etc", 0);
			add(run, REASON_FILE, "newfstatat", "x", 0)->arguments[0] = with == 2 ? 3 : here;
		}
		if (with == 2) {
			assert_silent(run, "S7");
			continue;
		}
		says(run, "S7", with ? "newfstatat of x (3 times)" : "newfstatat of x (4 times)");
		run__free(run);
	}
}

/* One byte each time, the first of which a buffer would have read, too. */
static struct run *reading(int calls)
{
	struct run *run = new_run("/bin/a");

	for (int i = 0; i < calls; i++) {
		struct start_call *call = add(run, REASON_FILE, "read", NULL, 1);

		call->known[0] = call->known[2] = true;
		call->arguments[2] = 1;
	}
	return run;
}

static void test_s8(void **state)
{
	struct run *run = reading(3);

	says(run, "S8", "right after another: 2; seeks that change nothing: 0; 2 us");
	assert_predicts(run, "S8", 2000, 0, 2000);
	run__free(run);
	run = reading(0);
	for (int i = 0; i < 3; i++) { /* where it is, to the begin, and where it is */
		struct start_call *call = add(run, REASON_FILE, "lseek", NULL, 0);

		call->known[1] = call->known[2] = true;
		call->arguments[2] = i == 1 ? SEEK_SET : SEEK_CUR;
	}
	says(run, "S8", "right after another: 0; seeks that change nothing: 2; 2 us");
	assert_predicts(run, "S8", 2000, 0, 2000);
	run__free(run);
	assert_silent(reading(2), "S8");
}

/* A token in a pipe, for which it waits; the end of the file; another file. */
static void test_s8_of_one_byte(void **state)
{
	struct run *run = reading(1);

	run->start->calls[0].ns = 50000;
	assert_silent(run, "S8");
	run = reading(4);
	run->start->calls[0].result = run->start->calls[2].result = 0;
	run->start->calls[1].arguments[0] = run->start->calls[2].arguments[0] = 7;
	assert_silent(run, "S8");
}

/* What ld.so linked: 9 calls of 1 us for each library, and on each object two pages copied for 3 us. */
static struct start_object *link_object(struct run *run, const char *path, enum start_role role,
					uint32_t through)
{
	struct start *start = run->start;
	const uint32_t index = (uint32_t)start->object_count;
	const uint64_t calls = role == START_IS_LIBRARY ? 9 : 0;

	MADE(run->anatomy->rows, run->anatomy->row_count, .group = NO_GROUP, .phase = PHASE_EXEC, .actor = ACTOR_LDSO,
	     .class = FAULT_FILE_COW, .place = { .kind = PLACE_FILE, .object = index }, .faults = 2, .children = 1,
	     .around = ABSENT);
	return MADE(start->objects, start->object_count, .path = checked_strdup(path), .role = role, .object = index,
		    .through = through, .needed_by = 1, .bound_to = 1, .calls = calls, .ns = calls * 1000,
		    .is_lazy = true);
}

static struct run *linked(void)
{
	struct run *run = new_run("/bin/linked");

	run->anatomy->costs[COST_FILE_COPY] = (struct estimate){ true, true, 3000, 2000, 4000 };
	run->anatomy->costs[COST_MAP] = (struct estimate){ true, true, 1000, 900, 1100 };
	run->anatomy->costs[COST_PAGE_TABLE] = (struct estimate){ true, true, 1, 1, 1 };
	MADE_SAMPLE(run, .group = NO_GROUP, .children = 1);
	link_object(run, "/bin/linked", START_IS_PROGRAM, NO_OBJECT);
	add(run, REASON_OPEN_LIBRARY, "openat", "/lib/x86_64-linux-gnu/libc.so.6", 3);
	return run;
}

static struct run *binding(enum start_phase phase, enum actor actor, uint64_t functions)
{
	struct run *run = linked();

	run->start->objects[0].relocations[RELOC_JUMP_SLOT] = functions;
	run->start->phases[phase].faults[actor][FAULT_FILE_MAP] = 3;
	return run;
}

static void test_s2(void **state)
{
	static const enum start_phase late[] = { START_LIBC, START_MAIN, START_PROGRAM, START_EXIT };
	static char now[] = "LD_BIND_NOW=yes", not_now[] = "LD_BIND_NOW=";
	char *environment[] = { now, NULL };
	struct run *run;

	for (size_t i = 0; i < sizeof(late) / sizeof(late[0]); i++) {
		run = binding(late[i], ACTOR_LDSO, 7);
		says(run, "S2", "after the program's entry: 3.");
		says(run, "S2", "ld.so binds each of 7 functions at its first call");
		assert_string_equal(advice__way(ADVICE_OF(run->start, "S2")), "LD_BIND_NOW=1");
		assert_false(ADVICE_OF(run->start, "S2")->predicted_ns.known);
		run__free(run);
	}
	run = binding(START_RELOCATE, ACTOR_LDSO, 7);
	says(run, "S2", "after the program's entry: 0.");
	run__free(run);
	run = binding(START_MAIN, ACTOR_PROGRAM, 7);
	says(run, "S2", "after the program's entry: 0.");
	run__free(run);
	assert_silent(binding(START_MAIN, ACTOR_LDSO, 0), "S2"); /* -fno-plt */
	assert_silent(binding(START_MAIN, ACTOR_LDSO, ABSENT), "S2");
	run = binding(START_MAIN, ACTOR_LDSO, 7);
	run->start->objects[0].is_lazy = false; /* -z now */
	assert_silent(run, "S2");
	run = binding(START_MAIN, ACTOR_LDSO, 7); /* musl's binds at once */
	free(run->start->calls[0].path);
	run->start->calls[0].path = checked_strdup("/lib/libc.musl-x86_64.so.1");
	assert_silent(run, "S2");
	run = binding(START_MAIN, ACTOR_LDSO, 7); /* glibc's library is asked for, and not loaded */
	run->start->calls[0].reason = REASON_FILE;
	assert_silent(run, "S2");
	run = binding(START_MAIN, ACTOR_LDSO, 7);
	start_advice__find(run, environment);
	assert_null(ADVICE_OF(run->start, "S2"));
	environment[0] = not_now;
	start_advice__find(run, environment);
	assert_non_null(ADVICE_OF(run->start, "S2"));
	run__free(run);
}

/* What is set already would save nothing. */
static void test_set_already(void **state)
{
	static char set[] = "LC_ALL=C", other[] = "LC_ALL=C.UTF-8";
	char *environment[] = { set, NULL };
	struct run *run = new_run("/bin/a");

	add(run, REASON_LOCALE, "openat", "/usr/lib/locale/locale-archive", 3);
	start_advice__find(run, environment);
	assert_null(ADVICE_OF(run->start, "S3"));
	environment[0] = other;
	start_advice__find(run, environment);
	assert_non_null(ADVICE_OF(run->start, "S3"));
	run__free(run);
}

static void assert_faults(const struct run *run, const char *rule, double faults)
{
	const struct estimate *predicted = &ADVICE_OF(run->start, rule)->predicted_faults;

	assert_true(predicted->known);
	if (predicted->value != faults)
		fail_msg("%g faults", predicted->value);
}

static void assert_faults_between(const struct run *run, const char *rule, double low, double high)
{
	const struct estimate *predicted = &ADVICE_OF(run->start, rule)->predicted_faults;

	if (predicted->low != low || predicted->high != high)
		fail_msg("%g..%g faults", predicted->low, predicted->high);
}

/* A row more, of one fault that maps a page; the place is of no object, but may get one. */
static struct anatomy_row *add_row(struct run *run, enum actor actor, uint64_t since)
{
	struct anatomy *anatomy = run->anatomy;
	struct anatomy_row *row;

	anatomy->rows = checked_grow(anatomy->rows, anatomy->row_count, sizeof(*anatomy->rows));
	row = &anatomy->rows[anatomy->row_count++];
	*row = (struct anatomy_row){
		.group = NO_GROUP, .phase = PHASE_EXEC, .actor = actor, .class = FAULT_FILE_MAP,
		.place = { .kind = PLACE_ANON }, .faults = 1, .children = 1, .around = ABSENT,
		.since_ns = since,
	};
	return row;
}

/* The same on a section of an object. */
static void add_section(struct run *run, uint32_t object, const char *section)
{
	struct anatomy_row *row = add_row(run, ACTOR_LDSO, 0);

	row->place = (struct place){ .kind = PLACE_FILE, .object = object,
				     .section = checked_strdup(section) };
}

/* libunused is not bound to, and brings libbelow, which only libunused calls. */
static struct run *unused(uint64_t bound_to)
{
	struct run *run = linked();

	link_object(run, "/lib/libunused.so.1", START_IS_LIBRARY, NO_OBJECT)->bound_to = bound_to;
	link_object(run, "/lib/libused.so.1", START_IS_LIBRARY, NO_OBJECT);
	link_object(run, "/lib/libbelow.so.1", START_IS_LIBRARY, 1);
	link_object(run, "/lib/ld.so", START_IS_LDSO, NO_OBJECT)->bound_to = 0;
	return run;
}

/* 18 calls, 4 faults; and of ld.so's 40 us in the phase, not traced 20, what two of five objects share. */
static void test_s9(void **state)
{
	struct run *run = unused(0);

	run->start->marks.first = 10000;
	run->start->marks.entry = 90000;
	run->start->untraced[START_PART_LDSO] = 40000;
	run->start->phases[START_RELOCATE].ns = 50000;
	run->start->phases[START_RELOCATE].fault_ns[ACTOR_LDSO] = 10000;
	says(run, "S9", "called or not: 1 (libunused.so.1). Others that only these load: 1.");
	assert_faults(run, "S9", 4);
	assert_predicts(run, "S9", 18000 + 12000 + 8000, 1800 + 8000, 18000 + 16000 + 16000);
	run__free(run);
	assert_silent(unused(1), "S9");
	assert_silent(unused(ABSENT), "S9");
	run = unused(0);
	run->start->objects[1].needed_by = 0; /* preloaded */
	assert_silent(run, "S9");
}

/* What goes with the libraries, or not: memory of ld.so, symbols of the others, what constructors touch. */
static void test_s9_between(void **state)
{
	struct run *run = unused(0);

	run->start->marks.entry = 90000;
	says(run, "S9", "libunused.so.1");
	assert_faults_between(run, "S9", 1, 7); /* others come with other faults: up to three */
	run__free(run);
	run = unused(0);
	run->start->marks.entry = 90000;
	add_row(run, ACTOR_LDSO, 200);
	add_row(run, ACTOR_PROGRAM, 89999); /* a constructor */
	add_row(run, ACTOR_PROGRAM, 90001);
	add_section(run, 2, ".gnu.hash");
	add_section(run, 2, ".rela.dyn"); /* of libused, which stays */
	says(run, "S9", "libunused.so.1");
	assert_faults(run, "S9", 4);
	assert_faults_between(run, "S9", 1, 7 + 3);
	assert_predicts(run, "S9", 18000 + 12000, 1800 + 8000, 18000 + 16000 + 3 * 1100);
	run__free(run);
}

/* Where a fault took longer than it does when it is calibrated, so long may be saved. */
static void test_s9_slow_faults(void **state)
{
	struct run *run = unused(0);

	run->anatomy->rows[1].timed = 2; /* of libunused: not 2 x 4 us */
	run->anatomy->rows[1].ns = 2 * 7000;
	says(run, "S9", "libunused.so.1");
	assert_predicts(run, "S9", 18000 + 12000, 1800 + 8000, 18000 + 14000 + 8000);
	run__free(run);
}

/* A library with most of the relocations has most of the work on them. */
static void test_s9_by_relocations(void **state)
{
	struct run *run = unused(0);

	run->start->phases[START_RELOCATE].ns = 10000;
	run->start->objects[1].relocations[RELOC_GLOB_DAT] = 900;
	run->start->objects[2].relocations[RELOC_GLOB_DAT] = 100;
	says(run, "S9", "libunused.so.1");
	assert_predicts(run, "S9", 18000 + 12000, 1800 + 8000, 18000 + 16000 + 9000);
	run__free(run);
}

/* Of a command that executed something else, whose faults are whose is not known. */
static void test_faults_of_others(void **state)
{
	struct run *run = unused(0);

	run->processes[0].image_count = 2;
	run->processes[0].images = realloc(run->processes[0].images, 2 * sizeof(struct image));
	run->processes[0].images[1] = run->processes[0].images[0];
	says(run, "S9", "libunused.so.1");
	assert_false(ADVICE_OF(run->start, "S9")->predicted_faults.known);
	assert_predicts(run, "S9", 18000, 1800, 18000);
	run__free(run);
}

static struct run *many(size_t count, uint32_t through)
{
	struct run *run = linked();

	link_object(run, "/lib/libc.so.6", START_IS_LIBRARY, NO_OBJECT);
	link_object(run, "/lib/libroot.so", START_IS_LIBRARY, NO_OBJECT);
	for (size_t i = 1; i < count; i++)
		link_object(run, "/lib/libleaf.so", START_IS_LIBRARY, i < 4 ? through : NO_OBJECT);
	return run;
}

/* Ten, of which four come by the one: 36 calls, 8 faults. */
static void test_s10(void **state)
{
	struct run *run = many(10, 2);

	says(run, "S10", "beside the C library: 10, with 90 calls");
	says(run, "S10", "and 20 page faults");
	says(run, "S10", "the one that costs most is libroot.so: 3 more"); /* not most of all: 4 of 10 */
	assert_faults(run, "S10", 8);
	assert_predicts(run, "S10", 36000 + 24000, 3600 + 16000, 36000 + 32000);
	run__free(run);
	run = many(10, 2);
	for (size_t i = 0; i < run->start->object_count; i++)
		if (run->start->objects[i].through == NO_OBJECT && i != 2)
			run->start->objects[i].calls = run->start->objects[i].ns = 0;
	run->anatomy->row_count = 0;
	says(run, "S10", "Most of it comes with libroot.so: 3 more");
	run__free(run);
	assert_silent(many(9, 2), "S10");
	assert_silent(many(10, NO_OBJECT), "S10"); /* none brings another */
}

static struct run *relocating(uint64_t relative, const char *section)
{
	struct run *run = linked();
	struct anatomy_row *row;

	run->start->objects[0].relocations[RELOC_RELATIVE] = relative;
	link_object(run, "/lib/libtable.so", START_IS_LIBRARY, NO_OBJECT);
	run->start->objects[1].relocations[RELOC_RELATIVE] = 9999;
	row = &run->anatomy->rows[0];
	row->class = FAULT_FILE_MAP;
	row->place.section = checked_strdup(section);
	row->faults = 3;
	return run;
}

static void test_s11(void **state)
{
	struct run *run = relocating(10000, ".rela.dyn");

	says(run, "S11", "24 bytes each: 10000 (linked), 234 KiB");
	says(run, "S11", "All relocations: 19999 relative");
	assert_faults(run, "S11", 3);
	assert_faults_between(run, "S11", 0, 6);
	assert_predicts(run, "S11", 3000, 2700, 3300);
	run__free(run);
	run = relocating(10001, ".rela.dyn");
	run->start->phases[START_RELOCATE].ns = 20000; /* half of the words */
	says(run, "S11", "Phase ld.so: relocating: 20 us");
	assert_predicts(run, "S11", 3000, 2700, 3300 + 20000 * 10001.0 / 20000);
	run__free(run);
	assert_silent(relocating(9999, ".rela.dyn"), "S11");
	assert_silent(relocating(10000, ".data"), "S11"); /* nothing of the table was read */
	run = relocating(10000, ".rela.dyn");
	run->start->objects[0].relocations[RELOC_RELATIVE] = 0;
	run->start->objects[0].relocations[RELOC_RELR] = 10000; /* packed already */
	assert_silent(run, "S11");
}

static void test_s12(void **state)
{
	struct run *run = linked();

	run->start->objects[0].relocations[RELOC_RELR] = 300;
	run->start->objects[0].relocations[RELOC_GLOB_DAT] = 100;
	run->start->phases[START_RELOCATE].ns = 8000;
	says(run, "S12", "300 words");
	says(run, "S12", "and 2 pages");
	assert_predicts(run, "S12", 6000, 0, 8000 + 6000); /* three of four words */
	run__free(run);
	run = linked(); /* who reads the table takes faults for it, too: of the program's, not of others' */
	run->start->objects[0].relocations[RELOC_RELATIVE] = 300;
	link_object(run, "/lib/libother.so", START_IS_LIBRARY, NO_OBJECT);
	add_section(run, 0, ".rela.dyn");
	add_section(run, 0, ".dynsym");
	add_section(run, 1, ".rela.dyn");
	says(run, "S12", "and 2 pages of it copied for that. Faults on the tables that say which words "
				"these are: 1.");
	assert_faults(run, "S12", 3);
	assert_faults_between(run, "S12", -3, 6);
	assert_predicts(run, "S12", 6000 + 1000, 0, 8000 + 1100);
	run__free(run);
	run = linked(); /* binding, after the entry: so does ld.so with a program at a fixed address */
	run->start->objects[0].relocations[RELOC_RELATIVE] = 300;
	run->start->marks.entry = 5000;
	run->anatomy->rows[0].since_ns = run->anatomy->rows[0].faults * 5001;
	assert_silent(run, "S12");
	assert_silent(linked(), "S12"); /* at a fixed address: no relative relocation */
	run = linked();
	run->start->objects[0].relocations[RELOC_RELATIVE] = 1;
	run->anatomy->rows[0].class = FAULT_FILE_MAP; /* it read, and wrote nothing */
	assert_silent(run, "S12");
}

/* Without ld.so a program relocates itself: what it writes to before main(), not later. */
static void test_s12_static(void **state)
{
	struct run *run = linked();

	run->start->objects[0].relocations[RELOC_RELATIVE] = 300;
	run->start->marks.main = 5000;
	run->anatomy->rows[0].actor = ACTOR_PROGRAM;
	run->anatomy->rows[0].since_ns = 2 * 4999;
	run->start->phases[START_LIBC].ns = 7000;
	says(run, "S12", "and 2 pages");
	assert_predicts(run, "S12", 6000, 0, 8000 + 7000);
	run__free(run);
	run = linked();
	run->start->objects[0].relocations[RELOC_RELATIVE] = 300;
	run->start->marks.main = 5000;
	run->anatomy->rows[0].actor = ACTOR_PROGRAM;
	run->anatomy->rows[0].since_ns = 2 * 5000;
	assert_silent(run, "S12");
}

static struct run *bound(uint64_t slots, bool lazy)
{
	struct run *run = linked();

	run->start->objects[0].relocations[RELOC_JUMP_SLOT] = slots;
	run->start->objects[0].is_lazy = lazy;
	run->start->objects[0].relocations[RELOC_GLOB_DAT] = 1000;
	run->start->objects[0].relocations[RELOC_RELATIVE] = 1 << 20; /* takes no look-up */
	run->start->phases[START_RELOCATE].ns = 40000;
	run->start->untraced[START_PART_LDSO] = 20000;
	run->start->marks.first = 10000;
	run->start->marks.entry = 50000;
	return run;
}

/* Half of 2000 look-ups: of 40 us that ld.so computed, traced, 20; of 20, not traced, 10. */
static void test_s13(void **state)
{
	struct run *run = bound(1000, false);

	says(run, "S13", "-z now: linked.");
	says(run, "S13", "1000, of 2000 look-ups");
	assert_predicts(run, "S13", 10000, 0, 20000);
	run__free(run);
	assert_silent(bound(999, false), "S13");
	assert_silent(bound(1000, true), "S13");
	run = bound(1000, false);
	free(run->start->calls[0].path);
	run->start->calls[0].path = checked_strdup("/lib/ld-musl-x86_64.so.1");
	assert_silent(run, "S13"); /* knows no other way */
}

/* Of a program with so many libraries; ld.so takes so long without tracing, and half of that as traced. */
static struct run *linking(size_t libraries, double ns)
{
	struct run *run = linked();

	while (libraries--)
		link_object(run, "/lib/libsome.so.1", START_IS_LIBRARY, NO_OBJECT);
	link_object(run, "/lib/ld.so", START_IS_LDSO, NO_OBJECT);
	for (int part = 0; part < START_PART_COUNT; part++)
		run->start->untraced[part] = part == START_PART_LDSO ? ns : 15000;
	run->start->phases[START_SETUP].ns = 30000;
	run->start->phases[START_SEARCH].ns = 3000;
	run->start->phases[START_RELOCATE].ns = 6000;
	run->start->marks.first = 10000;
	run->start->marks.entry = 10000 + 40000;
	return run;
}

/* A static program has what is used of its library, and sets itself up: these are at the upper end alone. */
static void test_s15(void **state)
{
	struct run *run = linking(1, 20000);

	says(run, "S15", "20 us, not traced. It finds, maps and relocates 1 library");
	assert_predicts(run, "S15", 9000 + 2 * 3000 + (3000 + 6000 * 2 / 3) / 2, 9 * 100 + 2 * 2000,
			9000 + 2 * 4000 + 3000 + 6000 * 2 / 3 + 2 * 4000 + 30000);
	assert_faults(run, "S15", 2);
	run__free(run);
	says(run = linking(9, 20000), "S15", "9 libraries");
	run__free(run);
	assert_silent(linking(10, 20000), "S15");
	assert_silent(linking(0, 20000), "S15");
	assert_silent(linking(1, 14000), "S15"); /* main() takes longer */
	assert_silent(linking(1, NAN), "S15");
}

static void what_needs_ld_so_is_not_to_be_static(void **state)
{
	static const enum start_reason reasons[] = { REASON_NSS, REASON_GCONV, REASON_OPEN_LIBRARY };
	struct run *run = linking(1, 20000);

	run->start->objects[1].needed_by = 0; /* preloaded */
	assert_silent(run, "S15");
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		run = linking(1, 20000);
		add(run, reasons[i], "openat", "/lib/libother.so", 3)->begin_ns = 50000;
		assert_silent(run, "S15");
	}
}

static struct run *naming(int calls)
{
	struct run *run = new_run("/bin/id");

	for (int i = 0; i < calls; i++)
		add(run, REASON_NSS, "openat", "/etc/nsswitch.conf", i ? -2 : 3);
	add(run, REASON_FILE, "openat", "/etc/other", 3);
	return run;
}

static void test_s14(void **state)
{
	struct run *run = naming(4);
	struct start_call *module;

	module = add(run, REASON_SEGMENT_CODE, "mmap", NULL, 0);
	module->subject = checked_strdup("libnss_systemd.so.2");
	run->start->marks.end = 1000000; /* 200 times the calls */
	says(run, "S14", "hosts): 5 (3 failed), 5 us");
	says(run, "S14", "Opened: /etc/nsswitch.conf.");
	assert_false(ADVICE_OF(run->start, "S14")->predicted_ns.known);
	run__free(run);
	assert_silent(naming(4), "S14");
	run = naming(5);
	run->start->marks.end = 1000001;
	assert_silent(run, "S14");
}

/* What cannot be tried says why, and is not. */
static void test_ways(void **state)
{
	struct run *run = searching(2);
	const struct advice *advice;

	start_advice__find(run, NULL);
	advice = ADVICE_OF(run->start, "S1");
	assert_null(advice__way(advice));
	assert_non_null(strstr(advice->tried, "no: "));
	run__free(run);
}

/* Module site is read, or looked for code to run, without any directory of packages. */
static void test_s5_by_other_signs(void **state)
{
	static const char *const paths[] = { "/usr/lib/python3.11/__pycache__/site.cpython-311.pyc",
					     "/usr/lib/python3.11/sitecustomize.py" };

	for (int i = 0; i < 2; i++) {
		struct run *run = new_run("/usr/bin/python3.11");

		add(run, REASON_FILE, "openat", paths[i], i ? -2 : 3);
		says(run, "S5", i ? "that: 1, 1 of them failed. Compiled modules (.pyc) that were opened: 0."
					 : "that: 0, 0 of them failed. Compiled modules (.pyc) that were opened: 1.");
		run__free(run);
	}
}

/* A module that is not there was not opened. */
static void test_modules_in_vain(void **state)
{
	struct run *run = python("/usr/bin/python3.11", "/usr/lib/python3/dist-packages");

	add(run, REASON_FILE, "openat", "/usr/lib/python3.11/__pycache__/no.cpython-311.pyc", -2);
	says(run, "S5", "(.pyc) that were opened: 1.");
	run__free(run);
}

/* What was tried most is named first, what was tried once not at all. */
static void test_s6_names(void **state)
{
	static const char *const paths[] = { "/a/two", "/b/two", "/a/three", "/b/three", "/c/three", "/a/one" };
	struct run *run = new_run("/bin/a");

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		add(run, REASON_FILE, "openat", paths[i], -2);
	says(run, "S6", "Not found at several paths: three (3 paths), two (2 paths).");
	run__free(run);
}

/* A call whose duration is not known takes no time. */
static void test_calls_without_a_time(void **state)
{
	struct run *run = searching(3);

	run->start->calls[0].ns = ABSENT;
	says(run, "S1", "and fail: 3, 2 us");
	run__free(run);
}

/* Of 40 us in the phase, 10 in faults and 1 in a call of ld.so; not traced, it takes no longer than traced. */
static void test_computing(void **state)
{
	static const struct {
		uint64_t first, entry;
		double untraced, value; /* of two fifths of 29 us */
	} cases[] = {
		{ 10000, 90000, 40000, 5800 }, { 10000, 90000, 80000, 11600 }, { 10000, 90000, 90000, 11600 },
		{ 10000, 10000, 40000, 0 },    { 10000, ABSENT, 40000, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = unused(0);

		run->start->marks.first = cases[i].first;
		run->start->marks.entry = cases[i].entry;
		run->start->untraced[START_PART_LDSO] = cases[i].untraced;
		run->start->phases[START_RELOCATE].ns = 40000;
		run->start->phases[START_RELOCATE].fault_ns[ACTOR_LDSO] = 10000;
		add(run, REASON_OPEN_LIBRARY, "openat", "/lib/x", 3)->phase = START_RELOCATE;
		says(run, "S9", "libunused.so.1");
		assert_predicts(run, "S9", 18000 + 12000 + cases[i].value, 1800 + 8000,
				18000 + 16000 + 11600);
		run__free(run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_s1),
		cmocka_unit_test(test_s1_whose_directories), cmocka_unit_test(test_s1_of_musl),
     cmocka_unit_test(test_unknown_costs),
		cmocka_unit_test(test_missed), cmocka_unit_test(test_s2), cmocka_unit_test(test_set_already),
		cmocka_unit_test(test_s3),     cmocka_unit_test(test_python), cmocka_unit_test(test_python_has_the_option),
		cmocka_unit_test(test_s6),     cmocka_unit_test(test_s6_without_a_search),
		cmocka_unit_test(test_s6_without_waiting),
		cmocka_unit_test(test_s8_of_one_byte),
		cmocka_unit_test(test_s7), cmocka_unit_test(test_s7_relative),
		cmocka_unit_test(test_s8),     cmocka_unit_test(test_ways),
		cmocka_unit_test(test_s9),     cmocka_unit_test(test_faults_of_others),
		cmocka_unit_test(test_s10),    cmocka_unit_test(test_s11),
		cmocka_unit_test(test_s9_slow_faults), cmocka_unit_test(test_s9_between), cmocka_unit_test(test_s9_by_relocations),
		cmocka_unit_test(test_s12),    cmocka_unit_test(test_s12_static),
		cmocka_unit_test(test_s13),    cmocka_unit_test(test_s14),
		cmocka_unit_test(test_s15),    cmocka_unit_test(what_needs_ld_so_is_not_to_be_static),
		cmocka_unit_test(test_s5_by_other_signs),
		cmocka_unit_test(test_modules_in_vain),
		cmocka_unit_test(test_s6_names),
		cmocka_unit_test(test_calls_without_a_time),
		cmocka_unit_test(test_computing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
