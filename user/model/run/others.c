// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/run/others.h"

/* The quietest round counts as no busier than this: what the CPU does for nobody takes no more. */
static const double quietest_most = 0.2, disturbance_least = 0.1;

double others__limit(const double *others, size_t rounds)
{
	double quietest = quietest_most;

	for (size_t round = 0; others && round < rounds; round++) {
		if (others[round] < quietest) /* never if it is NAN */
			quietest = others[round];
	}
	return quietest + disturbance_least;
}
