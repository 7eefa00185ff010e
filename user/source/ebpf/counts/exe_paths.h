/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Executables by the numbers that the kernel half gives them, from 1: their positions in the run, and
 * their paths, read from /proc while the process that ran them still lives.
 */
#ifndef FORKTAX_SOURCE_EBPF_COUNTS_EXE_PATHS_H
#define FORKTAX_SOURCE_EBPF_COUNTS_EXE_PATHS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/sysmacros.h>
#include <sys/types.h>

#include "forktax.h"
#include "model/run/run.h"

/* In run.exes. */
static inline uint32_t exe_position(uint32_t index)
{
	return index ? index - 1 : NO_EXE;
}

/* A device of stat(2) as the kernel itself encodes it (s_dev): 20 bits for the minor number. */
static inline uint32_t kernel_device(dev_t device)
{
	return major(device) << 20 | minor(device);
}

struct exe_paths;

struct exe_paths *exe_paths__new(void);
void exe_paths__free(struct exe_paths *paths);
/*
 * Remembers what /proc/PID/exe says now, as the path of the executable of MESSAGE_EXE. Nobody has seen the execve of
 * an `attached` process, so the name that the kernel left on its stack is looked up, too; and if the process
 * runs another file by now, any process that runs that one.
 */
void exe_paths__look_up(struct exe_paths *paths, const struct message *message, bool attached);
/*
 * The path of executable number `index` if it is known and was the file with that inode number,
 * else NULL.
 */
const char *exe_paths__get(const struct exe_paths *paths, uint32_t index, uint64_t ino);
/* The name by which an attached process executed that file; NULL: unknown. */
const char *exe_paths__executed(const struct exe_paths *paths, uint32_t index, uint64_t ino);

#endif
