/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls that seccomp answers: they leave the kernel without having entered a system call. One
 * child is denied with EPERM, one with success, one is killed by its call, which it leaves only to
 * die.
 */
#include "sample.h"

enum { ALLOWED = 5, DENIED = 100, SIGNAL_SYS = 31 };
enum { RET_KILL_PROCESS = (int)0x80000000, RET_ERRNO = 0x50000, RET_ALLOW = 0x7fff0000 };

/* struct sock_filter and struct sock_fprog; not every libc brings the headers of the kernel. */
struct instruction {
	unsigned short code;
	unsigned char if_true, if_false;
	unsigned int operand;
};

struct filter {
	unsigned short length;
	const struct instruction *code;
};

static void deny(unsigned int nr, unsigned int action)
{
	enum { SET_NO_NEW_PRIVS = 38, SET_SECCOMP = 22, MODE_FILTER = 2 };
	const struct instruction code[] = {
		{0x20, 0, 0, 0}, /* load the number */
		{0x15, 0, 1, nr}, /* is it this one? */
		{0x06, 0, 0, action},
		{0x06, 0, 0, RET_ALLOW},
	};
	const struct filter filter = {4, code};

	raw4(NR_prctl, SET_NO_NEW_PRIVS, 1, 0, 0);
	if (raw(NR_prctl, SET_SECCOMP, MODE_FILTER, (long)&filter))
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

int main(int argc, char **argv)
{
	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = 3,
			.execs = 1,
			.calls = {{"getppid", .calls = 3 * ALLOWED},
				  {"getpgid", .denied = DENIED},
				  {"getsid", .denied = DENIED},
				  {"sched_yield", .denied = 1}},
			.children = {{"fork", 2}, {"fork", 1, .status = -1, .signal = SIGNAL_SYS}},
		});
	child(NR_getpgid, RET_ERRNO | 1);
	child(NR_getsid, RET_ERRNO | 0);
	child(NR_sched_yield, RET_KILL_PROCESS);
	return 0;
}
