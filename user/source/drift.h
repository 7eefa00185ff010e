/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_SOURCE_DRIFT_H
#define FORKTAX_SOURCE_DRIFT_H

#include <stdbool.h>

/*
 * Whether tracepoint programs can be preempted on the running kernel (bpf/drift.h says what
 * follows). Told by the kernel's BTF, which names a type that came with the change.
 */
bool can_be_preempted(void);

#endif
