/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is saved of a comparison and of `forktax bindnow`: what was measured, from which reading
 * computes the figures again; and, for readers that are not forktax, these figures.
 */
#ifndef FORKTAX_SAVED_MEASURED_H
#define FORKTAX_SAVED_MEASURED_H

#include "analysis/bindnow/bindnow.h"
#include "model/fields.h"

struct measured {
	struct compare_column *columns;
	size_t column_count;
	size_t baseline;
	/* Of bindnow. */
	bool was_set, is_secure;
	struct bindnow_files files;
	/* Computed; NULL when it was read. */
	const struct comparison *comparison;
	const struct bindnow *bindnow;
	const char *verdict;
};

extern const struct shape comparison_shape, bindnow_shape;

#endif
