/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Tables of system calls: of a thread (private), of a process (shared; used when a thread ends
 * before its process, or has no room for another call) and of a group (map calls).
 */
#ifndef FORKTAX_CALLS_H
#define FORKTAX_CALLS_H

#include "maps.h"

static __always_inline __u64 key_bits(const struct call_key *key)
{
	return *(const __u64 *)key;
}

static __always_inline __u32 key_hash(const struct call_key *key)
{
	__u32 nr = key->nr;

	return nr ^ (nr >> 7) ^ ((__u32)key->actor << 6) ^ ((__u32)key->abi << 4);
}

static __always_inline void add_counts(struct call_counts *sum, const struct call_counts *more)
{
	add(&sum->calls, more->calls);
	add(&sum->errors, more->errors);
	add(&sum->denied, more->denied);
	add(&sum->time_ns, more->time_ns);
}

/* The same in a table that only this thread writes to. */
static __always_inline void add_own_counts(struct call_counts *sum, const struct call_counts *more)
{
	sum->calls += more->calls;
	sum->errors += more->errors;
	sum->denied += more->denied;
	sum->time_ns += more->time_ns;
}

/* Is the call counted behind this slot? Its entry, from 1 on; 0: no; more than BIG_CALLS: it finds no room. */
__weak __u32 probe_big(struct big_table *table, __u64 bits, __u32 slot)
{
	__u32 index;

	if (!table)
		return 0;
	slot %= BIG_SLOTS;
	index = table->slots[slot];
	if (index)
		return key_bits(&table->entry[(index - 1) % BIG_CALLS].key) == bits ? index : 0;
	index = table->entries;
	if (index >= BIG_CALLS)
		return BIG_CALLS + 1;
	table->entries = index + 1;
	table->slots[slot] = index + 1;
	table->entry[index].key = *(struct call_key *)&bits;
	return index + 1;
}

/* Where a call is counted in the big table, NULL if the table has no room for it. */
static __noinline struct call_counts *big_counts(struct big_table *table, const struct call_key *key)
{
	__u32 hash = key_hash(key), index = 0;

	for (int i = 0; i < BIG_PROBES && !index; i++)
		index = probe_big(table, key_bits(key), hash + i);
	if (!index || index > BIG_CALLS)
		return NULL;
	index--;
	barrier_var(index); /* else clang drops what follows, which the verifier wants */
	return &table->entry[index % BIG_CALLS].counts;
}

static __always_inline struct big_table *find_big(const struct task_value *value)
{
	__u64 owner = value->address;

	return bpf_map_lookup_elem(&big_tables, &owner);
}

/* Adds to the group's table. Group 0 holds the roots. */
__weak int count_for_group(__u32 group, __u64 bits, const struct call_counts *counts)
{
	struct group_call_key key = { .call = *(struct call_key *)&bits, .group = group };
	struct call_counts *sum = find_or_zero(&calls, &key);

	if (sum && counts)
		add_counts(sum, counts);
	return 0;
}

struct probe {
	struct process_table *table;
	__u64 bits;
	__u32 hash;
	__u32 found;
};

static long probe_slot(__u32 i, void *context)
{
	struct probe *probe = context;
	__u32 slot = (probe->hash + i) % PROCESS_CALLS;
	__u64 *bits = (__u64 *)&probe->table->entry[slot].key;
	__u64 seen = *bits;

	if (!seen)
		seen = __sync_val_compare_and_swap(bits, 0, probe->bits);
	if (seen && seen != probe->bits)
		return 0;
	probe->found = slot;
	return 1;
}

/*
 * Adds to the table of the process; several threads may do so at once. A process that makes more
 * than PROCESS_CALLS different calls loses the excess, and the run says so.
 */
__weak int count_for_process(struct process_value *process, __u64 bits, const struct call_counts *counts)
{
	struct probe probe = { .bits = bits, .hash = key_hash((struct call_key *)&bits), .found = PROCESS_CALLS };
	__u64 id;

	if (!process || !counts)
		return 0;
	id = process->id;
	probe.table = find_or_zero(&tables, &id);
	if (!probe.table)
		return 0;
	process->has_table = 1;
	bpf_loop(PROCESS_CALLS, probe_slot, &probe, 0);
	if (probe.found < PROCESS_CALLS)
		add_counts(&probe.table->entry[probe.found].counts, counts);
	else
		lose(LOSS_MAP_FULL);
	return 0;
}

static __always_inline void create_big(struct task_value *value)
{
	__u64 owner = value->address;

	put_zero(&big_tables, &owner, BPF_ANY);
	value->has_big = 1;
}

/* Makes room in the small table: moves an entry to the big one, or else to the process. */
static __noinline void evict(struct task_value *value, struct call_entry *entry)
{
	struct process_value *process;
	struct call_counts *counts;
	struct big_table *table;

	if (!value->has_big)
		create_big(value);
	table = find_big(value);
	counts = table ? big_counts(table, &entry->key) : NULL;
	if (counts) {
		add_own_counts(counts, &entry->counts);
	} else {
		process = find_process(value->process);
		if (process)
			count_for_process(process, key_bits(&entry->key), &entry->counts);
	}
	__builtin_memset(entry, 0, sizeof(*entry));
}

/*
 * Adds to the counts of one call of the current thread. Returns which entry it has. A global function,
 * so that the verifier checks it once and not for every key that its callers may have made.
 */
__weak int count_call(struct task_value *value, __u64 bits, const struct call_counts *more)
{
	struct call_key key = *(struct call_key *)&bits;
	struct call_entry *entry;
	__u32 slot;

	if (!value || !more)
		return 0;
	slot = key_hash(&key) % SMALL_CALLS;
	entry = &value->small[slot];
	if (entry->key.used && key_bits(&entry->key) != bits) {
		slot ^= 1;
		entry = &value->small[slot];
	}
	if (entry->key.used && key_bits(&entry->key) != bits)
		evict(value, entry);
	if (timed && !entry->key.used)
		value->latency_slot[slot] = 0;
	entry->key = key;
	add_own_counts(&entry->counts, more);
	return slot;
}

struct flush {
	struct process_value *process;
	struct task_value *value;
	struct big_table *big;
	struct process_table *table;
	__u32 to_group; /* else to the table of the process */
};

static __always_inline void flush_entry(struct flush *flush, struct call_entry *entry)
{
	if (flush->to_group)
		count_for_group(flush->process->group, key_bits(&entry->key), &entry->counts);
	else
		count_for_process(flush->process, key_bits(&entry->key), &entry->counts);
	__builtin_memset(entry, 0, sizeof(*entry));
}

static long flush_small_entry(__u32 i, void *context)
{
	struct flush *flush = context;

	if (i >= SMALL_CALLS)
		return 1;
	if (flush->value->small[i].key.used)
		flush_entry(flush, &flush->value->small[i]);
	return 0;
}

static long flush_big_entry(__u32 i, void *context)
{
	struct flush *flush = context;

	if (i >= BIG_CALLS)
		return 1;
	flush_entry(flush, &flush->big->entry[i]);
	return 0;
}

/* Empties the thread's table into the group, if its fate is known, or else into the process. */
__weak int flush_calls(struct task_value *value, struct process_value *process, __u32 to_group)
{
	struct flush flush = { .process = process, .value = value, .to_group = to_group };

	if (!value || !process)
		return 0;
	bpf_loop(SMALL_CALLS, flush_small_entry, &flush, 0);
	if (!value->has_big)
		return 0;
	flush.big = find_big(value);
	if (!flush.big)
		return 0;
	bpf_loop(flush.big->entries, flush_big_entry, &flush, 0);
	flush.big->entries = 0;
	__builtin_memset(flush.big->slots, 0, sizeof(flush.big->slots));
	return 0;
}

static long flush_process_entry(__u32 i, void *context)
{
	struct flush *flush = context;
	struct call_entry *entry;

	if (i >= PROCESS_CALLS)
		return 1;
	entry = &flush->table->entry[i];
	if (entry->key.used)
		count_for_group(flush->process->group, key_bits(&entry->key), &entry->counts);
	return 0;
}

__weak int flush_process_calls(struct process_value *process)
{
	struct flush flush = { .process = process };
	__u64 id;

	if (!process || !process->has_table)
		return 0;
	id = process->id;
	flush.table = bpf_map_lookup_elem(&tables, &id);
	if (!flush.table)
		return 0;
	bpf_loop(PROCESS_CALLS, flush_process_entry, &flush, 0);
	bpf_map_delete_elem(&tables, &id);
	process->has_table = 0;
	return 0;
}

#endif
