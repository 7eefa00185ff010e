// SPDX-License-Identifier: GPL-2.0-or-later
/* Single lines of strace 4.5 to 7.2: what stands before the event, which event it is, what a call says. */
#include <signal.h>

#include "unit.h"

#include "base/text.h"
#include "model/rows/absent.h"
#include "model/words/dictionary.h"
#include "source/calls/durations.h"
#include "source/strace/call_text.h"
#include "source/strace/call_words.h"
#include "source/strace/log_clock.h"
#include "source/strace/log_line.h"

static struct log_line line_of(const char *text)
{
	struct log_line line;

	log_line__read(&line, text, strlen(text));
	return line;
}

static void test_leaders(void **state)
{
	static const struct {
		const char *text;
		int32_t tid;
		enum line_clock clock;
		uint64_t time_ns;
	} rows[] = {
		{ "close(3) = 0", 0, CLOCK_NONE, 0 },
		{ "1234 close(3) = 0", 1234, CLOCK_NONE, 0 },
		{ "1234  close(3) = 0", 1234, CLOCK_NONE, 0 },
		{ "  12 close(3) = 0", 12, CLOCK_NONE, 0 },
		{ "1234<sh> close(3) = 0", 1234, CLOCK_NONE, 0 },
		{ "[pid 1234] close(3) = 0", 1234, CLOCK_NONE, 0 },
		{ "[pid    12] close(3) = 0", 12, CLOCK_NONE, 0 },
		{ "[pid 1234<ld \\76x>] close(3) = 0", 1234, CLOCK_NONE, 0 },
		{ "12:34:56 close(3) = 0", 0, CLOCK_SECONDS, 45296000000000 },
		{ "12:34:56.000042 close(3) = 0", 0, CLOCK_DAY, 45296000042000 },
		{ "7 1163434343.000042 close(3) = 0", 7, CLOCK_EPOCH, 1163434343000042000 },
		{ "7 1163434343.000042017 close(3) = 0", 7, CLOCK_EPOCH, 1163434343000042017 },
		{ "     0.000042 close(3) = 0", 0, CLOCK_STEP, 42000 },
		{ "    11.500000 close(3) = 0", 0, CLOCK_STEP, 11500000000 },
		{ "1234      0.000042 close(3) = 0", 1234, CLOCK_STEP, 42000 },
		{ "7 1163434343.000042 (+     0.000011) close(3) = 0", 7, CLOCK_EPOCH,
		  1163434343000042000 },
		{ "7 [00007f8a12345678] close(3) = 0", 7, CLOCK_NONE, 0 },
		{ "[????????????????] close(3) = 0", 0, CLOCK_NONE, 0 },
		{ "7 12:34:56 [  59] [00007f8a12345678] close(3) = 0", 7, CLOCK_SECONDS, 45296000000000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct log_line line = line_of(rows[i].text);

		assert_int_equal(line.kind, LINE_CALL);
		assert_int_equal(line.tid, rows[i].tid);
		assert_int_equal(line.clock, rows[i].clock);
		assert_int_equal(line.time_ns, rows[i].time_ns);
		assert_string_equal(line.text, "close(3) = 0");
		assert_int_equal(line.name_length, 5);
	}
}

static void test_events(void **state)
{
	static const struct {
		const char *text;
		enum line_kind kind;
		int32_t tid, value;
	} rows[] = {
		{ "7 +++ exited with 3 +++", LINE_EXITED, 7, 3 },
		{ "7 +++ killed by SIGKILL +++", LINE_KILLED, 7, SIGKILL },
		{ "7 +++ killed by SIGSEGV (core dumped) +++", LINE_KILLED, 7, SIGSEGV },
		{ "7 +++ killed by SIGIOT +++", LINE_KILLED, 7, SIGABRT },
		{ "7 +++ killed by SIGRT_8 +++", LINE_KILLED, 7, 40 },
		{ "7 +++ superseded by execve in pid 12 +++", LINE_SUPERSEDED, 7, 12 },
		{ "/usr/bin/strace: Process 12 attached", LINE_ATTACHED, 0, 12 },
		{ "[pid 7] ./strace: Process 12 detached", LINE_DETACHED, 7, 12 },
		{ "/opt/strace: [ Process PID=12 runs in 32 bit mode. ]", LINE_MODE, 0, 12 },
		{ "/opt/strace:", LINE_OTHER, 0, 0 },
		{ "7 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED} ---", LINE_SIGNAL, 7, 0 },
		{ "--- SIGCHLD (Child exited) @ 0 (0) ---", LINE_SIGNAL, 0, 0 },
		{ "--- stopped by SIGSTOP ---", LINE_SIGNAL, 0, 0 },
		{ " > /usr/lib/libc.so.6(__write+0x14) [0xf8a14]", LINE_NOTHING, 0, 0 },
		{ "", LINE_NOTHING, 0, 0 },
		{ "strace: Process 12 attached", LINE_ATTACHED, 0, 12 },
		{ "strace: Process 12 attached with 3 threads", LINE_ATTACHED, 0, 12 },
		{ "Process 12 attached", LINE_ATTACHED, 0, 12 },
		{ "Process 12 attached (waiting for parent)", LINE_ATTACHED, 0, 12 },
		{ "Process 12 resumed (parent 7 ready)", LINE_NOTHING, 0, 12 },
		{ "Process 12 suspended", LINE_NOTHING, 0, 12 },
		{ "Process 12 detached", LINE_DETACHED, 0, 12 },
		{ "strace: Process 12 detached", LINE_DETACHED, 0, 12 },
		{ "[ Process PID=12 runs in 32 bit mode. ]", LINE_MODE, 0, 12 },
		{ "7 strace: [ Process PID=7 runs in x32 mode. ]", LINE_MODE, 7, 7 },
		{ "7 <... read resumed>\"abc\", 3) = 3", LINE_RESUMED, 7, 0 },
		{ "7 <... read resumed> \"abc\", 3) = 3", LINE_RESUMED, 7, 0 },
		{ "7 \?\?\?\?( <unfinished ...>", LINE_CALL, 7, 0 },
		{ "7 syscall_0x1f3(0, 0) = -1 ENOSYS (Function not implemented)", LINE_CALL, 7, 0 },
		{ "hello, world", LINE_OTHER, 0, 0 },
		{ "hello (world)", LINE_OTHER, 0, 0 },
		{ "+++ what +++", LINE_OTHER, 0, 0 },
		{ "<... resumed>) = 0", LINE_OTHER, 0, 0 },
		{ "99999999999 close(3) = 0", LINE_OTHER, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct log_line line = line_of(rows[i].text);

		if (line.kind != rows[i].kind)
			fail_msg("%s: %d", rows[i].text, line.kind);
		assert_int_equal(line.tid, rows[i].tid);
		assert_int_equal(line.value, rows[i].value);
	}
	assert_int_equal(line_of("[ Process PID=12 runs in 32 bit mode. ]").abi, ABI_COMPAT);
	assert_int_equal(line_of("[ Process PID=12 runs in x32 mode. ]").abi, ABI_X32);
}

static void test_message_within(void **state)
{
	struct log_line line = line_of("clone(flags=SIGCHLDstrace: Process 12 attached");

	assert_int_equal(line.kind, LINE_CALL);
	assert_int_equal(line.length, strlen("clone(flags=SIGCHLD"));
	assert_string_equal(line.message, "strace: Process 12 attached");
	line = line_of("clone(child_stack=NULL/usr/bin/strace: Process 12 attached");
	assert_int_equal(line.length, strlen("clone(child_stack=NULL"));
	assert_string_equal(line.message, "/usr/bin/strace: Process 12 attached");
	line = line_of("vfork(../strace: Process 12 attached");
	assert_int_equal(line.kind, LINE_CALL);
	line = line_of("clone(Process 12 attached (waiting for parent)");
	assert_int_equal(line.length, strlen("clone("));
	assert_null(line_of("write(1, \"Process 12 attached\", 19) = 19").message);
}

static struct call_text call_of(const char *text)
{
	struct call_text call;

	call_text__read(&call, text, strlen(text));
	return call;
}

static void test_results(void **state)
{
	static const struct {
		const char *text;
		enum call_ending end;
		int64_t result;
		const char *error;
		uint64_t time_ns;
	} rows[] = {
		{ "close(3) = 0", ENDING_RETURNED, 0, NULL, ABSENT },
		{ "close(3)                                = 0 <0.000042>", ENDING_RETURNED, 0, NULL, 42000 },
		{ "close(3) = 0 <0.000042017>", ENDING_RETURNED, 0, NULL, 42017 },
		{ "close(3) = 0 <12.5>", ENDING_RETURNED, 0, NULL, 12500000000 },
		{ "close(3) = 0 <7>", ENDING_RETURNED, 0, NULL, 7000000000 },
		{ "brk(NULL) = 0x55ca7dc23000", ENDING_RETURNED, 0x55ca7dc23000, NULL, ABSENT },
		{ "f() = 0xffffffffffffff00", ENDING_RETURNED, -256, NULL, ABSENT },
		{ "umask(022) = 022", ENDING_RETURNED, 18, NULL, ABSENT },
		{ "open(\"/\", 0) = -1 ENOENT (No such file or directory) <0.000001>", ENDING_RETURNED, -1,
		  "ENOENT", 1000 },
		{ "f() = -1 (errno 524)", ENDING_RETURNED, -524, "", ABSENT },
		{ "f() = -1 (errno 4095)", ENDING_RETURNED, -4095, "", ABSENT },
		{ "f() = -1 (errno 4096)", ENDING_UNKNOWN, -1, NULL, ABSENT },
		{ "f() = -1 (errno 0)", ENDING_UNKNOWN, -1, NULL, ABSENT },
		{ "f() = -1 (errno 18446744073709551603)", ENDING_UNKNOWN, -1, NULL, ABSENT },
		{ "f(0, \"<pid changed to 2 ...>\") = 0", ENDING_RETURNED, 0, NULL, ABSENT },
		{ "f(NULL <pid changed to 12 ...>", ENDING_UNFINISHED, 0, NULL, ABSENT },
		{ "f(NULL) <pid changed to 12 ...>", ENDING_UNFINISHED, 0, NULL, ABSENT },
		{ "lseek(3, 0, SEEK_CUR) = -1", ENDING_RETURNED, -1, NULL, ABSENT },
		{ "wait4(-1, NULL, 0, NULL) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)",
		  ENDING_RETURNED, 0, "ERESTARTSYS", ABSENT },
		{ "exit_group(0) = ?", ENDING_NO_RETURN, 0, NULL, ABSENT },
		{ "exit_group(0) = ? <unfinished ...>", ENDING_UNFINISHED, 0, NULL, ABSENT },
		{ "read(0,  <unfinished ...>) = ?", ENDING_NO_RETURN, 0, NULL, ABSENT },
		{ "sigreturn() = ? (mask now [])", ENDING_RETURNED, 0, NULL, ABSENT },
		{ "read(0, <unfinished ...>", ENDING_UNFINISHED, 0, NULL, ABSENT },
		{ "read(0, <unfinished ...> ", ENDING_UNFINISHED, 0, NULL, ABSENT },
		{ "read(0,  <detached ...>", ENDING_DETACHED, 0, NULL, ABSENT },
		{ "open(\"/a\", O_RDONLY) = 3</a) = -1 ENOENT>", ENDING_RETURNED, 3, NULL, ABSENT },
		{ "read(3</a) = 5>, \"\", 1) = 0", ENDING_RETURNED, 0, NULL, ABSENT },
		{ "read(3<TCP:[127.0.0.1:1->127.0.0.1:2]>, \"\", 1) = 0", ENDING_RETURNED, 0, NULL, ABSENT },
		{ "read(3</etc/passwd->, \"\", 1) = 0", ENDING_RETURNED, 0, NULL, ABSENT },
		{ "read(3<UNIX-STREAM:[12->13, \"/a\"]>, \"\", 1) = 0", ENDING_RETURNED, 0, NULL, ABSENT },
		{ "write(1</dev/pts/0<char 136:0>>, \"\", 1) = 1", ENDING_RETURNED, 1, NULL, ABSENT },
		{ "write(1, \") = -1 EPERM\\\"\\\\\", 9) = 9", ENDING_RETURNED, 9, NULL, ABSENT },
		{ "capset({v, 0}, {1<<CAP_CHOWN|1<<CAP_KILL}) = 0", ENDING_RETURNED, 0, NULL, ABSENT },
		{ "poll([{fd=3, events=POLLIN}], 1, 5) = 1 ([{fd=3, revents=POLLIN}])", ENDING_RETURNED, 1,
		  NULL, ABSENT },
		{ "select(5, [3 4], NULL, NULL, {1, 0}) = 1 (in [4], left {0, 999})", ENDING_RETURNED, 1, NULL,
		  ABSENT },
		{ "wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 7", ENDING_RETURNED, 7, NULL,
		  ABSENT },
		{ "read(0, {abc <unfinished ...>) = ?", ENDING_NO_RETURN, 0, NULL, ABSENT },
		{ "ioctl(1, TCGETS, {B38400 opost isig icanon echo ...}) = 0", ENDING_RETURNED, 0, NULL, ABSENT },
		{ "read(0</tmp/a\\76) = 5>, 0x7ffc, 1", ENDING_TORN, 0, NULL, ABSENT },
		{ "read(0, [{a) = 5, ", ENDING_TORN, 0, NULL, ABSENT },
		{ "close(3", ENDING_TORN, 0, NULL, ABSENT },
		{ "write(1, \"abc", ENDING_TORN, 0, NULL, ABSENT },
		{ "close(3)", ENDING_TORN, 0, NULL, ABSENT },
		{ "close(3) =", ENDING_TORN, 0, NULL, ABSENT },
		{ "close(3) = x", ENDING_TORN, 0, NULL, ABSENT },
		{ "close(", ENDING_TORN, 0, NULL, ABSENT },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct call_text call = call_of(rows[i].text);

		if (call.end != rows[i].end)
			fail_msg("%s: %d", rows[i].text, call.end);
		assert_int_equal(call.result, rows[i].result);
		assert_int_equal(call.failed, rows[i].error != NULL);
		assert_int_equal(call.time_ns, rows[i].time_ns);
		if (rows[i].error)
			assert_int_equal(call.error_length, strlen(rows[i].error));
		if (rows[i].error && *rows[i].error)
			assert_memory_equal(call.error, rows[i].error, call.error_length);
	}
}

static void test_strings(void **state)
{
	static const struct {
		const char *text, *string;
		bool is_cut;
	} rows[] = {
		{ "\"/etc/passwd\"", "/etc/passwd", false },
		{ "\"\"", "", false },
		{ "\"a\\nb\\tc\\\"d\\\\e\"", "a\nb\tc\"d\\e", false },
		{ "\"\\x2f\\x65\\x74\\x63\"", "/etc", false },
		{ "\"\\57\\0574\"", "//4", false },
		{ "\"/et\"...", "/et", true },
		{ "\"/et", "/et", true },
		{ "\"\\", "\\", true },
	};
	bool is_cut;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *string = call_words__string(rows[i].text, rows[i].text + strlen(rows[i].text), &is_cut);

		assert_string_equal(string, rows[i].string);
		assert_int_equal(is_cut, rows[i].is_cut);
		free(string);
	}
	assert_null(call_words__string("NULL", "NULL" + 4, &is_cut));
}

static void test_argument_values(void **state)
{
	static const struct {
		const char *text, *value;
	} rows[] = {
		{ "3, 4", "3, 4" },	    { " fd=3", "3" },
		{ "child_stack=NULL", "NULL" }, { "op=O_RDONLY|FD=3", "O_RDONLY|FD=3" },
		{ "\"a=b\"", "\"a=b\"" },     { "{fd=3}", "{fd=3}" },
		{ "O_RDONLY", "O_RDONLY" }, { "=3", "=3" },
		{ "abc", "abc" },	    { "", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text = rows[i].text;

		assert_string_equal(call_text__argument_value(text, text + strlen(text)), rows[i].value);
	}
}

static void test_uncolour(void **state)
{
	static const struct {
		const char *line, *plain;
	} rows[] = {
		{ "close(3) = 0", "close(3) = 0" },
		{ "\33[33mclose\33[0m(3) = 0\33[0m", "close(3) = 0" },
		{ "\33[1;38;5;9mclose\33[m(3)", "close(3)" },
		{ "\33[2Jclose\33[0", "\33[2Jclose\33[0" },
		{ "\33", "\33" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *line = strdup(rows[i].line);
		size_t length = log_line__uncolour(line, strlen(line));

		assert_string_equal(line, rows[i].plain);
		assert_int_equal(length, strlen(rows[i].plain));
		free(line);
	}
}

static void test_lists(void **state)
{
	static const char text[] = "[\"sh\", \"-c\", \"a, ]\\\"\"..., ...], 0x7f /* 3 vars */";
	size_t count;
	char **list = call_words__strings(text, text + strlen(text), &count);

	assert_int_equal(count, 4);
	assert_string_equal(list[0], "sh");
	assert_string_equal(list[2], "a, ]\"...");
	assert_string_equal(list[3], "...");
	assert_null(list[4]);
	text__free_list(list);
	assert_null(call_words__strings("0x7f", "0x7f" + 4, &count));
}

static void test_clocks(void **state)
{
	struct log_clock day = { 0 }, step = { 0 }, none = { 0 };
	struct log_line line = line_of("23:59:59.900000 close(3) = 0");

	assert_int_equal(log_clock__read(&day, &line), 0);
	line = line_of("00:00:00.100000 close(3) = 0");
	assert_int_equal(log_clock__read(&day, &line), 200000000);
	line = line_of("00:00:00.000000 close(3) = 0"); /* set back */
	assert_int_equal(log_clock__read(&day, &line), 200000000);
	line = line_of("     0.500000 close(3) = 0");
	assert_int_equal(log_clock__read(&step, &line), 0);
	assert_int_equal(log_clock__read(&step, &line), 500000000);
	line = line_of("12:34:56 close(3) = 0");
	assert_int_equal(log_clock__read(&none, &line), 0);
	assert_int_equal(none.kind, CLOCK_NONE);
}

/* Beside a sorted list. */
static void test_histogram(void **state)
{
	struct histogram histogram = { 0 };
	uint64_t sum = 0;

	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t value = i * 2654435761u % 4096;

		histogram__add(&histogram, value, 1);
		sum += value;
	}
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t value = histogram__at(&histogram, i);

		assert_true(!i || value >= histogram__at(&histogram, i - 1));
		sum -= value;
	}
	assert_int_equal(sum, 0);
	histogram__free(&histogram);
	histogram__add(&histogram, 4097, 3);
	assert_int_equal(histogram__at(&histogram, 2), 4096);
	assert_int_equal(histogram__upper(4096), 4097);
	assert_int_equal(histogram__upper(4095), 4095);
	histogram__free(&histogram);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leaders),	 cmocka_unit_test(test_events),
		cmocka_unit_test(test_message_within), cmocka_unit_test(test_results),
		cmocka_unit_test(test_strings), cmocka_unit_test(test_argument_values),
		cmocka_unit_test(test_uncolour),	 cmocka_unit_test(test_lists),
		cmocka_unit_test(test_clocks),	 cmocka_unit_test(test_histogram),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
