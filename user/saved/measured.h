/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is saved of a comparison and of `forktax bindnow`: the measurements, from which forktax
 * computes the figures again when it reads them, and the figures, for other readers.
 */
#ifndef FORKTAX_SAVED_MEASURED_H
#define FORKTAX_SAVED_MEASURED_H

#include "analysis/bindnow/bindnow.h"
#include "model/rows/fields.h"

struct measured {
	struct compare_column *columns;
	size_t column_count;
	size_t baseline;
	/* Of bindnow. */
	bool was_set, is_secure;
	struct machine machine;
	struct bindnow_files files;
	/* Computed, for writing; NULL after reading. */
	const struct comparison *comparison;
	const struct bindnow *bindnow;
	const char *verdict;
};

extern const struct shape estimate_shape;

#endif
