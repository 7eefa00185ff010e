// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damaged logs of strace give a run whose parts agree, or nothing; never a crash, and never take much
 * memory. FORKTAX_FUZZ_SEED=N starts elsewhere, FORKTAX_FUZZ_ROUNDS=N goes on for longer.
 */
#include <sys/resource.h>

#include "unit.h"

#include "resolve/start/start_explain.h"
#include "model/run/run_check.h"
#include "source/calls/call_stream.h"
#include "source/strace/strace_log.h"
#include "random.h"

enum { ROUNDS = 4000, KIB_MOST = 1 << 19, ROOM = 1 << 16 };

static const char *const logs[] = {
	"10 1000000000.500000 execve(\"/bin/a\", [\"a\", \"-x\"], 0x7f /* 3 vars */) = 0 <0.000100>\n"
	"10 1000000000.600000 clone(child_stack=NULL, flags=CLONE_FILES|SIGCHLD <unfinished ...>\n"
	"11 1000000000.610000 openat(AT_FDCWD</tmp>, \"/etc/x\\n\\177\", O_RDONLY|O_CLOEXEC) = 3</etc/x> <0.000004>\n"
	"10 1000000000.620000 <... clone resumed>, child_tidptr=0x7f) = 11 <0.000129>\n"
	"11 1000000000.630000 vfork( <unfinished ...>\n"
	"10 1000000000.630000 clone3({flags=CLONE_VM|CLONE_THREAD, exit_signal=0} => {parent_tid=[13]}, 88) = 13\n"
	"12 1000000000.640000 execve(\"/bin/b\", [\"b\"], 0x7f) = 0 <0.000100>\n"
	"11 1000000000.650000 <... vfork resumed>) = 12 <0.01>\n"
	"13 1000000000.650000 pipe2([3<pipe:[1]>, 4<pipe:[1]>], O_CLOEXEC) = 0\n"
	"12 1000000000.660000 read(0</dev/tty<char 5:0>>, \"abc\"..., 100) = -1 EINTR (Interrupted) <0.000001>\n"
	"12 +++ killed by SIGKILL (core dumped) +++\n"
	"13 execve(\"/bin/c\", [\"c\"], 0x7f <unfinished ...>\n"
	"10 +++ superseded by execve in pid 13 +++\n"
	"10 <... execve resumed>) = 0\n"
	"10 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=12} ---\n"
	"11 +++ exited with 0 +++\n"
	"10 exit_group(0) = ?\n"
	"10 +++ exited with 0 +++\n",

	"execve(\"/bin/sh\", [\"sh\"], [/* 20 vars */]) = 0\n"
	"clone(Process 11 attached (waiting for parent)\n"
	"Process 11 resumed (parent 10 ready)\n"
	"child_stack=0, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0xb7e8) = 11\n"
	"[pid    10] waitpid(-1, Process 10 suspended\n"
	" <unfinished ...>\n"
	"[pid    11] SYS_299(0, 0) = -1 ENOSYS (Function not implemented)\n"
	"[pid    11] exit_group(2) = ?\n"
	"Process 11 detached\n"
	"<... waitpid resumed> [WIFEXITED(s) && WEXITSTATUS(s) == 2], 0) = 11\n"
	"sigreturn() = ? (mask now [])\n"
	"exit_group(0) = ?\n",

	"System call usage summary for 32 bit mode:\n"
	"% time     seconds  usecs/call     calls    errors syscall\n"
	"------ ----------- ----------- --------- --------- ----------------\n"
	" 80.00    0.000020           2        10         3 openat\n"
	" 20.00    0.000005           1         5           read\n"
	"------ ----------- ----------- --------- --------- ----------------\n"
	"100.00    0.000025           1        15         3 total\n",
};

/* Words that mean something to the reader. */
static const char *const pieces[] = {
	"<unfinished ...>", "<... read resumed>", "<... execve resumed>) = 0\n", "+++ exited with 0 +++\n",
	"10 ", "11 ", "[pid 12] ", "strace: Process 12 attached\n", ") = 0\n", ") = -1 ENOENT (x)\n", "= ?",
	"\n", "\"", "\\", "<", ">", "{", "]", "flags=CLONE_VM|CLONE_THREAD", "clone(", "fork() = 12\n",
	"12 execve(\"/x\", [\"x\"], 0) = 0\n", "\?\?\?\?(", "syscall_0x1ff(", " <0.1>", "18446744073709551616",
	"-9223372036854775809", "2147483647 ", "23:59:59.9 ", "[ Process PID=10 runs in x32 mode. ]\n",
	"+++ superseded by execve in pid 13 +++\n", "exit_group(", "(+ 0.1) ", " > lib(f+0x1) [0x2]\n",
	"3</etc/x>", "</gone (deleted)>", ">(deleted)", "close(3) = 0\n", "close(3 <unfinished ...>\n",
	"11 dup2(3, 65535) = 65535\n", "12 openat(5</d>, \"e\", 0) = 60000</d/e>\n",
	"11 read(60000</d/e>, \"\", 1) = 1\n", "13 chdir(\"x\") = 0\n", "EBADF", "    calls syscall\n",
};

static size_t insert(char *text, size_t length, size_t at, const char *piece, size_t size)
{
	if (length + size > ROOM)
		return length;
	memmove(text + at + size, text + at, length - at);
	memcpy(text + at, piece, size);
	return length + size;
}

static size_t remove_part(char *text, size_t length, size_t at)
{
	size_t size = next() % 40;

	if (size > length - at)
		size = length - at;
	memmove(text + at, text + at + size, length - at - size);
	return length - size;
}

/* Another part of the text once more: lines out of order, calls that return twice. */
static size_t repeat_part(char *text, size_t length, size_t at)
{
	char part[200];
	size_t from = next() % length, size = next() % sizeof(part);

	if (size > length - from)
		size = length - from;
	memcpy(part, text + from, size);
	return insert(text, length, at, part, size);
}

static size_t damage(char *text, size_t length)
{
	size_t at = next() % length;
	const char *piece = pieces[next() % (sizeof(pieces) / sizeof(pieces[0]))];

	switch (next() % 5) {
	case 0:
		text[at] = (char)next();
		return length;
	case 1:
		return insert(text, length, at, piece, strlen(piece));
	case 2:
		return repeat_part(text, length, at);
	case 3:
		return remove_part(text, length, at);
	default:
		return next() % 16 ? length : at + 1; /* cut off */
	}
}

static uint64_t read_log(const char *text, size_t length)
{
	struct run *run = run__new();
	struct strace_log *log;
	size_t piece = 1 + next() % 300;
	uint64_t events;
	char *wrong;

	run->all_processes = next() % 2;
	log = strace_log__new(run, next() % 4); /* any of enum call_use */
	for (size_t at = 0; at < length; at += piece)
		strace_log__feed(log, text + at, length - at < piece ? length - at : piece);
	events = strace_log__events(log);
	strace_log__finish(log);
	strace_log__free(log);
	if (run->start)
		start__explain(run);
	wrong = run__contradiction(run);
	if (wrong)
		fail_msg("%s, in:\n%.*s", wrong, (int)length, text);
	for (size_t i = 0; i < run->process_count; i++)
		assert_true(run->processes[i].parent < run->processes[i].id);
	run__free(run);
	return events;
}

static long most_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void test_damaged(void **state)
{
	uint64_t rounds = number_from("FORKTAX_FUZZ_ROUNDS", ROUNDS), read = 0;
	static char text[ROOM + 1];

	for (uint64_t round = 0; round < rounds; round++) {
		const char *log = logs[next() % (sizeof(logs) / sizeof(logs[0]))];
		size_t length = strlen(log);

		memcpy(text, log, length);
		for (uint64_t i = next() % 12; i > 0 && length; i--)
			length = damage(text, length);
		read += read_log(text, length) > 0;
	}
	assert_true(read > rounds / 2); /* most are logs still */
	assert_true(most_kib() < KIB_MOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_damaged) };

	set_seed(0x5eed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
