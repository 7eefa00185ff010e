/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the eBPF source uses, each to be tried.
 */
#ifndef FORKTAX_SOURCE_EBPF_CAPABILITIES_H
#define FORKTAX_SOURCE_EBPF_CAPABILITIES_H

#include "source/source.h"

/* For struct source. Takes libbpf's messages in charge: what is tried may fail. */
const struct capability *capabilities__list(size_t *count);

#endif
