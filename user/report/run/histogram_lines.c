// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/histogram_lines.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/words.h"

static void add(struct histogram_lines *lines, struct call_bucket bucket)
{
	lines->buckets = checked_grow(lines->buckets, lines->count, sizeof(*lines->buckets));
	lines->buckets[lines->count++] = bucket;
	if (bucket.calls > lines->most)
		lines->most = bucket.calls;
}

/* The empty ones before `next`, as far as they are powers of two above the last line. */
static void add_empty(struct histogram_lines *lines, const struct call_bucket *next)
{
	while (lines->count) {
		const struct call_bucket *last = &lines->buckets[lines->count - 1];
		const uint64_t low = last->high_ns;

		if (low >= next->low_ns)
			return;
		add(lines, (struct call_bucket){ low, low > next->low_ns / 2 ? next->low_ns : 2 * low, 0 });
	}
}

struct histogram_lines histogram_lines__of(const struct syscall_row *row)
{
	struct histogram_lines lines = { 0 };

	for (size_t i = 0; i < row->bucket_count; i++) {
		add_empty(&lines, &row->buckets[i]);
		add(&lines, row->buckets[i]);
	}
	return lines;
}

void histogram_lines__free(struct histogram_lines *lines)
{
	free(lines->buckets);
}

char *histogram_lines__range(const struct call_bucket *bucket)
{
	if (bucket->high_ns == ABSENT)
		return text__of("%s or more", quantity__time((double)bucket->low_ns).text);
	return text__of("%s .. %s", quantity__time((double)bucket->low_ns).text,
			quantity__time((double)bucket->high_ns).text);
}
