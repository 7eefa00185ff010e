/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Drops from a program what its constants rule out, before the kernel has to look at it. The verifier would drop the
 * same, but it moves the rest of the program at each patch, and reads the constants again on each path. Internal to
 * user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_DEAD_CODE_H
#define FORKTAX_SOURCE_EBPF_DEAD_CODE_H

#include "source/ebpf/program_code.h"

/* In place; the order is kept. */
void dead_code__drop(struct program_code *code, const struct constants *constants);

#endif
