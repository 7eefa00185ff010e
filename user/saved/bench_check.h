/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What must hold in every bench, so that reports need not ask.
 */
#ifndef FORKTAX_SAVED_BENCH_CHECK_H
#define FORKTAX_SAVED_BENCH_CHECK_H

#include "model/bench.h"

/*
 * NULL, or the first thing that is wrong (to be freed): names twice, a measured cell without a time
 * for every round or with one that is not above 0, values of a cell that was not measured, points
 * of an axis that do not ascend.
 */
char *bench__contradiction(const struct bench *bench);

#endif
