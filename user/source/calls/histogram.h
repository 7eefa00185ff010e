/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How often each value occurred, in bounded memory: values up to 4095 are exact, of larger ones the
 * highest 12 bits are kept, as in the distributions of the kernel half (bpf/forktax.h, DIST_EXACT).
 */
#ifndef FORKTAX_SOURCE_CALLS_HISTOGRAM_H
#define FORKTAX_SOURCE_CALLS_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct histogram_bin {
	uint64_t value, count;
};

struct histogram {
	struct histogram_bin *bins; /* owned */
	struct hash numbers; /* of the bins, by value: as long as they are not sorted */
	uint64_t count;
};

void histogram__add(struct histogram *histogram, uint64_t value, uint64_t count);
/* The value at this rank (from 0) in ascending order, rounded down. Sorts the bins: nothing can be added any more. */
uint64_t histogram__at(struct histogram *histogram, uint64_t rank);
/* The largest value that is kept as this one. */
uint64_t histogram__upper(uint64_t kept);
void histogram__free(struct histogram *histogram);

#endif
