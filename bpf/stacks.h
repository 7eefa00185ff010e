/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The call stacks of single faults: the addresses are taken when the fault begins, by frame pointers as
 * the kernel walks them, and find their places with those of the fault (see send_faults()).
 */
#pragma once

#include "places.h"
#include "stack_hash.h"

#define STACKS_FOUND 64 /* remembered by each thread, a power of two */

/* What taking the stacks of a thread needs: too large for the programs' own stack. */
struct stack_work {
	struct raw_stack raw;
	struct stack_value found;
	/*
	 * The address space of these: hashes of addresses, and of what lies there. (That another file is mapped at
	 * all the addresses of a stack later is not foreseen.)
	 */
	__u64 mm;
	__u64 raw_hashes[STACKS_FOUND], hashes[STACKS_FOUND];
	__u32 late_count;
	struct waiting_fault late[LATE_MOST];
};

HASH_MAP(stack_works, __u64, struct stack_work, 1 << 14);
HASH_MAP(stacks, __u64, struct stack_value, 1 << 14);
HASH_MAP(call_stacks, struct call_stack_key, __u64, 1 << 15);

/* Between the begin of a fault and the moment when places can be looked up; that moment always comes soon. */
LRU_MAP(raw_stacks, __u64, struct raw_stack);

static __always_inline void create_stack_work(struct task_struct *task)
{
	__u64 key = (__u64)task;

	put_zero(&stack_works, &key, BPF_ANY);
}

/* That of the current thread. Recorded threads have one; others, in a pool that is watched, get one here. */
static __always_inline struct stack_work *find_stack_work(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 key = (__u64)task;
	struct stack_work *work = bpf_map_lookup_elem(&stack_works, &key);

	if (work || !flow)
		return work;
	create_stack_work(task);
	return bpf_map_lookup_elem(&stack_works, &key);
}

/*
 * The stack of the current thread in user space; where it is in the kernel, from where it went there. A
 * page of it that is not present ends it: reading takes no fault. Returns a key into raw_stacks, or 0.
 */
__weak __u64 take_stack(void)
{
	struct stack_work *work = find_stack_work();
	__u64 hash;
	long size;

	if (!work) {
		__sync_fetch_and_add(&stacks_lost, 1);
		return 0;
	}
	size = bpf_get_task_stack(bpf_get_current_task_btf(), work->raw.ips, sizeof(work->raw.ips), BPF_F_USER_STACK);
	if (size <= 0)
		return 0;
	work->raw.count = size / sizeof(work->raw.ips[0]);
	/* A page that is not present is left as it is. */
	work->raw.top = return_address((void *)bpf_task_pt_regs(bpf_get_current_task_btf()), may_probe);
	hash = hash_raw_stack(&work->raw);
	if (bpf_map_update_elem(&raw_stacks, &hash, &work->raw, BPF_NOEXIST) == -EEXIST ||
	    bpf_map_lookup_elem(&raw_stacks, &hash))
		return hash;
	return 0;
}

/*
 * In the kernel, the stack of the call under way: where reading the stack finds a page that is not present, the
 * kernel announces another fault of the same kind, which this program would miss, being inside of one.
 */
static __always_inline __u64 stack_of_fault(const struct task_value *value, __u32 actor)
{
	if (actor != ACTOR_KERNEL)
		return take_stack();
	return value->entered || value->unentered ? value->call_stack : 0;
}

/* Code of no file is known by its address, in this process. */
static __always_inline __u64 hash_frame(__u64 hash, struct place_record *frame, __u64 ip, __s32 pid)
{
	if (frame->kind == PLACE_FILE || frame->kind == PLACE_VDSO)
		return hash_step(hash_step(hash, frame->ino ^ (__u64)frame->dev << 32), frame->offset);
	frame->kind = PLACE_ANON;
	frame->ino = frame->dev = 0;
	frame->offset = ip;
	return hash_step(hash_step(hash, pid), ip);
}

/* Finds the places of a stack that has been taken. Returns its hash, or 0: they cannot be found out now. */
static __always_inline __u64 find_frames(struct recorder *recorder, struct stack_work *work,
					 const struct raw_stack *raw)
{
	struct stack_value *found = &work->found;
	__u64 hash = 0;
	int is_code;

	found->count = 0;
	found->end = raw->count < STACK_FRAMES ? STACK_WHOLE : STACK_CUT;
	for (__u32 i = 0; i < STACK_FRAMES; i++) {
		if (i >= raw->count)
			break;
		found->ips[i] = raw->ips[i];
		is_code = locate(recorder, raw->ips[i], &found->frames[i]);
		if (is_code == -EBUSY)
			return 0;
		if (!is_code) {
			found->end = STACK_ASTRAY;
			break;
		}
		found->count = i + 1;
		hash = hash_frame(hash, &found->frames[i], raw->ips[i], found->pid);
	}
	found->top_ip = raw->top;
	is_code = raw->top ? locate(recorder, raw->top, &found->top) : 0;
	if (is_code == -EBUSY)
		return 0;
	if (is_code)
		hash = hash_step(hash_frame(hash, &found->top, raw->top, found->pid), 1);
	else
		__builtin_memset(&found->top, 0, sizeof(found->top));
	return hash_end(hash_step(hash, found->end));
}

#define STACK_BUSY (~0ull)

/* The key into map stacks of one that was taken (`raw_hash`, 0: none); 0: lost; or STACK_BUSY: not now. */
__weak __u64 try_file_stack(struct recorder *recorder, __u64 process_id, __u64 raw_hash)
{
	__u64 mm = (__u64)plain(bpf_get_current_task_btf())->mm, hash;
	__u32 slot = raw_hash & (STACKS_FOUND - 1);
	struct stack_work *work = find_stack_work();
	struct process_value *process;
	struct raw_stack *raw;

	if (!recorder || !raw_hash || !work)
		return 0;
	if (work->mm == mm && work->raw_hashes[slot] == raw_hash)
		return work->hashes[slot];
	raw = bpf_map_lookup_elem(&raw_stacks, &raw_hash);
	process = find_process(process_id);
	if (!raw || !process)
		goto lost;
	work->found.pid = process->pid;
	work->found.process = process_id;
	hash = find_frames(recorder, work, raw);
	if (!hash)
		return STACK_BUSY;
	if (bpf_map_update_elem(&stacks, &hash, &work->found, BPF_NOEXIST) != -EEXIST &&
	    !bpf_map_lookup_elem(&stacks, &hash))
		goto lost;
	if (work->mm != mm)
		__builtin_memset(work->raw_hashes, 0, sizeof(work->raw_hashes));
	work->mm = mm;
	work->raw_hashes[slot] = raw_hash;
	work->hashes[slot] = hash;
	return hash;
lost:
	__sync_fetch_and_add(&stacks_lost, 1);
	return 0;
}

/* The same, when there is no later moment. */
static __always_inline __u64 file_stack(struct recorder *recorder, __u64 process_id, __u64 raw_hash)
{
	__u64 hash = try_file_stack(recorder, process_id, raw_hash);

	if (hash != STACK_BUSY)
		return hash;
	__sync_fetch_and_add(&stacks_lost, 1);
	return 0;
}

/* A fault whose stack is busy waits, too: false if there is no room. */
__weak int put_off_fault(const struct waiting_fault *fault)
{
	struct stack_work *work = find_stack_work();
	__u32 i = work ? work->late_count : LATE_MOST;

	if (!fault || i >= LATE_MOST)
		return 0;
	work->late[i] = *fault;
	work->late_count = i + 1;
	return 1;
}

/* A call that has just been entered, with interrupts on: places can be looked up at once. */
__weak int count_call_stack(struct task_value *value)
{
	struct recorder *recorder = find_recorder(bpf_get_current_task_btf());
	struct process_value *process = value ? find_process(value->process) : NULL;
	struct call_stack_key key = {};
	__u64 *calls;

	if (!recorder || !process)
		return 0;
	refresh(recorder);
	value->call_stack = take_stack();
	key.call = value->entered_key;
	key.exe = process->exe;
	key.stack = file_stack(recorder, value->process, value->call_stack);
	calls = find_or_create(&call_stacks, &key, (void)0);
	__sync_fetch_and_add(calls ? calls : &calls_unstacked, 1);
	return 0;
}
