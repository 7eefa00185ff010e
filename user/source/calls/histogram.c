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

static struct histogram_bin *find(const struct histogram *histogram, uint64_t value)
{
	size_t at = (value * 0x9e3779b97f4a7c15u >> 32) & (histogram->room - 1);

	while (histogram->bins[at].count && histogram->bins[at].value != value)
		at = (at + 1) & (histogram->room - 1);
	return &histogram->bins[at];
}

static void grow(struct histogram *histogram)
{
	struct histogram old = *histogram;

	histogram->room = old.room ? 2 * old.room : 16;
	histogram->bins = checked_calloc(histogram->room, sizeof(*histogram->bins));
	for (size_t i = 0; i < old.room; i++)
		if (old.bins[i].count)
			*find(histogram, old.bins[i].value) = old.bins[i];
	free(old.bins);
}

void histogram__add(struct histogram *histogram, uint64_t value, uint64_t count)
{
	struct histogram_bin *bin;

	if (4 * histogram->used >= 3 * histogram->room)
		grow(histogram);
	value = lower(value);
	bin = find(histogram, value);
	histogram->used += !bin->count;
	histogram->count += count;
	bin->value = value;
	bin->count += count;
}

/* Free bins last. */
static int by_value(const void *left, const void *right)
{
	const struct histogram_bin *a = left, *b = right;

	if (!a->count != !b->count)
		return !a->count - !b->count;
	return (a->value > b->value) - (a->value < b->value);
}

uint64_t histogram__at(struct histogram *histogram, uint64_t rank)
{
	if (histogram->room)
		qsort(histogram->bins, histogram->room, sizeof(*histogram->bins), by_value);
	for (size_t i = 0; i < histogram->used; i++) {
		if (rank < histogram->bins[i].count)
			return histogram->bins[i].value;
		rank -= histogram->bins[i].count;
	}
	return 0;
}

void histogram__free(struct histogram *histogram)
{
	free(histogram->bins);
	*histogram = (struct histogram){ 0 };
}
