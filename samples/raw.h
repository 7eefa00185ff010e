/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls without libc: what a sample makes through these is what its expectation names,
 * whatever libc it is linked with.
 */
#ifndef SAMPLE_RAW_H
#define SAMPLE_RAW_H

#include "arch.h"

enum {
	SIGNAL_CHILD = 17,
	FLAG_VM = 0x100,
	FLAG_FS = 0x200,
	FLAG_FILES = 0x400,
	FLAG_SIGHAND = 0x800,
	FLAG_VFORK = 0x4000,
	FLAG_PARENT = 0x8000,
	FLAG_THREAD = 0x10000,
	FLAG_SYSVSEM = 0x40000,
	FLAG_UNTRACED = 0x800000,
	FLAG_NEWPID = 0x20000000,
	FLAG_A_THREAD = FLAG_VM | FLAG_FS | FLAG_FILES | FLAG_SIGHAND | FLAG_THREAD | FLAG_SYSVSEM,
};

static inline long raw(long nr, long a, long b, long c)
{
	return raw4(nr, a, b, c, 0);
}

/* The same call, many times: a marker that libc itself does not make. */
static inline void raw__repeat(long nr, long argument, long times)
{
	while (times-- > 0)
		raw(nr, argument, 0, 0);
}

static inline void raw__leave(int status)
{
	for (;;)
		raw(NR_exit_group, status, 0, 0);
}

/* A child with its own copy of the memory; libc does not learn of it. */
static inline long raw__clone(unsigned long flags)
{
	return raw4(NR_clone, (long)flags, 0, 0, 0);
}

static inline long raw__fork(void)
{
	return raw__clone(SIGNAL_CHILD);
}

/* Waits for one child (-1: any); __WALL takes children of every kind of clone. */
static inline int raw__wait(long pid)
{
	int status = 0;

	raw4(NR_wait4, pid, (long)&status, 0x40000000, 0);
	return status;
}

#endif
