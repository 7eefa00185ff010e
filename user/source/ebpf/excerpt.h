/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An excerpt of the kernel's BTF: the structures that an object's programs name, and what these are
 * made of. Pointers lead nowhere in it. libbpf relocates the programs by it (btf_custom_path).
 * Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_EXCERPT_H
#define FORKTAX_SOURCE_EBPF_EXCERPT_H

#include "source/ebpf/kernel_types.h"

struct btf;

/* Writes it to a file. Returns 0 or -errno. */
int excerpt__write(const struct kernel_types *types, const struct btf *wanted, int fd);

#endif
