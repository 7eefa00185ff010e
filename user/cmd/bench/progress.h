/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How far a bench is, on one line of a terminal.
 */
#ifndef FORKTAX_CMD_BENCH_PROGRESS_H
#define FORKTAX_CMD_BENCH_PROGRESS_H

#include "measure/engine.h"

/* On stderr; no context. */
bench_progress_fn bench_progress__show;
void bench_progress__clear(void);

#endif
