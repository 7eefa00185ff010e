/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command that traces its own child, as a debugger or strace does, and lets its calls come to
 * nothing: the tracer changes each number to -1 at the entry, and that is what the kernel enters.
 */
#include "sample.h"

enum { CALLS = 20, SKIPPED = -1, TRACEME = 0, SYSCALL = 24, SIGNAL_STOP = 19 };

static void traced(void)
{
	if (raw(NR_ptrace, TRACEME, 0, 0))
		sample__skip("ptraced: is itself traced; a process has one tracer only\n");
	raw(NR_kill, raw(NR_getpid, 0, 0, 0), SIGNAL_STOP, 0);
	raw__repeat(NR_getppid, 0, CALLS);
	raw__leave(0);
}

#ifdef __x86_64__
enum { PEEKUSER = 3, POKEUSER = 6, RAX = 10 * 8, ORIG_RAX = 15 * 8, REFUSED = -38 };
enum { ERRORS = CALLS }; /* what the kernel has put where the result will be, stays there */

static long peek(long pid, long where)
{
	long value = 0;

	raw4(NR_ptrace, PEEKUSER, pid, where, (long)&value);
	return value;
}

/* At an entry, the kernel has put -ENOSYS where the result will be. */
static int enters_getppid(long pid)
{
	return peek(pid, ORIG_RAX) == NR_getppid && peek(pid, RAX) == REFUSED;
}

static void skip(long pid)
{
	raw4(NR_ptrace, POKEUSER, pid, ORIG_RAX, SKIPPED);
}
#else
enum { GETREGSET = 0x4204, SETREGSET = 0x4205, GENERAL = 1, SYSTEM_CALL = 0x404 };
enum { ERRORS = 0 }; /* the first argument is where the result will be, and stays there */

struct room {
	void *base;
	unsigned long bytes;
};

/* x8 is the number; the kernel shows 0 in x7 at an entry, 1 at an exit. */
static int enters_getppid(long pid)
{
	unsigned long registers[34] = {0};
	struct room room = {registers, sizeof(registers)};

	raw4(NR_ptrace, GETREGSET, pid, GENERAL, (long)&room);
	return registers[8] == NR_getppid && registers[7] == 0;
}

static void skip(long pid)
{
	int number = SKIPPED;
	struct room room = {&number, sizeof(number)};

	raw4(NR_ptrace, SETREGSET, pid, SYSTEM_CALL, (long)&room);
}
#endif

/* Until the child has ended. */
static int trace(long pid)
{
	int status;

	while (((status = raw__wait(pid)) & 0xff) == 0x7f) {
		if (enters_getppid(pid))
			skip(pid);
		raw4(NR_ptrace, SYSCALL, pid, 0, 0);
	}
	return status >> 8;
}

int main(int argc, char **argv)
{
	long pid;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = 1,
			.execs = 1,
			.calls = {{"unknown(-1)", CALLS, .errors = ERRORS}, {"getppid"}},
			.children = {{"fork", 1}},
		});
	pid = raw__fork();
	if (pid < 0)
		sample__fail("ptraced: cannot create a child\n");
	if (pid == 0)
		traced();
	return trace(pid);
}
