/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The kernel's own BTF, read as it lies in /sys: what libbpf makes of it takes 7 ms and 6 MB.
 * Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_KERNEL_TYPES_H
#define FORKTAX_SOURCE_EBPF_KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_types {
	char *data;
	size_t size;
	const char *types, *names;
	size_t types_size, names_size;
};

/* All zero if the file is not there or not understood: nothing is found in it then. */
struct kernel_types kernel_types__open(void);
void kernel_types__close(struct kernel_types *types);

/* Is there anything of this name? */
bool kernel_types__know(const struct kernel_types *types, const char *name);

/* What a program can be attached to: `id` is that of its type in the kernel's BTF. */
struct kernel_hook {
	uint32_t id;
	char name[60]; /* as in the section of a program: "tp_btf/sys_enter", "iter/task" */
};

/* Returns all tracepoints and iterators, to be freed, and their number. NULL: none. */
struct kernel_hook *kernel_types__hooks(const struct kernel_types *types, size_t *count);

#endif
