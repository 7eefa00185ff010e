/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the eBPF source needs of the kernel.
 *
 * Internal to source/ebpf.
 */
#ifndef FORKTAX_SOURCE_EBPF_CAPABILITIES_H
#define FORKTAX_SOURCE_EBPF_CAPABILITIES_H

#include "base/capability_row.h"

/*
 * A row each, and how to try it. Implements capabilities() of struct source.
 * Keeps libbpf from printing: what is tried may fail.
 */
const struct capability *capabilities__list(size_t *count);

#endif
