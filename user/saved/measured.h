/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is saved of a comparison: the measurements, from which forktax computes the figures again when
 * it reads them, and the figures, for other readers.
 */
#ifndef FORKTAX_SAVED_MEASURED_H
#define FORKTAX_SAVED_MEASURED_H

#include "analysis/compare/comparison.h"
#include "model/rows/fields.h"

struct measured {
	struct compare_column *columns;
	size_t column_count;
	size_t baseline;
	const struct comparison *comparison; /* computed, for writing; NULL after reading */
};

extern const struct shape estimate_shape;

#endif
