// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/histogram.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "forktax.h"

static unsigned int shift_of(uint64_t value)
{
	unsigned int bits = value ? 64 - __builtin_clzll(value) : 0;

	return bits > 12 ? bits - 12 : 0;
}
_Static_assert(DIST_EXACT == (1 << 12) - 1, "12 bits are kept");

static uint64_t lower(uint64_t value)
{
	unsigned int shift = shift_of(value);

	return value >> shift << shift;
}

uint64_t histogram__upper(uint64_t kept)
{
	return kept + ((uint64_t)1 << shift_of(kept)) - 1;
}

void histogram__add(struct histogram *histogram, uint64_t value, uint64_t count)
{
	const size_t bins = histogram->numbers.count;
	size_t number;

	value = lower(value);
	number = hash__number(&histogram->numbers, &value, sizeof(value));
	if (number == bins) {
		histogram->bins = checked_grow(histogram->bins, bins, sizeof(*histogram->bins));
		histogram->bins[bins] = (struct histogram_bin){ .value = value };
	}
	histogram->bins[number].count += count;
	histogram->count += count;
}

static int by_value(const void *left, const void *right)
{
	const struct histogram_bin *a = left, *b = right;

	return (a->value > b->value) - (a->value < b->value);
}

uint64_t histogram__at(struct histogram *histogram, uint64_t rank)
{
	if (histogram->numbers.count)
		qsort(histogram->bins, histogram->numbers.count, sizeof(*histogram->bins), by_value);
	for (size_t i = 0; i < histogram->numbers.count; i++) {
		if (rank < histogram->bins[i].count)
			return histogram->bins[i].value;
		rank -= histogram->bins[i].count;
	}
	return 0;
}

void histogram__free(struct histogram *histogram)
{
	free(histogram->bins);
	hash__release(&histogram->numbers);
	*histogram = (struct histogram){ 0 };
}
