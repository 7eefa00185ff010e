/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the time of a tree of processes is spent on (docs/use/tree.md), summed up by program: so memory does not grow
 * with the number of processes.
 *
 * Each thread is in one part of its life (probes/tree_parts.def). Its time on a CPU is measured between events, and
 * from one sched_switch to the next; tree_accounts.h says how that is made to agree with the kernel's own sum. A thread
 * ends with its last sched_switch, after its memory is gone, and long after what is counted of it otherwise (maps.h).
 */
#pragma once

#include "executions.h"
#include "maps.h"
#include "path_accounts.h"
#include "process.h"
#include "shares.h"
#include "tree_accounts.h"

/* How far a new image has come. */
enum tree_stage { STAGE_OWN, STAGE_LINKING, STAGE_INITIALISING };

struct tree_thread {
	struct tree_accounts accounts; /* of its image */
	struct execution_work work; /* the same */
	struct path_thread path; /* path.h */
	__u64 off_ns, slept_ns; /* see begin_section() */
	__u64 off_each, slept_each; /* the same for shares */
	__u64 begun_ns; /* of those that ran before, the command's first thread and attached ones: when it began */
	__u64 sum_before; /* the kernel's sum of its CPU time then */
	__u64 call_cpu, call_share; /* what the part had when the call under way was entered */
	__u64 linked_ns, linked_cpu; /* code outside of ld.so has faulted since ld.so's last call; 0: not yet */
	__u64 entry, text_start, text_end;
	__u64 parent; /* process; 0: none */
	__s32 pid; /* as its parent sees it */
	__u32 exe;
	__u8 base; /* the part that it is in outside of the calls that are parts */
	__u8 stage;
	__u8 busy;
	__u8 executed; /* its image was, after it began */
	__u8 is_first; /* of its process */
	__u8 makes_thread; /* the call under way */
	__u8 is_ending;
	__u8 has_sum; /* sum_before is known */
	__u8 attached; /* in the middle of its image (tree_window.h) */
	__u32 counted; /* among the running ones: its switch to a CPU was seen */
	__u8 collected; /* it outlives the command, or the window: its shares are in the sums */
};

HASH_MAP(tree_threads, __u64, struct tree_thread, 1 << 16); /* by address of the task_struct */
HASH_MAP(tree_rows, struct tree_key, struct tree_value, 1 << 13);
HASH_MAP(tree_calls, struct tree_call_key, struct tree_call_value, 1 << 14);

/* Processes that have ended, and were not seen to be waited for. */
struct tree_zombie {
	__u64 dead_ns; /* 0: it still runs */
	struct tree_key key;
};
HASH_MAP(tree_zombies, struct birth_key, struct tree_zombie, 1 << 14);

static __always_inline struct tree_thread *find_tree_thread(__u64 task)
{
	return bpf_map_lookup_elem(&tree_threads, &task);
}

/*
 * Since when a thread runs, by the kernel's own account. Usually sched_switch has said so, but a kernel may keep some
 * thread out of all tracepoints (seen in a guest, of the threads of its agent): a switch from such a thread to one of
 * ours is not seen.
 */
__u64 sched_clock_behind; /* the clock of bpf_ktime_get_ns(), minus that of run queues; 0: not known */

/* At sched_switch, where the clock of the run queue has just been set, and is still that of the CPU of `prev`. */
static __always_inline void compare_clocks(struct task_struct *prev, __u64 now)
{
	const struct cfs_rq *queue;

	if (!bpf_core_field_exists(struct sched_entity, cfs_rq))
		return;
	queue = plain(prev)->se.cfs_rq;
	if (queue)
		sched_clock_behind = now - queue->rq->clock;
}

/* When `task`, which runs, was put on its CPU. If that is not known: `now`. */
static __always_inline __u64 runs_since(struct task_struct *task, __u64 now)
{
	__u64 then;

	if (!sched_clock_behind || !bpf_core_field_exists(struct sched_info, last_arrival))
		return now;
	then = plain(task)->sched_info.last_arrival + sched_clock_behind;
	return then < now ? then : now;
}

/* `task` runs, as `thread`: usually that is known. */
static __always_inline void note_tree_thread_runs(struct tree_thread *thread, struct task_struct *task, __u64 now)
{
	if (!thread->accounts.on_ns)
		keep_running(&thread->accounts, runs_since(task, now));
}

/* The same, and it counts among the running ones from then on. Not at perf events, as faults may be (shares.h). */
static __always_inline void count_tree_thread(struct tree_thread *thread, struct task_struct *task, __u64 now)
{
	if (thread->counted)
		return;
	thread->counted = 1;
	thread->accounts.each = thread->accounts.shared = share_late(runs_since(task, now), now);
}

/* It runs: what those that do have had by now. */
static __always_inline void read_each(struct tree_thread *thread, __u64 now)
{
	struct shares copy;

	if (thread->counted && read_shares(&copy, now))
		thread->accounts.each = copy.each;
}

/*
 * `thread` is the current one. From Linux 7.0 on it may be preempted inside these programs (drift.h). Then the switch
 * leaves its accounts alone, and the time that it did not run is taken away at the end.
 */
static __always_inline void begin_section(struct tree_thread *thread, __u64 now)
{
	if (preemptible)
		thread->busy = 1;
	barrier();
	note_tree_thread_runs(thread, bpf_get_current_task_btf(), now);
	read_each(thread, now);
}

/* The same, where it may be counted. */
static __always_inline void begin_counted_section(struct tree_thread *thread, __u64 now)
{
	count_tree_thread(thread, bpf_get_current_task_btf(), now);
	begin_section(thread, now);
}

static __always_inline void end_section(struct tree_thread *thread)
{
	barrier();
	if (!preemptible)
		return;
	thread->accounts.on_ns += thread->slept_ns;
	thread->accounts.shared += thread->slept_each;
	thread->slept_ns = thread->slept_each = 0;
	barrier();
	thread->busy = 0;
}

static __always_inline struct tree_value *find_tree_row(const struct tree_key *key)
{
	return find_or_create(&tree_rows, key, __sync_fetch_and_add(&tree_left_out, 1));
}

static __always_inline void fold_shares(struct tree_thread *thread, struct tree_value *row)
{
	if (thread->collected)
		return;
	for (int part = 0; part < TREE_COUNT; part++)
		add(&row->share[part], thread->accounts.share[part]);
}

static __always_inline struct tree_value *fold_into(struct tree_thread *thread, const struct tree_key *key)
{
	struct tree_value *row = find_tree_row(key);

	if (!row)
		return NULL;
	fold_shares(thread, row);
	for (int part = 0; part < TREE_COUNT; part++) {
		add(&row->cpu[part], thread->accounts.cpu[part]);
		if (thread->is_first)
			add(&row->wall[part], thread->accounts.wall[part]);
	}
	if (thread->is_first && !thread->attached)
		add(&row->images, 1);
	return row;
}

/* It was not seen where that part ends. */
static __always_inline void move_to_work(struct tree_accounts *of, enum tree_part part)
{
	move_cpu(of, part, TREE_WORK, of->cpu[part]);
	of->wall[TREE_WORK] += of->wall[part];
	of->share[TREE_WORK] += of->share[part];
	of->wall[part] = of->share[part] = 0;
}

/* Adds it to that of programs with these arguments; while it lives, its shares alone. */
static __always_inline void fold_execution(struct tree_thread *thread, bool lives)
{
	const __u64 key = thread->work.row;
	struct execution_value *row = bpf_map_lookup_elem(&executions, &key);
	__u64 cpu = 0, share = thread->work.born_by - thread->work.given;

	if (!row)
		return;
	for (int part = 0; part < TREE_COUNT; part++) {
		cpu += thread->accounts.cpu[part];
		share += thread->accounts.share[part];
	}
	if (!thread->collected)
		add(&row->share, share);
	if (lives)
		return;
	add(&row->cpu, cpu);
	fold_input(row, &thread->work);
	fold_output(row, &thread->work, thread->executed && thread->is_first);
}

/*
 * Adds what the thread has spent in its image to that of the program. `next`: the one that it has executed; 0: none.
 * What comes before a child's first program belongs to that, and to its maker.
 */
static __noinline void fold_tree_thread(struct tree_thread *thread, __u32 next)
{
	struct tree_key key = { .exe = thread->exe, .executed = thread->executed };
	struct tree_value *row;

	if (!thread->executed && next)
		key = (struct tree_key){ .exe = next, .executed = 1, .maker = thread->exe };
	else if (!thread->executed)
		move_to_work(&thread->accounts, TREE_BEFORE);
	else if (thread->stage == STAGE_INITIALISING)
		move_to_work(&thread->accounts, TREE_INIT);
	fold_execution(thread, false);
	row = fold_into(thread, &key);
	if (row && thread->is_first && thread->executed && thread->stage == STAGE_INITIALISING)
		add(&row->no_entry, 1);
}

/* The command has ended, and `task` has not: its share of the clock ends, too. */
static __always_inline void fold_living(__u64 task)
{
	struct tree_thread *thread = find_tree_thread(task);
	struct tree_key key = {};
	struct tree_value *row;

	if (!thread)
		return;
	if (thread->counted)
		thread->accounts.each = each_so_far();
	account_share(&thread->accounts);
	key.exe = thread->exe;
	key.executed = thread->executed;
	row = find_tree_row(&key);
	if (row)
		fold_shares(thread, row);
	fold_execution(thread, true);
	thread->collected = 1;
}

static __always_inline struct tree_thread *create_tree_thread(__u64 task)
{
	struct tree_thread *thread = create(&tree_threads, &task);

	if (!thread) {
		__sync_fetch_and_add(&tree_left_out, 1);
		__sync_fetch_and_add(&path_lost, 1);
		return NULL;
	}
	__sync_fetch_and_add(&tree_threads_left, 1);
	thread->path.number = __sync_fetch_and_add(&tree_last_thread, 1) + 1;
	return thread;
}

/* Where threads are attached to, those that are ready are counted. */
static __always_inline void set_tree_state(struct tree_thread *thread, enum path_state state)
{
	__sync_fetch_and_add(&tree_ready, (state == PATH_READY) - (thread->path.state == PATH_READY));
	thread->path.state = state;
}

/* The command enters its execve. Its CPU time before that is what the kernel has counted at its first sched_switch. */
static __always_inline void begin_tree(struct task_struct *task, __u64 now)
{
	struct tree_thread *thread = create_tree_thread((__u64)task);

	if (!thread)
		return;
	__sync_fetch_and_add(&seat_of(task)->crowd, 1);
	thread->accounts.on_ns = thread->accounts.part_ns = thread->begun_ns = now;
	thread->counted = 1;
	begin_shares(now);
	thread->accounts.part = TREE_EXEC;
	thread->base = TREE_BEFORE;
	thread->is_first = 1;
}

/*
 * Task `maker` has created task `child`, which has not run yet: a process whose parent, process `parent`, knows it by
 * `pid`, or if that is 0 a thread. What the call took so far is the cost of that process. Global to be verified once.
 */
__weak int begin_tree_thread(__u64 maker, __u64 child, __u64 parent, __s32 pid)
{
	struct tree_thread *creator = find_tree_thread(maker), *thread;
	__u64 now = bpf_ktime_get_ns();

	if (!creator)
		return 0;
	thread = create_tree_thread(child);
	if (!thread)
		return 0;
	begin_counted_section(creator, now);
	account(&creator->accounts, now);
	thread->accounts.part_ns = now;
	thread->has_sum = 1;
	thread->exe = creator->exe;
	thread->base = TREE_BEFORE;
	thread->accounts.part = TREE_CREATE;
	fork_execution(&creator->work, &thread->work,
		       pid && creator->accounts.part == TREE_CREATE
			       ? creator->accounts.share[TREE_CREATE] - creator->call_share : 0);
	if (!pid) {
		creator->makes_thread = 1;
		thread->executed = creator->executed;
		thread->accounts.part = thread->base = creator->executed ? TREE_WORK : TREE_BEFORE;
	} else if (creator->accounts.part == TREE_CREATE) {
		give_cpu(&creator->accounts, &thread->accounts, TREE_CREATE,
			 more_than(creator->accounts.cpu[TREE_CREATE], creator->call_cpu));
		thread->accounts.wall[TREE_CREATE] = now - creator->accounts.part_ns;
		creator->accounts.part_ns = now;
	}
	thread->is_first = pid != 0;
	thread->parent = parent;
	thread->pid = pid;
	if (attaches)
		set_tree_state(thread, PATH_READY);
	end_section(creator);
	return 0;
}

/* ld.so has handed over: at the first page fault of other code since its last call, or now. */
static __always_inline void end_linking(struct task_value *value, struct tree_thread *thread, __u64 now)
{
	account(&thread->accounts, now);
	if (thread->linked_ns && thread->accounts.part == TREE_LDSO) {
		move_cpu(&thread->accounts, TREE_LDSO, TREE_INIT,
			 more_than(thread->accounts.cpu[TREE_LDSO], thread->linked_cpu));
		thread->accounts.wall[TREE_LDSO] += thread->linked_ns - thread->accounts.part_ns;
		thread->accounts.part_ns = thread->linked_ns;
		thread->accounts.part = TREE_INIT;
	} else {
		change_part(&thread->accounts, TREE_INIT, now);
	}
	thread->base = TREE_INIT;
	thread->stage = STAGE_INITIALISING;
}

static __always_inline __u64 part_of(const __u64 *parts, const struct tree_accounts *of)
{
	return parts[of->part & (TREE_ROOM - 1)];
}

/* The image calls the kernel before its first instruction is known to have run. */
static __always_inline void call_while_linking(struct task_value *value, struct tree_thread *thread,
					       __u32 actor, __u64 now)
{
	if (thread->stage != STAGE_LINKING)
		return;
	if (actor == ACTOR_LDSO)
		thread->linked_ns = 0;
	else
		end_linking(value, thread, now);
}

/* The current thread enters a call. Global to be verified once. */
__weak int enter_tree_call(struct task_value *value, __u32 call, __u32 actor)
{
	struct tree_thread *thread = find_tree_thread((__u64)bpf_get_current_task_btf());
	__u64 now = bpf_ktime_get_ns();
	enum tree_part part;

	if (!value || !thread)
		return 0;
	begin_counted_section(thread, now);
	if (value->linking)
		call_while_linking(value, thread, actor, now);
	if (call == TREE_CALL_OTHER) {
		account(&thread->accounts, now);
	} else {
		part = call == TREE_CALL_CREATES ? TREE_CREATE : call == TREE_CALL_EXECUTES ? TREE_EXEC :
		       call == TREE_CALL_WAITS ? TREE_WAIT : TREE_END;
		change_part(&thread->accounts, part, now);
		thread->makes_thread = 0;
	}
	thread->call_cpu = part_of(thread->accounts.cpu, &thread->accounts);
	thread->call_share = part_of(thread->accounts.share, &thread->accounts);
	end_section(thread);
	return 0;
}

/* A parent has waited for its child `pid`, if that has ended. */
static __always_inline void count_reaped(__u64 parent, __s32 pid, __u64 now)
{
	struct birth_key key = { .parent = parent, .pid = pid };
	struct tree_zombie *zombie = bpf_map_lookup_elem(&tree_zombies, &key);
	struct tree_value *row;

	if (!zombie)
		return;
	row = find_tree_row(&zombie->key);
	if (row) {
		add(&row->reaped, 1);
		if (zombie->dead_ns && zombie->dead_ns < now)
			add(&row->wall[TREE_REAP], now - zombie->dead_ns);
	}
	bpf_map_delete_elem(&tree_zombies, &key);
}

#define NO_TREE_CALL -1

/* Calls of programs, and of copies of them. A program that is executed, the linker and forks are parts of their own. */
static __always_inline bool counts_tree_call(enum tree_part part, __s32 error)
{
	return error != NO_TREE_CALL &&
	       (part == TREE_WORK || part == TREE_BEFORE || part == TREE_WAIT || (part == TREE_EXEC && error));
}

static __always_inline void count_tree_call(const struct tree_thread *thread, const struct call_key *call, __s32 error)
{
	struct tree_call_key key = { .exe = thread->exe, .executed = thread->executed,
				     .part = thread->accounts.part, .nr = call->nr, .abi = call->abi,
				     .error = error };
	struct tree_call_value *row = find_or_create(&tree_calls, &key, __sync_fetch_and_add(&tree_left_out, 1));

	if (!row)
		return;
	add(&row->calls, 1);
	add(&row->cpu, more_than(part_of(thread->accounts.cpu, &thread->accounts), thread->call_cpu));
	add(&row->share, part_of(thread->accounts.share, &thread->accounts) - thread->call_share);
}

/*
 * The current thread returns from a call with an errno, or from the one that has created it: NO_TREE_CALL. `pid`: of a
 * child that it may have waited for; 0: none. Global to be verified once.
 */
__weak int leave_tree_call(struct task_value *value, __s32 pid, __s32 error)
{
	struct tree_thread *thread = find_tree_thread((__u64)bpf_get_current_task_btf());
	__u64 now = bpf_ktime_get_ns();

	if (!value || !thread)
		return 0;
	begin_section(thread, now);
	account(&thread->accounts, now);
	if (counts_tree_call(thread->accounts.part, error))
		count_tree_call(thread, &value->entered_key, error);
	if (thread->makes_thread && thread->accounts.part == TREE_CREATE) {
		move_cpu(&thread->accounts, TREE_CREATE, TREE_WORK,
			 more_than(thread->accounts.cpu[TREE_CREATE], thread->call_cpu));
		thread->accounts.share[TREE_WORK] += thread->accounts.share[TREE_CREATE] - thread->call_share;
		thread->accounts.share[TREE_CREATE] = thread->call_share;
		thread->accounts.part = thread->base;
	} else if (thread->accounts.part != thread->base) {
		change_part(&thread->accounts, thread->base, now);
	}
	end_section(thread);
	if (pid)
		count_reaped(value->process, pid, now);
	return 0;
}

#define P_PID	1 /* include/uapi/linux/wait.h */
#define WNOWAIT 0x01000000

/* The child whose end a call has returned; 0: none, or not known. */
static __always_inline __s32 waited_pid(const struct call_key *key, const struct pt_regs *regs, long result)
{
	if (!IS_CALL(key, waitid))
		return result > 0 ? result : 0;
	/* waitid(idtype, id, infop, options) */
	if (key->abi != ABI_NATIVE || result || argument_of(regs, false, 0) != P_PID ||
	    argument_of(regs, false, 3) & WNOWAIT)
		return 0;
	return argument_of(regs, false, 1);
}

/* The current thread has read from standard input, or written to standard output. Global to be verified once. */
__weak int note_tree_bytes(__u64 bytes, __u64 written_from)
{
	struct tree_thread *thread = find_tree_thread((__u64)bpf_get_current_task_btf());
	struct execution_work *work;
	__u64 hash = bytes;

	if (!thread)
		return 0;
	work = &thread->work;
	if (!written_from) {
		work->input += bytes;
		return 0;
	}
	if (work->captured && work->written < EXECUTION_HASHED)
		hash = hash_user_bytes(written_from, bytes) ?: bpf_ktime_get_ns(); /* not known: like no other */
	work->output = hash_end(hash_step(work->output, hash));
	work->written += bytes;
	return 0;
}

static __always_inline void note_standard_bytes(const struct call_key *key, const struct pt_regs *regs, long bytes)
{
	const bool compat = key->abi == ABI_COMPAT;
	const __u64 first = argument_of(regs, compat, 0);

	if (first > 1 || bytes <= 0)
		return;
	if (!first && is_input(key))
		note_tree_bytes(bytes, 0);
	else if (first && IS_CALL(key, write))
		note_tree_bytes(bytes, argument_of(regs, compat, 1));
}

static __always_inline void note_tree_return(struct task_value *value, const struct pt_regs *regs, long result)
{
	enum tree_call call = tree_call_of(&value->entered_key);

	note_standard_bytes(&value->entered_key, regs, result);
	leave_tree_call(value, call == TREE_CALL_WAITS ? waited_pid(&value->entered_key, regs, result) : 0,
			(unsigned long)result >= -4095UL ? -result : 0);
}

/*
 * Code outside of ld.so has faulted, in an image that has not reached its first instruction. ld.so runs such code
 * itself while it relocates (functions that choose others, of type IFUNC): then it makes calls afterwards. The first
 * instruction is always a fault of its own, unless its page was mapped with others: then some other
 * code of the program faults first, and nobody knows when it began. Global to be verified once.
 */
__weak int note_tree_fault(struct task_value *value, __u64 address, __u64 ip)
{
	struct tree_thread *thread = find_tree_thread((__u64)bpf_get_current_task_btf());
	__u64 now = bpf_ktime_get_ns();

	if (!value || !thread)
		return 0;
	begin_section(thread, now);
	if (ip == thread->entry && address == ip) {
		if (thread->stage == STAGE_LINKING)
			end_linking(value, thread, now);
		if (thread->accounts.part == TREE_INIT)
			change_part(&thread->accounts, TREE_WORK, now);
		thread->base = TREE_WORK;
		thread->stage = STAGE_OWN;
		value->linking = 0;
	} else if (ip >= thread->text_start && ip < thread->text_end) {
		if (thread->stage == STAGE_LINKING)
			end_linking(value, thread, now);
		value->linking = 0;
	} else if (thread->stage == STAGE_LINKING && !thread->linked_ns) {
		account(&thread->accounts, now);
		thread->linked_ns = now;
		thread->linked_cpu = thread->accounts.cpu[TREE_LDSO];
	}
	end_section(thread);
	return 0;
}

/* The accounts of a new image. Its execve belongs to it. */
static __always_inline void begin_tree_image(struct tree_thread *thread, __u32 exe, __u64 execution)
{
	__u64 exec_cpu = more_than(thread->accounts.cpu[TREE_EXEC], thread->call_cpu);
	__u64 exec_share = thread->accounts.share[TREE_EXEC] - thread->call_share;

	thread->accounts.cpu[TREE_EXEC] -= exec_cpu;
	thread->accounts.share[TREE_EXEC] -= exec_share;
	cut_slice(&thread->accounts);
	if (!thread->executed)
		thread->work.row = execution;
	fold_tree_thread(thread, exe);
	thread->attached = 0;
	for (int part = 0; part < TREE_COUNT; part++)
		thread->accounts.cpu[part] = thread->accounts.wall[part] = thread->accounts.share[part] = 0;
	thread->accounts.cpu[TREE_EXEC] = exec_cpu;
	thread->accounts.share[TREE_EXEC] = exec_share;
	thread->call_cpu = thread->call_share = 0;
}

/*
 * The current thread has executed a program, with arguments that have the key `execution`. A copy of its parent that it
 * was until now belongs to the program. Global to be verified once.
 */
__weak int exec_tree_thread(struct task_value *value, __u32 exe, __u64 execution)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct tree_thread *thread = find_tree_thread((__u64)task);
	struct mm_struct *mm = plain(task)->mm;
	__u64 now = bpf_ktime_get_ns();

	if (!value || !thread || !mm)
		return 0;
	begin_counted_section(thread, now);
	account(&thread->accounts, now);
	if (thread->exe)
		begin_tree_image(thread, exe, execution);
	begin_execution(&thread->work, execution, !thread->exe);
	thread->executed = 1;
	thread->is_first = 1;
	thread->exe = exe;
	thread->entry = auxv_value(mm, AT_ENTRY);
	thread->text_start = mm->start_code;
	thread->text_end = mm->end_code;
	thread->linked_ns = 0;
	value->linking = value->ldso_start != 0;
	thread->stage = value->linking ? STAGE_LINKING : STAGE_OWN;
	thread->base = value->linking ? TREE_LDSO : TREE_WORK;
	end_section(thread);
	return 0;
}

/* The current thread ends. Global to be verified once. */
__weak int end_tree_thread(__u32 is_last)
{
	struct tree_thread *thread = find_tree_thread((__u64)bpf_get_current_task_btf());
	__u64 now = bpf_ktime_get_ns();

	if (!thread || thread->is_ending || tree_stop_ns)
		return 0;
	begin_counted_section(thread, now);
	if (thread->accounts.part != TREE_END)
		change_part(&thread->accounts, TREE_END, now);
	thread->is_ending = 1;
	__sync_fetch_and_add(&tree_ending, 1);
	if (thread->is_first && is_last && thread->parent) {
		struct birth_key key = { .parent = thread->parent, .pid = thread->pid };
		struct tree_zombie zombie = { .key = { .exe = thread->exe, .executed = thread->executed } };

		bpf_map_update_elem(&tree_zombies, &key, &zombie, BPF_ANY);
	}
	end_section(thread);
	return 0;
}
