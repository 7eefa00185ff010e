/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `forktax bench fork`: a loop of fork(), the end of the child, and wait(), in every linkage.
 */
#ifndef FORKTAX_MEASURE_FORK_FORK_H
#define FORKTAX_MEASURE_FORK_FORK_H

#include "measure/engine.h"

#define FORK_RESIDENT_MAX (1ull << 39)

struct fork_settings {
	uint64_t resident; /* bytes that the parent has written */
	const char *loops; /* directory of loop programs; NULL: the usual places */
};

/* Cells of the plan that cannot be measured here say why. */
struct bench_plan *bench_fork__plan(const struct fork_settings *settings);

#endif
