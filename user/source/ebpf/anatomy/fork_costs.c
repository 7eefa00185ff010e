// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/autofree.h"
#include "source/ebpf/anatomy/detail_reader_state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/page.h"
#include "base/quantile.h"
#include "model/run/run.h"

/* Splits a fork at the moments of its record. False: one is not known, or out of order. */
static bool split(const struct fork_record *record, uint64_t parts[PART_COUNT])
{
	uint64_t leaving = record->leaving ? record->leaving : record->exited;
	uint64_t running = record->execed ? record->execed : leaving;
	const uint64_t moments[PART_COUNT + 1] = {
		[PART_COPY] = record->entered, [PART_START] = record->forked,
		[PART_RUN] = record->started,  [PART_EXECD] = running,
		[PART_EXIT] = leaving,	       [PART_REAP] = record->exited,
		[PART_COUNT] = record->reaped,
	};

	if (!record->entered)
		return false;
	for (int part = 0; part < PART_COUNT; part++) {
		if (moments[part + 1] < moments[part])
			return false;
		parts[part] = moments[part + 1] - moments[part];
	}
	return true;
}

static int by_value(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static struct spread_ns spread_ns(uint64_t *values, size_t count)
{
	struct spread_ns spread = { .count = count };

	if (!count)
		return spread;
	qsort(values, count, sizeof(*values), by_value);
	for (size_t i = 0; i < count; i++)
		spread.total += values[i];
	spread.min = values[0];
	spread.median = values[quantile__rank(count, 500)];
	spread.p99 = values[quantile__rank(count, 990)];
	spread.max = values[count - 1];
	return spread;
}

static struct spread_of spread_of(uint64_t *values, size_t count)
{
	struct spread_ns spread = spread_ns(values, count);

	return (struct spread_of){ spread.min, spread.median, spread.max };
}

static uint64_t vmas(const struct fork_record *record)
{
	return record->vmas;
}

static uint64_t page_table_bytes(const struct fork_record *record)
{
	return record->page_table_bytes;
}

static uint64_t threads(const struct fork_record *record)
{
	return record->threads;
}

static uint64_t pinned_bytes(const struct fork_record *record)
{
	return record->pinned_pages * page_bytes;
}

static uint64_t open_files(const struct fork_record *record)
{
	return record->open_files;
}

static struct spread_of of_parent(const struct grouped_fork *forks, size_t count, uint64_t *values,
				  uint64_t (*get)(const struct fork_record *))
{
	for (size_t i = 0; i < count; i++)
		values[i] = get(&forks[i].record);
	return spread_of(values, count);
}

/* A fork all of whose parts are known. */
struct complete_fork {
	uint64_t whole;
	uint64_t parts[PART_COUNT];
};

static int by_whole(const void *left, const void *right)
{
	const struct complete_fork *a = left, *b = right;

	return a->whole < b->whole ? -1 : a->whole > b->whole;
}

static void add_up_typical(struct fork_cost *cost, struct complete_fork *forks, size_t count)
{
	if (count)
		qsort(forks, count, sizeof(*forks), by_whole);
	for (size_t i = count / 4; i < count - count / 4; i++) {
		cost->typical++;
		cost->typical_ns += forks[i].whole;
		for (int part = 0; part < PART_COUNT; part++)
			cost->part_ns[part] += forks[i].parts[part];
	}
}

static void add_up_complete(struct fork_cost *cost, const struct grouped_fork *forks, size_t count, uint64_t *values)
{
	autofree struct complete_fork *complete = checked_calloc(count, sizeof(*complete));

	for (size_t i = 0; i < count; i++) {
		const struct fork_record *record = &forks[i].record;
		struct complete_fork *next = &complete[cost->complete];

		if (!split(record, next->parts))
			continue;
		next->whole = values[cost->complete++] = record->reaped - record->entered;
	}
	cost->whole = spread_ns(values, cost->complete);
	add_up_typical(cost, complete, cost->complete);
}

struct fork_cost fork_cost__of(const struct grouped_fork *forks, size_t count)
{
	struct fork_cost cost = { .forks = count, .vmas_anon = ABSENT, .rss_bytes = ABSENT };
	autofree uint64_t *values = checked_calloc(count, sizeof(*values));
	size_t calls = 0;

	add_up_complete(&cost, forks, count, values);
	for (size_t i = 0; i < count; i++) {
		const struct fork_record *record = &forks[i].record;

		if (record->entered && record->returned)
			values[calls++] = record->returned - record->entered;
	}
	cost.call = spread_ns(values, calls);
	cost.vmas = of_parent(forks, count, values, vmas);
	cost.page_table_bytes = of_parent(forks, count, values, page_table_bytes);
	cost.threads = of_parent(forks, count, values, threads);
	cost.pinned_bytes = of_parent(forks, count, values, pinned_bytes).median;
	cost.open_files = of_parent(forks, count, values, open_files).median;
	return cost;
}
