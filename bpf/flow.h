/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The flow of a pool: every copy of a page of an inherited address space, or of one that was
 * inherited from, as a record in a ring buffer; new memory by code, summed up here. A page is copied
 * at most once after each fork, so that all copies can be kept; pages are filled without end.
 */
#pragma once

#include "maps.h"

RING(flow_events, 4096);

HASH_MAP(flow_fills, struct flow_fill_key, __u64, 1 << 16);

/* Births and ends wake the reader, so that it can look at who is new. */
static __always_inline void send_flow_life(enum flow_event_kind kind, const struct process_value *process)
{
	struct flow_event event = {
		.kind = kind,
		.pid = process->pid,
		.process = process->id,
		.ns = bpf_ktime_get_ns(),
		.address = process->parent,
		.ip = process->images,
		.borrows = process->shares_mm,
	};

	output(&flow_events, &event, sizeof(event), BPF_RB_FORCE_WAKEUP, flow_lost);
}

static __always_inline void note_birth(__u64 child, __u64 parent)
{
	struct process_value *born = find_process(child), *maker = find_process(parent);

	if (!born || !maker)
		return;
	if (!born->shares_mm)
		maker->has_forked = 1;
	send_flow_life(FLOW_BIRTH, born);
}

/* Neither inherited nor inherited from: nothing to share. */
static __always_inline bool is_in_pool(const struct process_value *process)
{
	return process->kind != IMAGE_EXEC || process->has_forked;
}

static __always_inline void note_copy(const struct task_value *value)
{
	__u64 flags = ring_flags(&flow_events, flow_wakeup);
	struct flow_event *event = reserve(&flow_events, sizeof(*event), flow_lost);

	if (!event)
		return;
	event->kind = FLOW_COPY;
	event->pid = 0;
	event->process = value->process;
	event->ns = value->window.begin_ns;
	event->address = value->window.address;
	event->ip = value->window.ip;
	event->stack = value->window.stack;
	event->call_nr = value->entered ? value->entered_key.nr : -1;
	event->call_abi = value->entered_key.abi;
	event->actor = value->window.actor;
	event->borrows = 0;
	bpf_ringbuf_submit(event, flags);
}

static __always_inline void note_fill(const struct task_value *value, const struct process_value *process, __u64 pages)
{
	struct flow_fill_key key = {
		.process = value->process,
		.ip = value->window.ip,
		.call_nr = value->window.actor == ACTOR_KERNEL && value->entered ? value->entered_key.nr : -1,
		.call_abi = value->entered_key.abi,
		.actor = value->window.actor,
		.image = process->images,
	};
	__u64 *sum = find_or_create(&flow_fills, &key, (void)0);

	__sync_fetch_and_add(sum ? sum : &flow_unattributed, pages);
}

/* A fault that is over, and its class known. */
__weak int note_flow(struct task_value *value, __u32 class)
{
	struct process_value *process;

	if (!flow || !value || value->window.next_image)
		return 0;
	if (class != FAULT_COW_COPY && class != FAULT_ZERO_FILL && class != FAULT_FILE_COW)
		return 0;
	process = find_process(value->process);
	if (!process || !is_in_pool(process))
		return 0;
	if (class == FAULT_COW_COPY)
		note_copy(value);
	else
		note_fill(value, process, 1ull << (value->window.effects.order & 15));
	return 0;
}
