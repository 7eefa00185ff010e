/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Errors by errno: of a thread (private), of a process (shared; used when a thread ends before its
 * process, or has no room for another error) and of a group (map group_errors). Only failed calls,
 * and the ends of threads and images, come here.
 *
 * In the kernel half an error is a call_key with the errno in place of `used`: 64 bits, never 0.
 */
#ifndef FORKTAX_ERRORS_H
#define FORKTAX_ERRORS_H

#include "calls.h"

/* The group of the key is known only when the image ends. */
__weak int count_error_for_group(__u32 group, __u64 bits, __u64 calls)
{
	struct group_error_key key = { .call = *(struct call_key *)&bits, .group = group };
	__u64 *sum;

	key.error = key.call.used;
	key.call.used = 1;
	sum = find_or_zero(&group_errors, &key);
	if (sum)
		__sync_fetch_and_add(sum, calls);
	return 0;
}

struct error_link {
	struct process_value *process;
	struct error_value *error;
	__u64 bits;
	__u32 linked;
};

/* Puts a new entry at the head of the list of its process; other threads may be doing the same. */
static long link_error(__u32 i, void *context)
{
	struct error_link *link = context;
	__u64 head = link->process->first_error;

	link->error->next = head;
	link->linked = __sync_val_compare_and_swap(&link->process->first_error, head, link->bits) == head;
	return link->linked;
}

__weak int count_error_for_process(struct process_value *process, __u64 bits, __u64 calls)
{
	struct error_link link = { .process = process, .bits = bits };
	struct error_key key = {};
	int created;

	if (!process)
		return 0;
	key.process = process->id;
	key.error = bits;
	created = !bpf_map_lookup_elem(&process_errors, &key) && !(int)put_zero(&process_errors, &key, BPF_NOEXIST);
	link.error = bpf_map_lookup_elem(&process_errors, &key);
	if (!link.error) {
		lose(LOSS_MAP_FULL);
		return 0;
	}
	__sync_fetch_and_add(&link.error->calls, calls);
	if (created)
		bpf_loop(LINK_ATTEMPTS, link_error, &link, 0);
	if (created && !link.linked)
		lose(LOSS_MAP_FULL);
	return 0;
}

static __noinline void make_room(struct task_value *value, struct error_entry *entry)
{
	struct process_value *process = find_process(value->process);

	if (process)
		count_error_for_process(process, entry->error, entry->calls);
	entry->error = entry->calls = 0;
}

/* The call under way of the current thread has failed. */
__weak int count_error(struct task_value *value, __u32 error)
{
	struct error_entry *entry;
	struct call_key key;
	__u64 bits;

	if (!value)
		return 0;
	key = value->entered_key;
	key.used = error;
	bits = key_bits(&key);
	for (int i = 0; i < SMALL_ERRORS; i++) {
		entry = &value->errors[i];
		if (entry->error != bits && entry->error)
			continue;
		entry->error = bits;
		entry->calls++;
		return 0;
	}
	entry = &value->errors[(key_hash(&key) ^ error) % SMALL_ERRORS];
	make_room(value, entry);
	entry->error = bits;
	entry->calls = 1;
	return 0;
}

static long flush_error(__u32 i, void *context)
{
	struct flush *flush = context;
	struct error_entry *entry;

	if (i >= SMALL_ERRORS)
		return 1; /* for the verifier */
	entry = &flush->value->errors[i];
	if (!entry->error)
		return 1; /* they fill from the front */
	if (flush->to_group)
		count_error_for_group(flush->process->group, entry->error, entry->calls);
	else
		count_error_for_process(flush->process, entry->error, entry->calls);
	entry->error = entry->calls = 0;
	return 0;
}

/* Empties the thread's errors into the group, if its fate is known, or else into the process. */
__weak int flush_errors(struct task_value *value, struct process_value *process, __u32 to_group)
{
	struct flush flush = { .process = process, .value = value, .to_group = to_group };

	if (value && process && value->errors[0].error)
		bpf_loop(SMALL_ERRORS, flush_error, &flush, 0);
	return 0;
}

struct error_walk {
	struct error_key key;
	__u32 group;
};

static long flush_process_error(__u32 i, void *context)
{
	struct error_walk *walk = context;
	struct error_key key = walk->key;
	struct error_value *error;

	if (!key.error)
		return 1;
	error = bpf_map_lookup_elem(&process_errors, &key);
	if (!error)
		return 1;
	count_error_for_group(walk->group, key.error, error->calls);
	walk->key.error = error->next;
	bpf_map_delete_elem(&process_errors, &key);
	return 0;
}

/* Moves what waits under the process to its group, which is known now. */
__weak int flush_process_errors(struct process_value *process)
{
	struct error_walk walk = {};

	if (!process || !process->first_error)
		return 0;
	walk.key.process = process->id;
	walk.key.error = process->first_error;
	walk.group = process->group;
	bpf_loop(PROCESS_ERRORS, flush_process_error, &walk, 0);
	process->first_error = 0;
	return 0;
}

#endif
