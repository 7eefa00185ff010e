/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From which share of a round on it is disturbed: others had the CPU, and not the measurement.
 */
#ifndef FORKTAX_MODEL_OTHERS_H
#define FORKTAX_MODEL_OTHERS_H

#include <stddef.h>

/*
 * `others`: of each round the share of its time that others had (0..1; NAN: not known). A round is
 * disturbed if its share passes what this returns: a tenth beyond that of the quietest of the first
 * `rounds` (which is not 0: nobody is charged for the end of short-lived children).
 */
double others__limit(const double *others, size_t rounds);

#endif
