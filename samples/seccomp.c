/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls that seccomp answers: they leave the kernel without having entered a system call. One
 * child is denied with EPERM, one with success, one is killed by its call, which it leaves only to
 * die. Of another one, whose parent has put a filter on itself, the first call is denied.
 */
#include "seccomp.h"

enum { ALLOWED = 5, DENIED = 100, SIGNAL_SYS = 31 };
static void deny(unsigned int nr, unsigned int action)
{
	if (seccomp__answer(nr, action, 0))
		sample__skip("seccomp: this kernel has no filters\n");
}

static void child(int nr, unsigned int action)
{
	long pid = raw__fork();

	if (pid < 0)
		sample__fail("seccomp: cannot create a child\n");
	if (pid == 0) {
		deny(nr, action);
		raw__repeat(NR_getppid, 0, ALLOWED);
		raw__repeat(nr, 0, DENIED);
		raw__leave(0);
	}
	raw__wait(pid);
}

static void denied_at_birth(int nr)
{
	long pid;

	deny(nr, RET_ERRNO | 1);
	pid = raw__fork();
	if (pid < 0)
		sample__fail("seccomp: cannot create a child\n");
	if (pid == 0) {
		raw(nr, 0, 0, 0);
		raw__leave(0);
	}
	raw__wait(pid);
}

int main(int argc, char **argv)
{
	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = 4,
			.execs = 1,
			.calls = {{"getppid", .calls = 3 * ALLOWED},
				  {"getpgid", .denied = DENIED + 1},
				  {"getsid", .denied = DENIED},
				  {"sched_yield", .denied = 1}},
			.children = {{"fork", 3}, {"fork", 1, .status = -1, .signal = SIGNAL_SYS}},
		});
	child(NR_getpgid, RET_ERRNO | 1);
	child(NR_getsid, RET_ERRNO | 0);
	child(NR_sched_yield, RET_KILL_PROCESS);
	denied_at_birth(NR_getpgid);
	return 0;
}
