/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls of a start made by hand: as strace shows them, with times of a microsecond each.
 */
#ifndef FORKTAX_UNIT_START_CALLS_H
#define FORKTAX_UNIT_START_CALLS_H

#include "base/memory.h"
#include "model/start/start.h"

/* Call number `i` begins at 10 i microseconds and takes 4. */
static inline struct call_record call_at(int i, enum actor actor, const char *name, int64_t result)
{
	return (struct call_record){
		.process = 1,
		.tid = 100,
		.name = name,
		.actor = actor,
		.begin_ns = i * 10000ull,
		.end_ns = i * 10000ull + 4000,
		.returned = true,
		.result = result,
		.known = 0x3f,
	};
}

struct call_line {
	enum actor actor;
	const char *name;
	const char *path;
	uint64_t arguments[CALL_ARGUMENTS];
	int64_t result;
	bool never_returns;
};

static inline struct call_record record_of(int i, const struct call_line *line)
{
	struct call_record record = call_at(i, line->actor, line->name, line->result);

	memcpy(record.arguments, line->arguments, sizeof(record.arguments));
	record.paths[0] = line->path;
	record.path_states[0] = line->path ? PATH_WHOLE : PATH_NONE;
	record.returned = !line->never_returns;
	return record;
}

/*
 * A dynamic program with one library that is found in the second directory.
 */
#define LD ACTOR_LDSO
#define PR ACTOR_PROGRAM
static const struct call_line small_start[] = {
	{ PR, "execve", "/bin/small", { 0x1000, 0x2000, 0x3000 }, 0, false },
	{ LD, "brk", NULL, { 0 }, 0x5000, false },
	{ LD, "access", "/etc/ld.so.preload", { 0x100, 4 }, -2, false },
	{ LD, "openat", "/etc/ld.so.cache", { 0xffffff9c, 0x100, 0x80000 }, 3, false },
	{ LD, "newfstatat", "", { 3, 0x100, 0x200, 0x1000 }, 0, false },
	{ LD, "mmap", NULL, { 0, 46907, 1, 2, 3, 0 }, 0x70000, false },
	{ LD, "close", NULL, { 3 }, 0, false },
	{ LD, "openat", "/first/libsmall.so.1", { 0xffffff9c, 0x100, 0x80000 }, -2, false },
	{ LD, "openat", "/second/libsmall.so.1", { 0xffffff9c, 0x100, 0x80000 }, 3, false },
	{ LD, "read", NULL, { 3, 0x200, 832 }, 832, false },
	{ LD, "newfstatat", "", { 3, 0x100, 0x200, 0x1000 }, 0, false },
	{ LD, "mmap", NULL, { 0, 0x9000, 1, 0x802, 3, 0 }, 0x100000, false },
	{ LD, "mmap", NULL, { 0x102000, 0x3000, 5, 0x812, 3, 0x2000 }, 0x102000, false },
	{ LD, "mmap", NULL, { 0x105000, 0x1000, 1, 0x812, 3, 0x5000 }, 0x105000, false },
	{ LD, "mmap", NULL, { 0x106000, 0x2000, 3, 0x812, 3, 0x6000 }, 0x106000, false },
	{ LD, "mmap", NULL, { 0x108000, 0x1000, 3, 0x32, UINT64_MAX, 0 }, 0x108000, false },
	{ LD, "close", NULL, { 3 }, 0, false },
	{ LD, "mmap", NULL, { 0, 0x2000, 3, 0x22, UINT64_MAX, 0 }, 0x200000, false },
	{ LD, "arch_prctl", NULL, { 0x1002, 0x200740 }, 0, false },
	{ LD, "set_tid_address", NULL, { 0x200a10 }, 100, false },
	{ LD, "mprotect", NULL, { 0x106000, 0x1000, 1 }, 0, false },
	{ LD, "mprotect", NULL, { 0x555000, 0x1000, 1 }, 0, false },
	{ LD, "prlimit64", NULL, { 0, 3, 0, 0x700 }, 0, false },
	{ LD, "munmap", NULL, { 0x70000, 46907 }, 0, false },
	{ PR, "getpid", NULL, { 0 }, 100, false }, /* of a constructor */
	{ PR, "futex", NULL, { 0x109000, 0x81, 0x7fffffff }, 0, false },
	{ PR, "lookup_dcookie", NULL, { 7, 0x123456 }, -38, false },
	{ PR, "getrandom", NULL, { 0x108100, 8, 1 }, 8, false },
	{ PR, "brk", NULL, { 0x26000 }, 0x26000, false },
	{ PR, "openat", "/usr/lib/locale/C.utf8/LC_CTYPE", { 0, 0x100, 0x80000 }, 3, false },
	{ PR, "close", NULL, { 3 }, 0, false },
	{ PR, "ioctl", NULL, { 1, 0x5401, 0x700 }, -25, false },
	{ PR, "write", NULL, { 1, 0x700, 6 }, 6, false },
	{ PR, "rt_sigaction", NULL, { 13, 0x700, 0, 8 }, 0, false },
	{ PR, "exit_group", NULL, { 0 }, 0, true },
};
#undef LD
#undef PR
enum { SMALL_CALLS = sizeof(small_start) / sizeof(small_start[0]) };

#endif
