/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When a round counts as disturbed: other programs, not the measurement, had the CPU.
 */
#ifndef FORKTAX_MODEL_RUN_OTHERS_H
#define FORKTAX_MODEL_RUN_OTHERS_H

#include <stddef.h>

/*
 * Returns the share above which a round is disturbed: a tenth more than the share of the quietest
 * of the first `rounds`. (That one is not 0: the end of short-lived children is charged to nobody.)
 * `others`: for each round, the share of its time that others had (0..1; NAN: not known).
 */
double others__limit(const double *others, size_t rounds);

#endif
