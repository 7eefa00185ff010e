/* SPDX-License-Identifier: GPL-2.0-only
 *
 * System calls, and those that failed or were denied, each outcome as a key of its own: of a thread (private), of a
 * process (shared; used when a thread ends before its process, or has no room for another one) and of a group (map
 * calls).
 */
#pragma once

#include "maps.h"

static __always_inline __u64 key_bits(const struct call_key *key)
{
	return *(const __u64 *)key;
}

static __always_inline __u32 key_hash(const struct call_key *key)
{
	__u32 nr = key->nr;

	return nr ^ (nr >> 7) ^ ((__u32)key->actor << 6) ^ ((__u32)key->abi << 4) ^ (key->outcome - CALL_MADE);
}

static __always_inline void add_counts(struct call_counts *sum, const struct call_counts *more)
{
	add(&sum->calls, more->calls);
	add(&sum->time_ns, more->time_ns);
}

__weak int count_for_group(__u32 group, __u64 bits, const struct call_counts *counts)
{
	struct group_call_key key = { .call = *(struct call_key *)&bits, .group = group };
	struct call_counts *sum = find_or_zero(&calls, &key);

	if (sum && counts)
		add_counts(sum, counts);
	return 0;
}

struct call_link {
	struct process_value *process;
	struct process_call *call;
	__u64 bits;
	__u32 linked;
};

/* Puts a new entry at the head of the list of its process; other threads may be doing the same. */
static long link_call(__u32 i, void *context)
{
	struct call_link *link = context;
	__u64 head = link->process->first_call;

	link->call->next = head;
	link->linked = __sync_val_compare_and_swap(&link->process->first_call, head, link->bits) == head;
	return link->linked;
}

__weak int count_for_process(struct process_value *process, __u64 bits, const struct call_counts *counts)
{
	struct call_link link = { .process = process, .bits = bits };
	struct process_call_key key = {};
	int created;

	if (!process || !counts)
		return 0;
	key.process = process->id;
	key.call = bits;
	created = !bpf_map_lookup_elem(&process_calls, &key) && !(int)put_zero(&process_calls, &key, BPF_NOEXIST);
	link.call = bpf_map_lookup_elem(&process_calls, &key);
	if (!link.call) {
		lose(LOSS_MAP_FULL);
		return 0;
	}
	add_counts(&link.call->counts, counts);
	if (created)
		bpf_loop(LINK_ATTEMPTS, link_call, &link, 0);
	if (created && !link.linked)
		lose(LOSS_MAP_FULL);
	return 0;
}

static __noinline void evict(struct task_value *value, struct call_entry *entry)
{
	struct process_value *process = find_process(value->process);

	if (process)
		count_for_process(process, key_bits(&entry->key), &entry->counts);
	__builtin_memset(entry, 0, sizeof(*entry));
}

/*
 * Adds to the counts of one call of the current thread. A global function, so that the verifier checks it once and not
 * for every key that its callers may have made.
 */
__weak int count_call(struct task_value *value, __u64 bits, const struct call_counts *more)
{
	struct call_key key = *(struct call_key *)&bits;
	struct call_entry *entry;
	__u32 slot;

	if (!value || !more)
		return 0;
	slot = key_hash(&key) % TASK_CALLS;
	entry = &value->calls[slot];
	if (entry->key.outcome && key_bits(&entry->key) != bits)
		entry = &value->calls[slot ^ 1];
	if (entry->key.outcome && key_bits(&entry->key) != bits)
		evict(value, entry);
	entry->key = key;
	entry->counts.calls += more->calls;
	entry->counts.time_ns += more->time_ns;
	return 0;
}

/* The call under way of the current thread ended so: enum call_outcome. */
static __always_inline void count_outcome(struct task_value *value, __u16 outcome)
{
	const struct call_counts one = { .calls = 1 };
	struct call_key key = value->entered_key;

	key.outcome = outcome;
	count_call(value, key_bits(&key), &one);
}

struct flush {
	struct process_value *process;
	struct task_value *value;
	__u32 to_group; /* else to the process */
};

static long flush_call(__u32 i, void *context)
{
	struct flush *flush = context;
	struct call_entry *entry;

	if (i >= TASK_CALLS)
		return 1;
	entry = &flush->value->calls[i];
	if (!entry->key.outcome)
		return 0;
	if (flush->to_group)
		count_for_group(flush->process->group, key_bits(&entry->key), &entry->counts);
	else
		count_for_process(flush->process, key_bits(&entry->key), &entry->counts);
	__builtin_memset(entry, 0, sizeof(*entry));
	return 0;
}

/* Empties the thread's table into the group, if its fate is known, or else into the process. */
__weak int flush_calls(struct task_value *value, struct process_value *process, __u32 to_group)
{
	struct flush flush = { .process = process, .value = value, .to_group = to_group };

	if (value && process)
		bpf_loop(TASK_CALLS, flush_call, &flush, 0);
	return 0;
}

struct call_walk {
	struct process_call_key key;
	__u32 group;
};

static long flush_process_call(__u32 i, void *context)
{
	struct call_walk *walk = context;
	struct process_call_key key = walk->key;
	struct process_call *call;

	if (!key.call)
		return 1;
	call = bpf_map_lookup_elem(&process_calls, &key);
	if (!call)
		return 1;
	count_for_group(walk->group, key.call, &call->counts);
	walk->key.call = call->next;
	bpf_map_delete_elem(&process_calls, &key);
	return 0;
}

/* Moves what waits under the process to its group, which is known now. */
__weak int flush_process_calls(struct process_value *process)
{
	struct call_walk walk = {};

	if (!process || !process->first_call)
		return 0;
	walk.key.process = process->id;
	walk.key.call = process->first_call;
	walk.group = process->group;
	bpf_loop(PROCESS_CALLS, flush_process_call, &walk, 0);
	process->first_call = 0;
	return 0;
}
