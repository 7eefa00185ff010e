/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the eBPF source needs, a row each, and how to try it.
 */
#ifndef FORKTAX_SOURCE_EBPF_CAPABILITIES_H
#define FORKTAX_SOURCE_EBPF_CAPABILITIES_H

#include "source/source.h"

/* As capabilities() of struct source. Keeps libbpf from printing: what is tried may fail. */
const struct capability *capabilities__list(size_t *count);

#endif
