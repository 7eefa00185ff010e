/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A mapping as the kernel describes it, in its own records or in /proc/PID/maps.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_MAPPING_RECORD_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_MAPPING_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The result of one mmap, mprotect or brk. `end` 0: an execve, with its time and pid alone. A line
 * of /proc has neither time nor pid.
 */
struct mapping_record {
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint64_t start, end;
	uint64_t offset; /* in the file, bytes */
	uint64_t ino; /* 0: anonymous */
	uint32_t dev; /* as the kernel packs it */
	int32_t pid;
	bool read, write, exec, shared;
};

/*
 * Parses a line of /proc/PID/maps in place. Returns what follows the inode: nothing, a file's path
 * or a name in brackets. NULL: it is no such line.
 */
const char *mapping_record__parse(struct mapping_record *mapping, char *line);

#endif
