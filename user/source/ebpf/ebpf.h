/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The eBPF source: the kernel half, loaded, attached and armed.
 */
#ifndef FORKTAX_SOURCE_EBPF_EBPF_H
#define FORKTAX_SOURCE_EBPF_EBPF_H

#include "source/source.h"

extern const struct source source_ebpf;

#endif
