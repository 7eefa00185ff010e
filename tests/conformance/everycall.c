/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * everycall: enters every system call of the x86-64 and of the i386 table, with -1 as its first
 * argument; seccomp refuses whatever comes with that, so nothing happens.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>

enum { CALLS = 500, UPROBES = 335, UPROBES_END = 337 };

static long call(long nr)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(nr), "D"(-1l), "S"(0l), "d"(0l)
			 : "rcx", "r11", "memory");
	return result;
}

static long call_narrow(long nr)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(nr), "b"(-1l), "c"(0l), "d"(0l)
			 : "r8", "r9", "r10", "r11", "memory");
	return result;
}

int main(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("everycall: seccomp");
		return 77;
	}
	/* Those for uprobes are not refused: they kill whoever is not the kernel's own code. */
	for (long nr = 0; nr < CALLS; nr++)
		if (nr < UPROBES || nr >= UPROBES_END)
			call(nr);
	for (long nr = 0; nr < CALLS; nr++)
		call_narrow(nr);
	return 0;
}
