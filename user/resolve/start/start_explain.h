/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Explains a start: what each call is for, which phase it and each fault belongs to, which files
 * ld.so searched for. By rules over the sequence of calls; what no rule knows stays unknown.
 */
#ifndef FORKTAX_RESOLVE_START_START_EXPLAIN_H
#define FORKTAX_RESOLVE_START_START_EXPLAIN_H

#include "model/run/run.h"

/* Fills what model/start/start.h says is by analysis. Needs run->start; its faults are summed up, and freed. */
void start__explain(struct run *run);

#endif
