/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code of a program, as it is handed to the kernel, and what it may read that never changes. Internal to
 * user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_PROGRAM_CODE_H
#define FORKTAX_SOURCE_EBPF_PROGRAM_CODE_H

#include <linux/bpf.h>
#include <stddef.h>

/* A program with all its functions. */
struct program_code {
	struct bpf_insn *insns;
	struct bpf_func_info *functions;
	struct bpf_line_info *lines;
	size_t insn_count, function_count, line_count;
};

/* A map that neither programs nor user space can change any more. */
struct constants {
	int map; /* its descriptor, as in the instructions */
	const void *data;
	size_t size;
};

#endif
