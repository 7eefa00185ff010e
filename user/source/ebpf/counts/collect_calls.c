// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System-call tables: of each group, of the roots, and of the whole run, all from map calls.
 */
#include "source/ebpf/counts/collect.h"

#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "base/text.h"
#include "model/run/call_errors.h"
#include "model/words/syscall_names.h"
#include "source/ebpf/counts/map_walk.h"

struct call_entry {
	struct group_call_key key;
	struct call_counts counts;
};

struct call_walk {
	struct call_entry now;
	struct call_entry *entries;
	size_t count;
};

static void visit_call(void *context)
{
	struct call_walk *walk = context;

	walk->entries = checked_grow(walk->entries, walk->count, sizeof(*walk->entries));
	walk->entries[walk->count++] = walk->now;
}

static struct syscall_row *call_row(struct syscall_table *table, const struct call_key *call)
{
	struct syscall_row *row;
	const char *name;

	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].nr == call->nr && table->rows[i].abi == call->abi)
			return &table->rows[i];
	table->rows = checked_grow(table->rows, table->count, sizeof(*table->rows));
	row = &table->rows[table->count++];
	*row = (struct syscall_row){
		.abi = call->abi, .nr = call->nr, .min_ns = ABSENT, .max_ns = ABSENT, .p99_ns = ABSENT
	};
	name = syscall_name(call->abi, call->nr);
	row->name = name ? checked_strdup(name) : text__of("unknown(%d)", call->nr);
	return row;
}

static void add_call(struct syscall_table *table, const struct call_entry *entry)
{
	const struct call_key *call = &entry->key.call;
	struct syscall_row *row = call_row(table, call);

	if (call->outcome == CALL_MADE) {
		row->calls[call->actor] += entry->counts.calls;
		row->time_ns[call->actor] += entry->counts.time_ns;
	} else if (call->outcome == CALL_WAS_DENIED) {
		row->denied[call->actor] += entry->counts.calls;
	} else {
		row->errors[call->actor] += entry->counts.calls;
		syscall_row__add_error(row, call->outcome - 1, call->actor, entry->counts.calls);
	}
}

/* Where the groups of the kernel half are in the model. */
struct group_places {
	const uint32_t *positions;
	uint32_t count;
};

/* The table of a group's calls; NULL: it has none in the run. */
static struct syscall_table *table_of(struct run *run, const struct group_places *places, uint32_t group)
{
	if (!group)
		return &run->root_table;
	if (group < places->count && places->positions[group] != NO_GROUP)
		return &run->groups[places->positions[group]].table;
	return NULL;
}

/* The kernel leaves no other call without a return: a signal that kills ends the call first. */
static void finish_row(struct syscall_row *row)
{
	if (syscall_row__ends_thread(row))
		memcpy(row->unfinished, row->calls, sizeof(row->unfinished));
	syscall_row__sort_errnos(row);
}

static void finish_table(struct syscall_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		finish_row(&table->rows[i]);
	syscall_table__sort(table);
}

/* The inverse of latency_bucket() in bpf/syscalls.bpf.c: the highest duration of a bucket. */
static uint64_t bucket_end(unsigned int bucket)
{
	unsigned int shift = bucket >> LATENCY_SUB_BITS;
	uint64_t low;

	if (shift) /* buckets of one octave run from 16 to 31, on top of shift * 16 */
		shift--;
	low = bucket - (shift << LATENCY_SUB_BITS);
	return ((low + 1) << shift) - 1;
}

static uint64_t percentile_99(const struct latency_value *value)
{
	uint64_t count = 0, rank, end;

	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++)
		count += value->buckets[i];
	if (!count)
		return ABSENT;
	rank = quantile__rank(count, 990);
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++) {
		if (rank < value->buckets[i]) {
			end = bucket_end(i);
			return end < value->max_ns ? end : value->max_ns;
		}
		rank -= value->buckets[i];
	}
	return ABSENT;
}

static void read_latency(const struct forktax_bpf *skeleton, struct syscall_row *row)
{
	struct call_key key = { .nr = row->nr, .abi = row->abi, .outcome = CALL_MADE };
	struct latency_value value;

	if (bpf_map_lookup_elem(bpf_map__fd(skeleton->maps.latencies), &key, &value))
		return;
	row->min_ns = value.min_ns;
	row->max_ns = value.max_ns;
	row->p99_ns = percentile_99(&value);
}

void collect__calls(const struct forktax_bpf *skeleton, struct run *run,
		    const uint32_t *group_positions, uint32_t group_count)
{
	const struct group_places places = { group_positions, group_count };
	struct call_walk walk = {};

	map_walk(skeleton->maps.calls, &walk.now.key, &walk.now.counts, visit_call, &walk);
	for (size_t i = 0; i < walk.count; i++) {
		const struct call_entry *entry = &walk.entries[i];
		struct syscall_table *part = table_of(run, &places, entry->key.group);

		add_call(&run->table, entry);
		if (part)
			add_call(part, entry);
	}
	free(walk.entries);
	run->outcomes = true;
	finish_table(&run->table);
	finish_table(&run->root_table);
	for (size_t i = 0; i < run->group_count; i++)
		finish_table(&run->groups[i].table);
	if (run->timed)
		for (size_t i = 0; i < run->table.count; i++)
			read_latency(skeleton, &run->table.rows[i]);
}
