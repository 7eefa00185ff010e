/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Copies of pages by call stack, of units.
 *
 * Internal to source/ebpf.
 */
#ifndef FORKTAX_SOURCE_EBPF_UNITS_COPIES_H
#define FORKTAX_SOURCE_EBPF_UNITS_COPIES_H

#include "source/ebpf/tracing.h"

/* Makes room for copies by call stack, if they are asked for; before the programs are loaded. */
void copies__configure(const struct tracing *tracing, struct forktax_bpf *skeleton);
/* Takes what was copied since the last time. 0 or -errno. */
int copies__take(struct tracing *tracing, struct unit_reading *reading);

#endif
