/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which objects lie otherwise in some runs than in others: built again, or of another version.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_SHIFTED_H
#define FORKTAX_ANALYSIS_COMPARE_SHIFTED_H

#include "analysis/compare/compare_column.h"

struct shifted {
	char **keys; /* object_key(), in order */
	size_t count;
};

struct shifted shifted__of(const struct compare_column *columns, size_t count);
void shifted__free(struct shifted *shifted);
bool shifted__has(const struct shifted *shifted, const char *object_key);

#endif
