// SPDX-License-Identifier: GPL-2.0-or-later
/* A start from its calls to its phases, reasons, searches and sums. */
#include "unit.h"

#include "analysis/start/start_answer.h"
#include "analysis/start/start_causes.h"
#include "analysis/start/start_findings.h"
#include "analysis/start/start_groups.h"
#include "analysis/start/start_parts.h"
#include "made.h"
#include "model/rows/fields.h"
#include "model/run/run.h"
#include "resolve/start/start_explain.h"
#include "source/calls/start_log.h"
#include "start_calls.h"

/* A run with that start, explained; marks in microseconds. */
static struct run *run_of(const struct call_line *lines, size_t count, const uint64_t marks[4],
			  uint64_t end)
{
	struct run *run = made_run(WITH_START);
	struct start_log *log = start_log__new(run->start);

	for (size_t i = 0; i < count; i++) {
		struct call_record record = record_of((int)i, &lines[i]);

		start_log__call(log, &record);
	}
	start_log__finish(log);
	start_log__free(log);
	run->start->marks.first = marks[0] * 1000;
	run->start->marks.entry = marks[1] * 1000;
	run->start->marks.main = marks[2] * 1000;
	run->start->marks.returned = marks[3] * 1000;
	run->start->program_address = 0x550000;
	MADE_PROCESS(run, .exe = 0)->end_ns = end * 1000;
	return run;
}

static const uint64_t small_marks[4] = { 5, 245, 265, 325 };

static struct run *small_run(void)
{
	struct run *run = run_of(small_start, SMALL_CALLS, small_marks, 400);

	start__explain(run);
	return run;
}

static char *law_of(const struct start *start)
{
	const struct scope scope = { NULL, start, NULL, 0 };

	return start_shape.law(&scope);
}

static void assert_phase(const struct start *start, enum start_phase phase, uint64_t us,
			 uint64_t calls, uint64_t errors)
{
	const struct start_sum *sum = &start->phases[phase];

	if (sum->ns != us * 1000 || sum->calls != calls || sum->errors != errors)
		fail_msg("%s: %llu ns, %llu calls, %llu errors", start_phase_counters[phase].key,
			 (unsigned long long)sum->ns, (unsigned long long)sum->calls,
			 (unsigned long long)sum->errors);
}

static void test_phases(void **state)
{
	struct run *run = small_run();
	const struct start *start = run->start;

	assert_phase(start, START_EXEC, 5, 1, 0);
	assert_phase(start, START_SETUP, 39, 4, 0);
	assert_phase(start, START_SEARCH, 60, 6, 2);
	assert_phase(start, START_MAP, 90, 9, 0);
	assert_phase(start, START_RELOCATE, 20, 2, 0);
	assert_phase(start, START_INIT, 31, 3, 0);
	assert_phase(start, START_LIBC, 20, 2, 1);
	assert_phase(start, START_MAIN, 60, 6, 1);
	assert_phase(start, START_EXIT, 15, 1, 0);
	assert_phase(start, START_END, 60, 1, 0);
	assert_true(start->phases[START_LDSO].ns == ABSENT);
	assert_true(start->phases[START_WHOLE].ns == ABSENT);
	assert_null(law_of(start));
	run__free(run);
}

/* Where its file is mapped in all, summed up. */
static uint64_t offsets_of(const struct start *start)
{
	struct start_view view;
	uint64_t sum = 0;

	start_view__begin(&view, start);
	for (size_t i = 0; i < start->call_count; i++) {
		start_view__look(&view, i);
		start_view__pass(&view);
	}
	for (size_t i = 0; i < view.mapping_count; i++)
		sum += view.mappings[i].offset;
	start_view__end(&view);
	return sum;
}

/* Its calls have other names, and mmap2 has its offset in units of 4 KiB. */
static void test_32_bit(void **state)
{
	struct call_line lines[SMALL_CALLS];
	struct run *run = small_run(), *narrow;

	memcpy(lines, small_start, sizeof(lines));
	for (size_t i = 0; i < SMALL_CALLS; i++) {
		if (!strcmp(lines[i].name, "mmap")) {
			lines[i].name = "mmap2";
			lines[i].arguments[5] >>= 12;
		} else if (!strcmp(lines[i].name, "arch_prctl")) {
			lines[i].name = "set_thread_area";
		}
	}
	narrow = run_of(lines, SMALL_CALLS, small_marks, 400);
	start__explain(narrow);
	for (int phase = 0; phase < START_PHASE_COUNT; phase++)
		assert_int_equal(narrow->start->phases[phase].ns, run->start->phases[phase].ns);
	for (size_t i = 0; i < SMALL_CALLS; i++)
		if (run->start->calls[i].reason != REASON_TLS) /* where that leads is in memory */
			assert_int_equal(narrow->start->calls[i].reason, run->start->calls[i].reason);
	assert_int_equal(offsets_of(narrow->start), offsets_of(run->start));
	run__free(narrow);
	run__free(run);
}

/* Without a mark the phases that it would part become one, and the sum stays. */
static void test_unknown_marks(void **state)
{
	static const uint64_t nothing[4] = { 0 };
	struct run *run = run_of(small_start, SMALL_CALLS, small_marks, 400);

	run->start->marks.main = run->start->marks.returned = ABSENT;
	start__explain(run);
	assert_phase(run->start, START_PROGRAM, 95, 9, 2);
	assert_true(run->start->phases[START_MAIN].ns == ABSENT);
	assert_null(law_of(run->start));
	run__free(run);

	run = run_of(small_start, SMALL_CALLS, nothing, 400);
	run->start->marks =
		(struct start_marks){ ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT };
	start__explain(run);
	assert_phase(run->start, START_EXEC, 4, 1, 0);
	assert_phase(run->start, START_WHOLE, 336, 33, 4);
	assert_phase(run->start, START_END, 60, 1, 0);
	run__free(run);
}

/* Who made the calls is not known from a log of strace. */
static void test_unknown_actors(void **state)
{
	struct call_line lines[SMALL_CALLS];
	struct run *run;

	memcpy(lines, small_start, sizeof(lines));
	for (size_t i = 0; i < SMALL_CALLS; i++)
		lines[i].actor = ACTOR_COUNT;
	run = run_of(lines, SMALL_CALLS, small_marks, 400);
	start__explain(run);
	assert_phase(run->start, START_LDSO, 240, 24, 2);
	assert_phase(run->start, START_LIBC, 20, 2, 1);
	assert_null(law_of(run->start));
	run__free(run);
}

/* Nor are marks: but who was there before the program, its calls tell, and what they were for. */
static void test_log(void **state)
{
	static const uint64_t nothing[4] = { 0 };
	struct call_line lines[SMALL_CALLS];
	struct run *run, *reported = small_run();
	const struct start *start;

	memcpy(lines, small_start, sizeof(lines));
	for (size_t i = 0; i < SMALL_CALLS; i++)
		lines[i].actor = ACTOR_COUNT;
	run = run_of(lines, SMALL_CALLS, nothing, 400);
	run->origins[HAS_ACTORS] = ORIGIN_NOT_SUPPORTED;
	run->start->marks = (struct start_marks){ ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT };
	start__explain(run);
	start = run->start;
	for (size_t i = 1; i < 22; i++) {
		assert_true(start->calls[i].before_program);
		assert_int_equal(start->calls[i].reason, reported->start->calls[i].reason);
	}
	assert_false(start->calls[22].before_program);
	assert_phase(start, START_EXEC, 4, 1, 0);
	assert_phase(start, START_SETUP, 40, 4, 0);
	assert_phase(start, START_SEARCH, 60, 6, 2);
	assert_phase(start, START_MAP, 90, 9, 0);
	assert_phase(start, START_RELOCATE, 20, 2, 0);
	assert_phase(start, START_WHOLE, 126, 12, 2);
	assert_phase(start, START_END, 60, 1, 0);
	assert_null(law_of(start));
	run__free(run);
	run__free(reported);
}

/* Behind the last of ld.so's mprotects the program may run, whatever its calls look like. */
static void test_log_behind_ldso(void **state)
{
	static const uint64_t nothing[4] = { 0 };
	struct call_line lines[SMALL_CALLS];
	struct run *run;

	memcpy(lines, small_start, sizeof(lines));
	for (size_t i = 0; i < SMALL_CALLS; i++)
		lines[i].actor = ACTOR_COUNT;
	lines[22] = lines[23]; /* munmap */
	lines[23] = lines[21]; /* mprotect */
	lines[24].name = "rt_sigaction";
	run = run_of(lines, SMALL_CALLS, nothing, 400);
	run->origins[HAS_ACTORS] = ORIGIN_NOT_SUPPORTED;
	run->start->calls[24].known[0] = false;
	start__explain(run);
	assert_true(run->start->calls[21].before_program);
	assert_false(run->start->calls[22].before_program);
	assert_false(run->start->calls[23].before_program);
	assert_int_equal(run->start->calls[24].reason, REASON_SIGNAL);
	assert_null(run->start->calls[24].subject); /* not "signal 0" */
	run__free(run);
}

/* No library: the mprotect that static programs make is their own. */
static void test_log_of_static_program(void **state)
{
	static const struct call_line lines[] = {
		{ ACTOR_COUNT, "execve", "/bin/static", { 0x1000 }, 0, false },
		{ ACTOR_COUNT, "brk", NULL, { 0 }, 0x5000, false },
		{ ACTOR_COUNT, "mprotect", NULL, { 0x555000, 0x1000, 1 }, 0, false },
		{ ACTOR_COUNT, "exit_group", NULL, { 0 }, 0, true },
	};
	static const uint64_t nothing[4] = { 0 };
	struct run *run = run_of(lines, 4, nothing, 40);

	run->origins[HAS_ACTORS] = ORIGIN_NOT_SUPPORTED;
	run->start->marks = (struct start_marks){ ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT };
	start__explain(run);
	for (int i = 0; i < 4; i++)
		assert_false(run->start->calls[i].before_program);
	assert_phase(run->start, START_WHOLE, 26, 2, 0);
	run__free(run);
}

/* Marks that another process of the same layout would have left, or that come after the end. */
static void test_impossible_marks(void **state)
{
	static const uint64_t marks[4] = { 5, 245, 200, 345 };
	struct run *run = run_of(small_start, SMALL_CALLS, marks, 400);

	start__explain(run);
	assert_true(run->start->marks.main == ABSENT);
	assert_true(run->start->marks.returned == ABSENT);
	assert_phase(run->start, START_PROGRAM, 95, 9, 2);
	run__free(run);
}

static void test_reasons(void **state)
{
	static const struct {
		int call;
		enum start_reason reason;
		const char *subject;
	} expected[] = {
		{ 0, REASON_EXEC, NULL },
		{ 1, REASON_BREAK, NULL },
		{ 2, REASON_PRELOAD, NULL },
		{ 3, REASON_CACHE, "/etc/ld.so.cache" },
		{ 4, REASON_CACHE, "/etc/ld.so.cache" },
		{ 5, REASON_CACHE, "/etc/ld.so.cache" },
		{ 6, REASON_CACHE, "/etc/ld.so.cache" },
		{ 7, REASON_SEARCH, "libsmall.so.1" },
		{ 8, REASON_OPEN_LIBRARY, "libsmall.so.1" },
		{ 9, REASON_ELF_HEADER, "libsmall.so.1" },
		{ 10, REASON_IDENTITY, "libsmall.so.1" },
		{ 11, REASON_SEGMENT_ALL, "libsmall.so.1" },
		{ 12, REASON_SEGMENT_CODE, "libsmall.so.1" },
		{ 13, REASON_SEGMENT_CONST, "libsmall.so.1" },
		{ 14, REASON_SEGMENT_DATA, "libsmall.so.1" },
		{ 15, REASON_BSS, "libsmall.so.1" },
		{ 16, REASON_CLOSE_LIBRARY, "libsmall.so.1" },
		{ 17, REASON_TLS, NULL },
		{ 18, REASON_THREAD_POINTER, NULL },
		{ 19, REASON_TID_ADDRESS, NULL },
		{ 20, REASON_RELRO, "libsmall.so.1" },
		{ 21, REASON_RELRO, "the program" },
		{ 22, REASON_STACK_LIMIT, NULL },
		{ 23, REASON_CACHE_GONE, "/etc/ld.so.cache" },
		{ 24, REASON_PROCESS_IDS, NULL },
		{ 25, REASON_ONCE, NULL },
		{ 26, REASON_UNKNOWN, NULL },
		{ 27, REASON_HEAP_KEY, NULL },
		{ 28, REASON_HEAP, NULL },
		{ 29, REASON_LOCALE, "LC_CTYPE" },
		{ 30, REASON_LOCALE, "LC_CTYPE" },
		{ 31, REASON_IS_TERMINAL, "stdout" },
		{ 32, REASON_OUTPUT, "stdout" },
		{ 33, REASON_SIGNAL, "SIGPIPE" },
		{ 34, REASON_END, NULL },
	};
	struct run *run = small_run();

	_Static_assert(sizeof(expected) / sizeof(expected[0]) == SMALL_CALLS, "every call");
	for (size_t i = 0; i < SMALL_CALLS; i++) {
		const struct start_call *call = &run->start->calls[expected[i].call];
		const char *subject = call->subject ? call->subject : "(none)";
		const char *wanted = expected[i].subject ? expected[i].subject : "(none)";

		if (call->reason != expected[i].reason || strcmp(subject, wanted) != 0)
			fail_msg("%zu %s: %s of %s", i, call->name, start_reason_keys[call->reason],
				 subject);
	}
	assert_int_equal(start__unexplained(run->start), 1);
	run__free(run);
}

/* Without stacks nobody knows who made calls that programs make, too; ld.so's are known. */
static void test_reasons_by_shape(void **state)
{
	static const int by_shape[] = { 25, 27, 28, 29, 30, 31 };
	struct run *run = small_run();
	size_t found = 0;
	char *why;

	for (int i = 0; i < SMALL_CALLS; i++) {
		const bool expected = found < 6 && i == by_shape[found];

		if (run->start->calls[i].by_shape != expected)
			fail_msg("call %d: %d", i, !expected);
		found += expected;
	}
	why = start_call__why(&run->start->calls[27]);
	assert_string_equal(why, "looks like: malloc's tcache key");
	free(why);
	run__free(run);
}

/* The small start with another call in one place. */
static struct run *changed_run(int place, struct call_line line)
{
	struct call_line lines[SMALL_CALLS];
	struct run *run;

	memcpy(lines, small_start, sizeof(lines));
	lines[place] = line;
	run = run_of(lines, SMALL_CALLS, small_marks, 400);
	start__explain(run);
	return run;
}

/* What constructors map is no library, and no memory of ld.so. */
static void test_constructor(void **state)
{
	struct run *run = changed_run(24, (struct call_line){
		ACTOR_PROGRAM, "mmap", NULL, { 0, 0x1000, 3, 0x22, UINT64_MAX }, 0x300000, false });

	assert_phase(run->start, START_RELOCATE, 20, 2, 0);
	assert_phase(run->start, START_INIT, 31, 3, 0);
	run__free(run);
}

/* Memory that ld.so takes for its lists while it searches and maps is taken for that; later, it is not. */
static void test_memory_of_the_linker(void **state)
{
	const struct call_line memory = { ACTOR_LDSO, "mmap", NULL, { 0, 0x2000, 3, 0x22, UINT64_MAX, 0 },
					  0x300000, false };
	struct run *run = changed_run(10, memory); /* before the first segment is mapped */

	assert_phase(run->start, START_SETUP, 39, 4, 0);
	assert_phase(run->start, START_MAP, 90, 9, 0);
	assert_int_equal(run->start->calls[10].phase, START_MAP);
	assert_int_equal(run->start->calls[10].reason, REASON_LDSO_DATA);
	assert_null(law_of(run->start));
	run__free(run);
	run = changed_run(6, memory); /* before it looks for the first library */
	assert_int_equal(run->start->calls[6].phase, START_SEARCH);
	run__free(run);
	run = changed_run(1, memory); /* at its own start */
	assert_int_equal(run->start->calls[1].phase, START_SETUP);
	run__free(run);
	run = changed_run(2, memory); /* and before it looks for anything */
	assert_int_equal(run->start->calls[2].phase, START_SETUP);
	run__free(run);
	run = changed_run(16, memory); /* before that of thread-local storage */
	assert_int_equal(run->start->calls[16].phase, START_SETUP);
	assert_int_equal(run->start->calls[17].phase, START_SETUP);
	run__free(run);
}

static void test_other_reasons(void **state)
{
	/* PROT_GROWSDOWN. */
	struct run *run = changed_run(20, (struct call_line){
		ACTOR_LDSO, "mprotect", NULL, { 0x7fffffffe000, 0x1000, 0x1000007 }, 0, false });

	assert_int_equal(run->start->calls[20].reason, REASON_STACK_CODE);
	run__free(run);
	run = changed_run(24, (struct call_line){ ACTOR_PROGRAM, "clone3", NULL, { 0x300 }, 200, false });
	/* It may be a broadcast to threads: nobody knows whose code made it. */
	assert_true(run->start->calls[25].by_shape);
	run__free(run);
	run = changed_run(30, (struct call_line){
		ACTOR_PROGRAM, "mmap", NULL, { 0x400000, 0x1000, 1, 0x12, 3, 0 }, 0x400000, false });
	assert_int_equal(run->start->calls[29].reason, REASON_LOCALE);
	run__free(run);
}

/* A program may map a file as code, and ask for the files of ld.so, as ld.so does. */
static void test_program_like_ldso(void **state)
{
	struct call_line lines[SMALL_CALLS];
	struct run *run;

	memcpy(lines, small_start, sizeof(lines));
	lines[24] = (struct call_line){ ACTOR_PROGRAM, "openat", "/opt/code", { 0, 0x100 }, 3, false };
	lines[25] = (struct call_line){
		ACTOR_PROGRAM, "mmap", NULL, { 0, 0x1000, 5, 2, 3, 0 }, 0x400000, false };
	lines[26] = (struct call_line){ ACTOR_PROGRAM, "close", NULL, { 3 }, 0, false };
	lines[27] = (struct call_line){
		ACTOR_PROGRAM, "access", "/etc/ld.so.preload", { 0x100, 4 }, -2, false };
	run = run_of(lines, SMALL_CALLS, small_marks, 400);
	start__explain(run);
	for (int i = 24; i < 28; i++) {
		assert_int_equal(run->start->calls[i].reason, REASON_FILE);
		assert_false(run->start->calls[i].by_shape);
	}
	run__free(run);
}

/* ld.so opens a segment that it may not write to, relocates words in it, and closes it: no RELRO. */
static void test_text_relocations(void **state)
{
	struct call_line lines[SMALL_CALLS];
	struct run *run;

	memcpy(lines, small_start, sizeof(lines));
	lines[18] = (struct call_line){ ACTOR_LDSO, "mprotect", NULL, { 0x105000, 0x1000, 3 }, 0, false };
	lines[19] = (struct call_line){ ACTOR_LDSO, "mprotect", NULL, { 0x105000, 0x1000, 1 }, 0, false };
	run = run_of(lines, SMALL_CALLS, small_marks, 400);
	start__explain(run);
	assert_int_equal(run->start->calls[18].reason, REASON_TEXT_RELOCATIONS);
	assert_int_equal(run->start->calls[19].reason, REASON_TEXT_RELOCATIONS);
	assert_int_equal(run->start->calls[20].reason, REASON_RELRO);
	run__free(run);
}

/* Where the program is, for $ORIGIN: no directory that libraries are looked for in. */
static void test_origin(void **state)
{
	struct run *run = changed_run(7, (struct call_line){
		ACTOR_LDSO, "readlink", "/proc/self/exe", { 0x100, 0x200, 0x1000 }, 10, false });

	assert_int_equal(run->start->calls[7].reason, REASON_FILE);
	run__free(run);
}

/* Other threads may make calls after exit_group, until they are killed. */
static void test_calls_after_exit(void **state)
{
	struct call_line lines[SMALL_CALLS + 1];
	struct run *run;

	memcpy(lines, small_start, sizeof(small_start));
	lines[SMALL_CALLS] = (struct call_line){ ACTOR_PROGRAM, "getpid", NULL, { 0 }, 100, false };
	run = run_of(lines, SMALL_CALLS + 1, small_marks, 400);
	start__explain(run);
	assert_phase(run->start, START_END, 60, 2, 0);
	assert_null(law_of(run->start));
	run__free(run);
}

/* Descriptors by what made them; by number where no call tells; and those that are not open. */
static void test_reasons_of_descriptors(void **state)
{
	const struct call_line lines[] = {
		{ ACTOR_PROGRAM, "execve", "/bin/x", { 0 }, 0, false },
		{ ACTOR_PROGRAM, "socket", NULL, { 1, 2 }, 3, false },
		{ ACTOR_PROGRAM, "connect", NULL, { 3 }, -2, false },
		{ ACTOR_PROGRAM, "close", NULL, { 3 }, 0, false },
		{ ACTOR_PROGRAM, "close", NULL, { 3 }, -9, false },
		{ ACTOR_PROGRAM, "eventfd2", NULL, { 0, 0x80800 }, 3, false },
		{ ACTOR_PROGRAM, "fcntl", NULL, { 3, 4, 0x800 }, 0, false },
		{ ACTOR_PROGRAM, "fcntl", NULL, { 3, 0, 10 }, 10, false }, /* F_DUPFD */
		{ ACTOR_PROGRAM, "write", NULL, { 10 }, 8, false },
		{ ACTOR_PROGRAM, "pipe2", NULL, { 0x100 }, 0, false },
		{ ACTOR_PROGRAM, "read", NULL, { 4 }, 1, false },
		{ ACTOR_PROGRAM, "dup2", NULL, { 4, 5 }, 5, false },
		{ ACTOR_PROGRAM, "fcntl", NULL, { 5, 1030, 0 }, 11, false }, /* F_DUPFD_CLOEXEC */
		{ ACTOR_PROGRAM, "epoll_wait", NULL, { 6 }, 0, false },
		{ ACTOR_PROGRAM, "prctl", NULL, { 15, 0x100 }, 0, false },
		{ ACTOR_PROGRAM, "prctl", NULL, { 38, 1 }, 0, false },
		{ ACTOR_PROGRAM, "exit_group", NULL, { 0 }, 0, true },
	};
	static const struct {
		enum start_reason reason;
		const char *subject;
	} expected[] = {
		{ REASON_EXEC, NULL },
		{ REASON_SOCKET, NULL },
		{ REASON_CONNECTION, NULL },
		{ REASON_FILE, "socket:" },
		{ REASON_IS_OPEN, "3" },
		{ REASON_WAKE, NULL },
		{ REASON_FILE, "anon_inode:[eventfd]" },
		{ REASON_COPY, "anon_inode:[eventfd]" },
		{ REASON_FILE, "anon_inode:[eventfd]" },
		{ REASON_PIPE, NULL },
		{ REASON_DESCRIPTOR, "4" },
		{ REASON_COPY, "4" },
		{ REASON_COPY, "5" },
		{ REASON_EVENTS, NULL },
		{ REASON_THREAD_NAME, NULL },
		{ REASON_SETTINGS, NULL },
		{ REASON_END, NULL },
	};
	enum { CALLS = sizeof(lines) / sizeof(lines[0]) };
	static const uint64_t marks[4] = { 5, 5, 6, 165 };
	struct run *run = run_of(lines, CALLS, marks, 400);

	start__explain(run);
	for (size_t i = 0; i < CALLS; i++) {
		const struct start_call *call = &run->start->calls[i];

		assert_string_equal(start_reason_keys[call->reason],
				    start_reason_keys[expected[i].reason]);
		assert_string_equal(call->subject ? call->subject : "(none)",
				    expected[i].subject ? expected[i].subject : "(none)");
	}
	run__free(run);
}

/* What a file is used for: the path, and what is done with it. */
static void test_uses(void **state)
{
	enum { CLOEXEC = 0x80000, MAPS = 1, READS };
	static const struct {
		const char *path;
		uint64_t flags;
		int then;
		bool has_names; /* it reads nsswitch.conf, too */
		enum start_reason reason;
	} cases[] = {
		{ "/etc/passwd", CLOEXEC, READS, true, REASON_NSS },
		{ "/etc/passwd", CLOEXEC, READS, false, REASON_FILE },
		{ "/etc/passwd", 0, READS, true, REASON_FILE },
		{ "/usr/lib/locale/C.utf8/LC_CTYPE", CLOEXEC, MAPS, false, REASON_LOCALE },
		{ "/usr/lib/locale/C.utf8/LC_CTYPE", CLOEXEC, READS, false, REASON_FILE },
		{ "/usr/lib/locale/C.utf8/LC_MESSAGES", CLOEXEC, 0, false, REASON_LOCALE },
		{ "/usr/lib/locale/locale-archive", CLOEXEC, MAPS, false, REASON_LOCALE },
		{ "/usr/share/locale/locale.alias", CLOEXEC, READS, false, REASON_LOCALE },
		{ "/usr/share/locale/locale.alias", 0, READS, false, REASON_FILE },
		{ "/srv/locale/en.json", CLOEXEC, MAPS, false, REASON_FILE },
		{ "/usr/lib/gconv/gconv-modules.cache", 0, MAPS, false, REASON_GCONV },
		{ "/usr/lib/gconv/gconv-modules.cache", 0, READS, false, REASON_FILE },
		{ "/usr/lib/gconv/gconv-modules", CLOEXEC, READS, false, REASON_GCONV },
		{ "/srv/gconv/x.json", CLOEXEC, READS, false, REASON_FILE },
		{ "/usr/share/terminfo/x/xterm", 0, READS, false, REASON_TERMINFO },
		{ "/usr/share/terminfo/78/xterm", 0, READS, false, REASON_TERMINFO },
		{ "/srv/terminfo/y/xterm", 0, READS, false, REASON_FILE },
		{ "/etc/localtime", CLOEXEC, READS, false, REASON_TIME_ZONE },
		{ "/etc/localtime", 0, READS, false, REASON_FILE },
	};
	static const uint64_t marks[4] = { 5, 5, 6, 165 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct call_line lines[] = {
			{ ACTOR_PROGRAM, "execve", "/bin/x", { 0 }, 0, false },
			{ ACTOR_PROGRAM, "openat", cases[i].has_names ? "/etc/nsswitch.conf" : "/etc/other",
			  { 0, 0x100, CLOEXEC }, 3, false },
			{ ACTOR_PROGRAM, "close", NULL, { 3 }, 0, false },
			{ ACTOR_PROGRAM, "openat", cases[i].path, { 0, 0x100, cases[i].flags }, 3, false },
			{ ACTOR_PROGRAM, "newfstatat", "", { 3, 0x100 }, 0, false },
			cases[i].then == READS
				? (struct call_line){ ACTOR_PROGRAM, "read", NULL, { 3, 0x100, 99 }, 99, false }
				: (struct call_line){ ACTOR_PROGRAM, "mmap", NULL,
						      { 0, 99, 1, 2, cases[i].then ? 3 : 9 }, 0x400000, false },
			{ ACTOR_PROGRAM, "close", NULL, { 3 }, 0, false },
			{ ACTOR_PROGRAM, "read", NULL, { 3, 0x100, 9 }, 0, false }, /* of something else */
		};
		struct run *run = run_of(lines, sizeof(lines) / sizeof(lines[0]), marks, 400);

		start__explain(run);
		for (int call = 3; call < 7; call++)
			if ((call != 5 || cases[i].then) && run->start->calls[call].reason != cases[i].reason)
				fail_msg("case %zu, call %d: %s", i, call,
					 start_reason_keys[run->start->calls[call].reason]);
		run__free(run);
	}
}

static void test_searches(void **state)
{
	struct run *run = small_run();
	const struct start_search *search = run->start->searches;

	assert_int_equal(run->start->search_count, 1);
	assert_string_equal(search->name, "libsmall.so.1");
	assert_string_equal(search->found, "/second/libsmall.so.1");
	assert_int_equal(search->tries, 2);
	assert_int_equal(search->failed, 1);
	assert_int_equal(search->ns, 8000);
	run__free(run);
}

/* Two bits of open(2) have each the other's meaning on arm64; what has no name is a number. */
static void test_words_of_arguments(void **state)
{
	struct start_call call = {
		.name = "openat", .abi = ABI_AARCH64, .path = "/", .arguments = { -100, 0, 02040000 },
		.known = { true, true, true, true, true, true },
	};
	char *arm = start_call__words(&call), *x86, *none;

	call.abi = ABI_X86_64;
	x86 = start_call__words(&call);
	call = (struct start_call){ .name = "prlimit64", .arguments = { 0, 99, 0, 0x1234567 },
				    .known = { true, true, true } };
	none = start_call__words(&call);
	assert_string_equal(arm, "openat(AT_FDCWD, \"/\", O_RDONLY|O_CLOEXEC|O_DIRECTORY)");
	assert_string_equal(x86, "openat(AT_FDCWD, \"/\", O_RDONLY|O_DIRECT|O_CLOEXEC)");
	assert_string_equal(none, "prlimit64(0, 0x63, NULL, ?)");
	free(arm);
	free(x86);
	free(none);
}

static void test_words(void **state)
{
	struct run *run = small_run();
	char *words = start_call__words(&run->start->calls[26]);
	char *path = start_call__words(&run->start->calls[8]);
	char *why = start_call__why(&run->start->calls[12]);

	/* lookup_dcookie is not in the table of arguments: all six may count. */
	assert_string_equal(words, "lookup_dcookie(7, 0x123456, 0, 0, 0, 0)");
	assert_string_equal(path, "openat(AT_FDCWD, \"/second/libsmall.so.1\", O_RDONLY|O_CLOEXEC)");
	assert_string_equal(why, "code segment of libsmall.so.1");
	free(words);
	free(path);
	free(why);
	run__free(run);
}

static void test_groups(void **state)
{
	struct run *run = small_run();
	struct start_groups groups = start_groups__of(run->start);
	const struct start_group *mmap = NULL;
	uint64_t calls = 0;

	for (size_t i = 0; i < groups.count; i++) {
		calls += groups.groups[i].calls;
		if (groups.groups[i].phase == START_MAP && !strcmp(groups.groups[i].name, "mmap"))
			mmap = &groups.groups[i];
	}
	assert_int_equal(calls, SMALL_CALLS);
	assert_non_null(mmap);
	assert_int_equal(mmap->calls, 5);
	assert_int_equal(mmap->use_count, 2);
	assert_string_equal(mmap->uses[0].words, "segment of %s");
	assert_int_equal(mmap->uses[0].calls, 4);
	assert_int_equal(mmap->uses[0].subject_count, 1);
	start_groups__free(&groups);
	run__free(run);
}

/* Faults go where their time is: by ld.so, and in the phases of others. */
static void test_faults(void **state)
{
	struct run *run = run_of(small_start, SMALL_CALLS, small_marks, 400);
	const struct start_fault faults[] = {
		{ 1000, 500, ACTOR_KERNEL, FAULT_ZERO_FILL },
		{ 6000, 700, ACTOR_LDSO, FAULT_FILE_MAP },
		{ 200000, 900, ACTOR_LDSO, FAULT_FILE_COW },
		{ 201000, 0, ACTOR_LDSO, FAULT_FILE_COW },
		{ 300000, 800, ACTOR_PROGRAM, FAULT_ZERO_FILL },
	};
	const struct start_sum *relocating = &run->start->phases[START_RELOCATE];

	for (size_t i = 0; i < 5; i++)
		start_faults__add(run->start, &faults[i]);
	run->processes[0].images[0].faults.total = 7;
	start__explain(run);
	assert_int_equal(run->start->unplaced, 2);
	assert_int_equal(start_sum__faults(&run->start->phases[START_EXEC]), 1);
	assert_int_equal(start_sum__faults(&run->start->phases[START_SETUP]), 1);
	assert_int_equal(start_sum__dirtied(&run->start->phases[START_SETUP]), 0);
	assert_int_equal(relocating->faults[ACTOR_LDSO][FAULT_FILE_COW], 2);
	assert_int_equal(relocating->fault_ns[ACTOR_LDSO], 900);
	assert_int_equal(relocating->timed[ACTOR_LDSO], 1);
	assert_int_equal(start_sum__dirtied(relocating), 2);
	assert_int_equal(start_sum__faults(&run->start->phases[START_MAIN]), 1);
	assert_null(run->start->fault_list);
	assert_null(law_of(run->start));
	run__free(run);
}

static void test_findings(void **state)
{
	const struct call_line lines[] = {
		{ ACTOR_PROGRAM, "execve", "/bin/a", { 0 }, 0, false },
		{ ACTOR_PROGRAM, "getuid", NULL, { 77 }, 0, false },
		{ ACTOR_PROGRAM, "newfstatat", "/x", { 0, 0x70000, 0x80000, 0 }, 0, false },
		{ ACTOR_PROGRAM, "newfstatat", "/x", { 0, 0x70000, 0x90000, 0 }, 0, false },
		{ ACTOR_PROGRAM, "newfstatat", "/x", { 0, 0x70000, 0x90000, 0x100 }, 0, false },
		{ ACTOR_PROGRAM, "newfstatat", "/x", { 0, 0x70000, 0x90000, 0 }, -2, false },
		{ ACTOR_PROGRAM, "newfstatat", "/y", { 0, 0x70000, 0x90000, 0 }, 0, false },
		{ ACTOR_PROGRAM, "newfstatat", "/x", { 0, 0x70000, 0xa0000, 0 }, 0, false },
		{ ACTOR_PROGRAM, "getuid", NULL, { 78 }, 0, false },
		{ ACTOR_PROGRAM, "openat", "/x", { 0 }, 3, false },
		{ ACTOR_PROGRAM, "openat", "/x", { 0 }, 3, false },
		{ ACTOR_PROGRAM, "openat", "/z", { 0 }, -2, false },
		{ ACTOR_PROGRAM, "openat", "/z", { 0 }, -2, false },
		{ ACTOR_PROGRAM, "newfstatat", "Makefile", { 5, 0x70000, 0x90000, 0 }, 0, false },
		{ ACTOR_PROGRAM, "newfstatat", "Makefile", { 5, 0x70000, 0x90000, 0 }, 0, false },
		{ ACTOR_PROGRAM, "getcwd", NULL, { 0x70000, 4096 }, 5, false },
		{ ACTOR_PROGRAM, "getcwd", NULL, { 0x70000, 4096 }, 5, false },
		{ ACTOR_PROGRAM, "read", NULL, { 3, 0x70000, 1 }, 1, false },
		{ ACTOR_PROGRAM, "read", NULL, { 3, 0x70000, 1 }, 1, false },
		{ ACTOR_PROGRAM, "read", NULL, { 3, 0x70000, 2 }, 1, false },
		{ ACTOR_PROGRAM, "lseek", NULL, { 3, 0, 1 }, 5, false },
		{ ACTOR_PROGRAM, "lseek", NULL, { 3, 0, 0 }, 0, false },
		{ ACTOR_PROGRAM, "lseek", NULL, { 3, 4, 1 }, 4, false },
	};
	static const uint64_t marks[4] = { 5, 5, 6, 7 };
	struct run *run = run_of(lines, sizeof(lines) / sizeof(lines[0]), marks, 400);
	struct start_findings findings = start_findings__of(run->start);

	assert_int_equal(findings.repeat_count, 3);
	assert_string_equal(findings.repeats[0].call->path, "/x");
	assert_int_equal(findings.repeats[0].times, 3);
	assert_int_equal(findings.repeats[0].ns, 12000);
	assert_string_equal(findings.repeats[1].call->name, "getuid");
	assert_string_equal(findings.repeats[2].call->path, "/z");
	assert_int_equal(findings.one_byte.calls, 1);
	assert_int_equal(findings.seeks.calls, 1);
	assert_int_equal(findings.seeks.ns, 4000);
	start_findings__free(&findings);
	run__free(run);
}

/* Another program begins: the start ends when its execve returns, and what follows is not its. */
static void test_exec(void **state)
{
	const struct call_line lines[] = {
		{ ACTOR_PROGRAM, "execve", "/bin/env", { 0 }, 0, false },
		{ ACTOR_PROGRAM, "execve", "/bin/none", { 0 }, -2, false },
		{ ACTOR_PROGRAM, "execve", "/bin/true", { 0 }, 0, false },
		{ ACTOR_LDSO, "brk", NULL, { 0 }, 0x1000, false },
	};
	static const uint64_t marks[4] = { 5, 5, 6, 0 };
	struct run *run = run_of(lines, 4, marks, 400);

	run->start->marks.returned = ABSENT;
	run->processes[0].image_count = 2;
	start__explain(run);
	assert_int_equal(run->start->call_count, 3);
	assert_int_equal(run->start->calls[2].reason, REASON_EXEC_OTHER);
	assert_phase(run->start, START_EXEC, 5, 1, 0);
	assert_phase(run->start, START_LIBC, 1, 0, 0);
	assert_phase(run->start, START_MAIN, 14, 1, 1);
	assert_phase(run->start, START_END, 4, 1, 0);
	assert_null(law_of(run->start));
	run__free(run);
}

/* A program that reads and reads, until its last call. */
static struct run *long_run(int calls)
{
	struct run *run = made_run(WITH_START);
	struct start_log *log = start_log__new(run->start);

	for (int i = 0; i < calls; i++) {
		struct call_record record =
			call_at(i, ACTOR_PROGRAM, i ? "read" : "execve", i % 10 == 7 ? -4 : 0);

		record.returned = i < calls - 1;
		record.name = i < calls - 1 ? record.name : "exit_group";
		start_log__call(log, &record);
	}
	start_log__finish(log);
	start_log__free(log);
	return run;
}

/* Beyond the limits the first and the last are listed, and all are counted. */
static void test_limits(void **state)
{
	enum { CALLS = START_FIRST_CALLS + 5000 };
	struct run *run = long_run(CALLS);

	start__explain(run);
	assert_int_equal(run->start->call_count, START_FIRST_CALLS + START_LAST_CALLS);
	assert_int_equal(run->start->left_out, 5000 - START_LAST_CALLS);
	assert_int_equal(start__calls(run->start), CALLS);
	assert_string_equal(run->start->calls[run->start->call_count - 1].name, "exit_group");
	assert_int_equal(run->start->phases[START_WHOLE].calls, CALLS - 2);
	assert_int_equal(run->start->phases[START_WHOLE].errors, CALLS / 10);
	assert_null(law_of(run->start));
	run__free(run);
}

/* What is not listed is in the phase that both its ends are in; else in none that has a time. */
static void test_left_out(void **state)
{
	enum { CALLS = START_FIRST_CALLS + 5000 };

	for (int parted = 0; parted < 2; parted++) {
		struct run *run = long_run(CALLS);
		const struct start_sum *phases = run->start->phases;

		run->start->marks.first = run->start->marks.entry = 5000;
		run->start->marks.main = 6000;
		if (parted)
			run->start->marks.returned = (START_FIRST_CALLS + 2000) * 10000ull;
		start__explain(run);
		assert_int_equal(phases[START_WHOLE].calls, parted ? 5000 - START_LAST_CALLS : 0);
		assert_true(phases[START_WHOLE].ns == ABSENT);
		assert_int_equal(phases[START_MAIN].calls,
				 parted ? START_FIRST_CALLS - 1 : CALLS - 2);
		assert_int_equal(phases[START_EXIT].calls, parted ? START_LAST_CALLS - 1 : 0);
		assert_null(law_of(run->start));
		run__free(run);
	}
}

/* More calls than a source tells of: the image's count has them, and no phase. */
static void test_beyond(void **state)
{
	struct run *run = long_run(START_CALLS_MOST + 10);

	MADE_PROCESS(run, .syscalls = START_CALLS_MOST + 10)->end_ns = ABSENT;
	start__explain(run);
	assert_int_equal(run->start->beyond, 10);
	assert_int_equal(start__calls(run->start), START_CALLS_MOST + 10);
	assert_null(law_of(run->start));
	run__free(run);
}

/* Memory over a part of a library is the library's, and so are its rights. */
static void test_bss_owner(void **state)
{
	struct call_line lines[SMALL_CALLS];
	struct run *run;

	memcpy(lines, small_start, sizeof(lines));
	lines[20].arguments[0] = 0x108000;
	run = run_of(lines, SMALL_CALLS, small_marks, 400);
	start__explain(run);
	assert_string_equal(run->start->calls[20].name, "mprotect");
	assert_string_equal(run->start->calls[20].subject, "libsmall.so.1");
	run__free(run);
}

/* Each sum that does not add up is refused. */
static void test_laws(void **state)
{
	struct run *run = small_run();
	struct start *start = run->start;
	uint64_t *const members[] = {
		&start->phases[START_MAIN].calls, &start->phases[START_MAIN].errors,
		&start->phases[START_MAIN].denied, &start->phases[START_MAIN].ns,
		&start->phases[START_MAIN].faults[ACTOR_LDSO][FAULT_FILE_MAP],
		&start->unplaced, &start->image_faults, &start->left_out,
		&start->left_out_errors, &start->marks.end, &start->calls[5].begin_ns,
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		char *wrong;

		*members[i] += 1000000;
		wrong = law_of(start);
		if (!wrong)
			fail_msg("member %zu may be anything", i);
		free(wrong);
		*members[i] -= 1000000;
	}
	assert_null(law_of(start));
	run__free(run);
}

static void damage(struct call_line *line)
{
	line->arguments[rand() % CALL_ARGUMENTS] = rand() % 2 ? (uint64_t)rand() : UINT64_MAX;
	line->result = rand() % 3 ? rand() % 8 : -(rand() % 5000);
	line->actor = rand() % (ACTOR_COUNT + 1);
	line->never_returns = rand() % 20 == 0;
	line->path = rand() % 3 ? line->path : "";
}

/* Whatever the calls and marks: the sums are those of the calls, of the faults and of the time. */
static void test_anything(void **state)
{
	srand(1);
	for (int turn = 0; turn < 3000; turn++) {
		struct call_line lines[SMALL_CALLS];
		uint64_t marks[4];
		struct run *run;
		char *wrong;

		for (int i = 0; i < SMALL_CALLS; i++) {
			lines[i] = small_start[rand() % 4 ? i : rand() % SMALL_CALLS];
			if (rand() % 4 == 0)
				damage(&lines[i]);
		}
		for (int i = 0; i < 4; i++)
			marks[i] = rand() % 3 ? small_marks[i] : (uint64_t)(rand() % 500);
		run = run_of(lines, SMALL_CALLS, marks, 400);
		for (int i = rand() % 30; i-- > 0;)
			start_faults__add(run->start,
					  &(struct start_fault){ rand() % 500000, rand() % 2,
								 rand() % ACTOR_COUNT,
								 rand() % FAULT_COUNT });
		run->processes[0].images[0].faults.total = rand() % 32;
		start__explain(run);
		wrong = law_of(run->start);
		if (wrong)
			fail_msg("turn %d: %s", turn, wrong);
		run__free(run);
	}
}

static double faults_of(const struct start_causes *causes, enum start_cause_kind kind)
{
	for (size_t i = 0; i < causes->count; i++)
		if (causes->list[i].kind == kind)
			return causes->list[i].faults;
	return 0;
}

/* Rows are summed up over all images of the command; the start is that of the first one. */
static void test_causes_of_the_first_image(void **state)
{
	struct run *run = small_run();
	struct start_causes causes;

	run->anatomy = anatomy__new();
	MADE_SAMPLE(run, .group = NO_GROUP, .children = 1);
	MADE_ROW(run, .group = NO_GROUP, .phase = PHASE_EXEC, .actor = ACTOR_PROGRAM, .class = FAULT_ZERO_FILL,
		 .faults = 1456);
	run->start->phases[START_MAIN].faults[ACTOR_PROGRAM][FAULT_ZERO_FILL] = 7;
	run->start->phases[START_MAP].faults[ACTOR_LDSO][FAULT_FILE_MAP] = 2;
	causes = start_causes__of(run);
	assert_int_equal(faults_of(&causes, START_BY_FILLS), 1456);
	start_causes__free(&causes);

	MADE(run->processes[0].images, run->processes[0].image_count, .exe = 1);
	causes = start_causes__of(run);
	assert_int_equal(faults_of(&causes, START_BY_FILLS), 0);
	assert_int_equal(faults_of(&causes, START_BY_FAULTS), 7);
	assert_int_equal(faults_of(&causes, START_BY_LDSO), 2);
	start_causes__free(&causes);
	run__free(run);
}

/* A start of 100 us as traced, without ld.so, and of 50 us when it is not. */
static struct start *answered_start(void)
{
	struct start *start = start__new();

	start->marks = (struct start_marks){ .first = 10000, .entry = 10000, .main = 80000, .returned = ABSENT,
					     .exit = ABSENT, .end = 100000 };
	start->untraced[START_PART_KERNEL] = 20000;
	start->untraced[START_PART_LIBC] = 15000;
	start->untraced[START_PART_MAIN] = 10000;
	start->untraced[START_PART_END] = 5000;
	return start;
}

/* Without ld.so its part is none, not an unknown one; a part that is unknown makes all times traced ones. */
static void one_clock_answers(void **state)
{
	struct start *start = answered_start();
	struct start_answer answer = start_answer__of(start);

	assert_false(answer.traced);
	assert_true(answer.before == 35000 && answer.all == 50000);
	start->marks.entry = 30000; /* with ld.so, whose time is not known */
	answer = start_answer__of(start);
	assert_true(answer.traced);
	assert_true(answer.before == 80000 && answer.all == 100000);
	start->untraced[START_PART_LDSO] = 5000;
	answer = start_answer__of(start);
	assert_true(!answer.traced && answer.before == 40000 && answer.all == 55000);
	start__free(start);
}

/* Untraced runs show when the program has ended that it executes: as traced, the start ends before that. */
static void a_start_ends_with_the_next_program(void **state)
{
	struct start *start = answered_start();

	start->calls = checked_calloc(1, sizeof(*start->calls));
	start->call_count = 1;
	start->calls[0] = (struct start_call){ .name = checked_strdup("execve"), .returned = true,
					       .reason = REASON_EXEC_OTHER };
	assert_true(start__executes_another(start));
	assert_true(start_answer__of(start).traced);
	assert_true(start_answer__of(start).all == 100000);
	start->calls[0].returned = false;
	assert_false(start__executes_another(start));
	assert_false(start_answer__of(start).traced);
	start__free(start);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_clock_answers),
		cmocka_unit_test(a_start_ends_with_the_next_program),
		cmocka_unit_test(test_causes_of_the_first_image),
		cmocka_unit_test(test_phases),	     cmocka_unit_test(test_32_bit),
		cmocka_unit_test(test_unknown_marks),
		cmocka_unit_test(test_log),
		cmocka_unit_test(test_log_behind_ldso),
		cmocka_unit_test(test_log_of_static_program),
		cmocka_unit_test(test_unknown_actors), cmocka_unit_test(test_impossible_marks),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_reasons_by_shape),
		cmocka_unit_test(test_program_like_ldso),
		cmocka_unit_test(test_text_relocations),
		cmocka_unit_test(test_origin),
		cmocka_unit_test(test_constructor),
		cmocka_unit_test(test_memory_of_the_linker),
		cmocka_unit_test(test_other_reasons),
		cmocka_unit_test(test_calls_after_exit),
		cmocka_unit_test(test_reasons_of_descriptors),
		cmocka_unit_test(test_uses),
		cmocka_unit_test(test_searches),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_words_of_arguments),	     cmocka_unit_test(test_groups),
		cmocka_unit_test(test_faults),	     cmocka_unit_test(test_findings),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_limits),	     cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_beyond),	     cmocka_unit_test(test_bss_owner),
		cmocka_unit_test(test_laws),	     cmocka_unit_test(test_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
