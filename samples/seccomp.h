/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A filter of seccomp that answers one system call and allows all others. No headers of the kernel:
 * not every libc brings them.
 */
#ifndef SAMPLES_SECCOMP_H
#define SAMPLES_SECCOMP_H

#include "sample.h"

enum { RET_KILL_PROCESS = (int)0x80000000, RET_ERRNO = 0x50000, RET_ALLOW = 0x7fff0000 };

/* struct sock_filter and struct sock_fprog */
struct seccomp_instruction {
	unsigned short code;
	unsigned char if_true, if_false;
	unsigned int operand;
};

struct seccomp_filter {
	unsigned short length;
	const struct seccomp_instruction *code;
};

/* For this thread; `all`: for every thread of the process (TSYNC). Nonzero: the kernel refuses. */
static long seccomp__answer(unsigned int nr, unsigned int action, int all)
{
	enum { SET_NO_NEW_PRIVS = 38, SET_MODE_FILTER = 1, TSYNC = 1 };
	enum { SET_SECCOMP = 22, MODE_FILTER = 2 };
	const struct seccomp_instruction code[] = {
		{0x20, 0, 0, 0}, /* load the number */
		{0x15, 0, 1, nr}, /* is it this one? */
		{0x06, 0, 0, action},
		{0x06, 0, 0, RET_ALLOW},
	};
	const struct seccomp_filter filter = {4, code};

	raw4(NR_prctl, SET_NO_NEW_PRIVS, 1, 0, 0);
	return all ? raw(NR_seccomp, SET_MODE_FILTER, TSYNC, (long)&filter)
		   : raw(NR_prctl, SET_SECCOMP, MODE_FILTER, (long)&filter);
}

#endif
