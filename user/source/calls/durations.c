// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/durations.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantile.h"
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

/*
 * strace gives microseconds unless it is asked for another unit: in them the histogram is exact up
 * to 4 ms. The first time that is no whole number of them makes it one of nanoseconds.
 */
static void choose_unit(struct durations *durations, uint64_t time_ns)
{
	struct histogram old = durations->times;

	if (!durations->unit_ns)
		durations->unit_ns = 1000;
	if (durations->unit_ns == 1 || time_ns % 1000 == 0)
		return;
	durations->unit_ns = 1;
	durations->times = (struct histogram){ 0 };
	for (size_t i = 0; i < old.numbers.count; i++)
		histogram__add(&durations->times, old.bins[i].value * 1000, old.bins[i].count);
	histogram__free(&old);
}

void durations__add(struct durations *durations, uint64_t time_ns)
{
	bool first = !durations->times.count;

	choose_unit(durations, time_ns);
	histogram__add(&durations->times, time_ns / durations->unit_ns, 1);
	if (first || time_ns < durations->min_ns)
		durations->min_ns = time_ns;
	if (first || time_ns > durations->max_ns)
		durations->max_ns = time_ns;
}

static uint64_t percentile_99(struct durations *durations)
{
	uint64_t rank = quantile__rank(durations->times.count, 990);
	uint64_t value = histogram__upper(histogram__at(&durations->times, rank)) * durations->unit_ns;

	return value < durations->max_ns ? value : durations->max_ns;
}

void durations__fill(struct durations *durations, struct syscall_row *row)
{
	if (!durations->times.count)
		return;
	row->min_ns = durations->min_ns;
	row->max_ns = durations->max_ns;
	row->p99_ns = percentile_99(durations);
}

void durations__free(struct durations *durations)
{
	histogram__free(&durations->times);
}
