/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads the kernel's BTF from /sys. libbpf would parse all of it, and search it again
 * for each structure that a program reads; that took most of the time to start. Internal to
 * user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_KERNEL_TYPES_H
#define FORKTAX_SOURCE_EBPF_KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BTF_FILE "/sys/kernel/btf/vmlinux"

struct kernel_types {
	char *data;
	size_t size;
	const char *names;
	size_t names_size;
	const struct btf_type **types; /* by id, from 1 */
	size_t type_count; /* the unused 0 included */
};

/* All zero if the file is missing or not understood; then nothing is found in it. */
struct kernel_types kernel_types__open(void);
/* Why not, as a clause, static; NULL: it can be read. */
const char *kernel_types__problem(void);
void kernel_types__close(struct kernel_types *types);

/* Is there anything of this name? */
bool kernel_types__know(const struct kernel_types *types, const char *name);

/* How many arguments a tracepoint has, by the id of the type of its programs ("btf_trace_..."); 0: it is not there. */
unsigned int kernel_types__arguments(const struct kernel_types *types, uint32_t tracepoint);

/* How many bytes follow the common part of a type. False: its kind is unknown. */
bool kernel_types__extra_size(const struct btf_type *type, size_t *size);

/* Calls for every type of these kinds (a bit each, BTF_KIND_*) that has a name. */
void kernel_types__each(const struct kernel_types *types, uint32_t kinds,
			void (*visit)(void *context, uint32_t id, const struct btf_type *type, const char *name),
			void *context);

/*
 * Writes an excerpt to a file: the structures that the programs of an object name (`wanted`), and
 * what these are made of. Pointers lead nowhere in it. libbpf relocates the programs by it
 * (btf_custom_path). Returns 0 or -errno.
 */
struct btf;
int excerpt__write(const struct kernel_types *types, const struct btf *wanted, int fd);

#endif
