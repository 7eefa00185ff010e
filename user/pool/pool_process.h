/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One process, as /proc shows it to us.
 */
#ifndef FORKTAX_POOL_POOL_PROCESS_H
#define FORKTAX_POOL_POOL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pool_process {
	pid_t pid, parent;
	char name[16];
	char state; /* 'Z': has ended, and waits for its parent */
	bool exiting; /* it ends just now */
	bool kernel; /* a thread of the kernel: has no memory of its own */
	bool forked; /* it has executed nothing since it was forked */
	uint64_t started; /* clock ticks after boot */
};

/* From /proc/PID/stat. Returns false if there is no such process. */
bool pool_process__read(struct pool_process *process, pid_t pid);
/* Has it been killed, or does it end by itself, though it is still there? */
bool pool_process__is_ending(pid_t pid);
/* The process that a thread belongs to; 0: there is no such thread. */
pid_t pool_process__of_thread(pid_t tid);
/* Its age now, in nanoseconds. */
uint64_t pool_process__age(const struct pool_process *process);

/*
 * What a process has from its last execve, and what only those have that were forked since: the
 * kernel's vector of addresses (/proc/PID/auxv), which are random, and the 16 random bytes that it
 * points to (AT_RANDOM). Without the right to read memory: the vector alone.
 */
enum { IDENTITY_MOST = 1024 };
struct identity {
	size_t size; /* 0: not known */
	unsigned char bytes[IDENTITY_MOST + 16];
};

/* 0, or -errno; ESRCH: it has ended, or has no memory. */
int identity__read(struct identity *identity, pid_t pid);
bool identity__is_same(const struct identity *left, const struct identity *right);

#endif
