/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command that traces its own child, as a debugger or strace does, and lets its calls come to
 * nothing: the tracer changes each number to -1 at the entry, and that is what the kernel enters.
 */
#include "sample.h"

enum { CALLS = 20, TRACEME = 0, SYSCALL = 24, SIGNAL_STOP = 19 };

static void traced(void)
{
	if (raw(NR_ptrace, TRACEME, 0, 0))
		sample__skip("ptraced: is itself traced; a process has one tracer only\n");
	raw(NR_kill, raw(NR_getpid, 0, 0, 0), SIGNAL_STOP, 0);
	raw__repeat(NR_getppid, 0, CALLS);
	raw__leave(0);
}

/* Until the child has ended. */
static int trace(long pid)
{
	int status;

	while (((status = raw__wait(pid)) & 0xff) == 0x7f) {
		if (raw__entered(pid) == NR_getppid)
			raw__skip_call(pid);
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
			.calls = {{"unknown(-1)", CALLS, .errors = SKIPPED_CALLS_FAIL ? CALLS : 0}, {"getppid"}},
			.children = {{"fork", 1}},
		});
	pid = raw__fork();
	if (pid < 0)
		sample__fail("ptraced: cannot create a child\n");
	if (pid == 0)
		traced();
	return trace(pid);
}
