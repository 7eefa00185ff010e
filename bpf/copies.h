/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Copies of pages by call stack and unit (forktax watch --pprof-dir), in bounded memory. A stack is known by where its
 * frames lie in files (build id, offset): so it is the same in all processes, and needs none of them later.
 *
 * The addresses are taken when a fault begins that may be a copy. To find their files takes microseconds, so it is done
 * once for a family: the processes that are forked from one image, and have its code at its addresses. (That two of
 * them map other files at all addresses of a stack is not foreseen.)
 *
 * A copy is counted here when its class is known, and not when its thread reports: so profile and counter are one sum.
 */
#ifndef FORKTAX_COPIES_H
#define FORKTAX_COPIES_H

#include "maps.h"
#include "stack_hash.h"
#include "units.h"

/* What taking the stacks of a thread needs: too large for the programs' own stack. */
struct copy_work {
	__u64 ips[COPY_FRAMES];
	struct copy_stack stack;
};

/* The keys of stacks are odd, those of addresses are even. */
static __always_inline __u64 stack_key(__u64 hash)
{
	return hash | 1;
}

static __always_inline __u64 address_key(__u64 hash)
{
	return hash & ~1ull ? hash & ~1ull : 2;
}

static __always_inline bool is_address_key(__u64 key)
{
	return key && !(key & 1);
}

HASH_MAP(copy_works, __u64, struct copy_work, 1 << 14);
HASH_MAP(copies0, struct copy_key, __u64, COPY_KEYS_MOST);
HASH_MAP(copies1, struct copy_key, __u64, COPY_KEYS_MOST);

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1); /* user space asks for COPY_STACKS */
	__type(key, __u64);
	__type(value, struct copy_stack);
} copy_stacks SEC(".maps");

/* Keys into map copy_stacks, by addresses. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1); /* user space asks for COPY_ADDRESSES_MOST */
	__type(key, __u64);
	__type(value, __u64);
} copy_addresses SEC(".maps");

/* In the place of the image that the thread has left. No two begin in one process at one time. */
static __always_inline void begin_family(struct task_value *value)
{
	value->share.family = hash_step(value->process, bpf_ktime_get_ns());
}

static __always_inline struct copy_work *find_copy_work(__u64 task)
{
	static const struct copy_work zero;
	struct copy_work *work = bpf_map_lookup_elem(&copy_works, &task);

	if (work)
		return work;
	bpf_map_update_elem(&copy_works, &task, &zero, BPF_ANY);
	return bpf_map_lookup_elem(&copy_works, &task);
}

/* Where the addresses of the current thread lie. Returns the hash of that; 0: not found out. */
__weak __u64 locate_copy_stack(struct copy_work *work)
{
	bool is_any_known = false;
	__u64 hash = STACK_HASH_BEGIN;
	long size;

	if (!work)
		return 0;
	size = bpf_get_task_stack(bpf_get_current_task_btf(), work->stack.frames, sizeof(work->stack.frames),
				  BPF_F_USER_STACK | BPF_F_USER_BUILD_ID);
	if (size <= 0)
		return 0;
	work->stack.count = size / sizeof(work->stack.frames[0]);
	for (__u32 i = 0; i < COPY_FRAMES; i++) {
		struct copy_frame *frame = &work->stack.frames[i];
		const __u64 *words = (const __u64 *)frame;

		if (i >= work->stack.count)
			break;
		if (frame->is_known != BPF_STACK_BUILD_ID_VALID)
			__builtin_memset(frame, 0, sizeof(*frame)); /* code of no file, or of one without build id */
		else
			is_any_known = true;
		for (int word = 0; word < sizeof(*frame) / sizeof(*words); word++)
			hash = hash_step(hash, words[word]);
	}
	/* None is known while another thread changes the mappings, or another program looks something up. */
	return is_any_known ? stack_key(hash) : 0;
}

static __always_inline __u64 keep_copy_stack(struct copy_work *work)
{
	__u64 hash = locate_copy_stack(work);

	if (hash && !bpf_map_lookup_elem(&copy_stacks, &hash))
		bpf_map_update_elem(&copy_stacks, &hash, &work->stack, BPF_ANY);
	return hash;
}

/* A hash of the addresses of the stack of the current thread, and its family. */
static __always_inline __u64 hash_addresses(struct copy_work *work, __u64 family)
{
	__u64 hash = hash_step(STACK_HASH_BEGIN, family);
	long size = bpf_get_task_stack(bpf_get_current_task_btf(), work->ips, sizeof(work->ips), BPF_F_USER_STACK);

	for (__u32 i = 0; i < COPY_FRAMES; i++) {
		if ((long)(i * sizeof(work->ips[0])) >= size)
			break;
		hash = hash_step(hash, work->ips[i]);
	}
	return address_key(hash);
}

/*
 * A key for the stack of the current thread; 0: it was not found out. If it cannot be looked up now, that of its
 * addresses, once: it may be looked up when the same code faults again.
 */
__weak __u64 find_copy_stack(struct task_value *value)
{
	struct copy_work *work = value ? find_copy_work(value->address) : NULL;
	__u64 *known, stack, addresses;

	if (!work)
		return 0;
	addresses = hash_addresses(work, value->share.family);
	known = bpf_map_lookup_elem(&copy_addresses, &addresses);
	stack = known ? *known : 0;
	if (stack && bpf_map_lookup_elem(&copy_stacks, &stack)) /* which keeps it there */
		return stack;
	stack = keep_copy_stack(work);
	if (!stack && known)
		return 0;
	bpf_map_update_elem(&copy_addresses, &addresses, &stack, BPF_ANY);
	if (stack)
		return stack;
	return __sync_fetch_and_add(&copies_later, 1) < COPY_LATER_MOST ? addresses : 0;
}

static __always_inline enum copy_place place_of(__u32 actor, __u64 key)
{
	if (actor == ACTOR_KERNEL)
		return COPY_IN_KERNEL;
	if (is_address_key(key))
		return COPY_BY_ADDRESSES;
	return key ? COPY_BY_STACK : COPY_UNKNOWN;
}

static __always_inline __u64 *find_copies(void *map, struct copy_key *key)
{
	static const __u64 none;
	__u64 *copies = bpf_map_lookup_elem(map, key);

	if (copies)
		return copies;
	bpf_map_update_elem(map, key, &none, BPF_NOEXIST);
	return bpf_map_lookup_elem(map, key);
}

/* A fault that was a copy is over; its window is still that of the thread. */
__weak int count_copy(struct task_value *value, __u32 actor)
{
	struct copy_key key = {};
	struct unit_value *unit;
	__u64 *copies;

	if (!value)
		return 0;
	key.unit = value->share.unit;
	key.stack = value->window.stack;
	key.birth = value->share.birth;
	key.place = place_of(actor, key.stack);
	if (copy_side)
		copies = find_copies(&copies1, &key);
	else
		copies = find_copies(&copies0, &key);
	if (copies) {
		__sync_fetch_and_add(copies, 1);
		return 0;
	}
	unit = find_unit(key.unit);
	for (__u32 birth = 0; unit && birth < BIRTH_COUNT; birth++) /* so the verifier sees the bounds */
		if (birth == key.birth)
			__sync_fetch_and_add(&unit->by_birth[birth][FAULT_COW_COPY], 1);
	return 0;
}

#endif
