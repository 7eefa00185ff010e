/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A mapping as the kernel describes it in its own records.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_MAPPING_RECORD_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_MAPPING_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* The result of one mmap, mprotect or brk. `end` 0: an execve, with its time and pid alone. */
struct mapping_record {
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint64_t start, end;
	uint64_t offset; /* in the file, bytes */
	uint64_t ino; /* 0: anonymous */
	uint32_t dev; /* as the kernel packs it */
	int32_t pid;
	bool read, write, exec, shared;
};

#endif
