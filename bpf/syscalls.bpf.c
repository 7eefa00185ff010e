// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls. sys_enter and sys_exit are not mirror images: a new child leaves a call that it
 * never entered, exit_group enters one that it never leaves, and a call denied by seccomp has an
 * exit only. `entered` tells these apart.
 */
#include "attach.h"
#include "births.h"
#include "call_events.h"
#include "calls.h"
#include "faults.h"
#include "script_lines.h"
#include "path.h"
#include "tree.h"
#include "window.h"

/*
 * Calls that are denied by a filter which another thread has installed for all (seccomp(2), TSYNC).
 *
 * Exits of calls that succeed are not looked at, so a thread seems to be inside its last call until its next event. If
 * that is an exit, it ends this call, or one that the new filter has denied and that has no entry. The number of the
 * call tells them apart, unless it is the same. So from the first seccomp(2) of the run on every exit is looked at, and
 * before that call is let in it is noted for each thread whether it is known to be inside its last one. Of a thread
 * that runs it is not; if the next event of such a thread is such an exit, that is counted as a loss. Threads that are
 * born later leave the call that made them first, and that exit is seen.
 */

/* Are its exits looked at already, because it is filtered or traced? */
static __always_inline bool is_watched(struct task_struct *task)
{
	unsigned int tracer = 0;
	int mode = 0;

	bpf_core_read(&tracer, sizeof(tracer), &task->ptrace);
	if (bpf_core_field_exists(struct task_struct, seccomp))
		bpf_core_read(&mode, sizeof(mode), &task->seccomp.mode);
	return tracer || mode;
}

/*
 * Who sleeps until something happens is in a call, but for faults that userfaultfd solves. (Faults of
 * all kinds sleep uninterruptibly, and who is stopped has left its call.)
 */
static __always_inline bool sleeps_in_call(struct task_struct *task, const struct window *window)
{
	unsigned int state = 0;

	bpf_core_read(&state, sizeof(state), &task->__state);
	return state & TASK_INTERRUPTIBLE && !(window->open && window->actor != ACTOR_KERNEL);
}

static long note_call(const void *map, const void *key, struct task_value *value, void *unused)
{
	struct task_struct *task = (struct task_struct *)value->address;
	__u64 call = value->syscalls;

	value->noted_known =
		may_probe && (is_watched(task) || sleeps_in_call(task, &value->window)) && value->syscalls == call;
	value->noted_call = call;
	return 0;
}

/* At the entry of seccomp(2). */
__weak int watch_exits(void)
{
	/* A full barrier: who leaves a call meanwhile sees this, or is not seen asleep. */
	if (!__sync_val_compare_and_swap(&exits_watched, 0, 1))
		bpf_for_each_map_elem(&tasks, note_call, NULL, 0);
	return 0;
}

/* Of an exit with the number of the call entered last: may it be that of a denied call? */
static __always_inline bool is_unsure(const struct task_value *value, struct task_struct *task)
{
	return exits_watched && value->noted_call == value->syscalls && !value->noted_known && may_be_denied(task);
}

/* `id` is whatever user space put into the register: any 32-bit value. */
static __always_inline struct call_key make_key(struct task_struct *task, struct task_value *value, __u64 ip, long id)
{
	struct call_key key = { .nr = id, .abi = abi_of(task, id), .outcome = CALL_MADE };

	key.actor = ip >= value->ldso_start && ip < value->ldso_end ? ACTOR_LDSO : ACTOR_PROGRAM;
	return key;
}

/*
 * The command's own execve: the run begins here. A global function, like all that follow kernel
 * pointers: see solve() in vma.h.
 */
__weak int begin_run(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pid *own = plain(task)->thread_pid;
	struct pid *tracer = plain(task)->real_parent->thread_pid;
	struct process_value *process;
	struct task_value *value;
	__u64 id, copies = 0;
	bool known = wpcopy_count(task, &copies);

	if (!bpf_task_storage_get(&gate, task, 0, 0))
		return 0;
	gate_closed = false;
	id = next_process();
	process = find_or_zero(&processes, &id);
	value = create_task(task);
	if (!process || !value) {
		lose(LOSS_STORAGE_FAILURES);
		return 0;
	}
	process->id = id;
	process->birth = BIRTH_ROOT;
	process->kind = IMAGE_EXEC;
	process->kept = 1;
	process->live_threads = 1;
	process->threads = 1;
	process->recorded = anatomy;
	process->start_ns = process->image_ns = root_start_ns = bpf_ktime_get_ns();
	/* What was copied before this belongs to the launcher; its end adds the kernel's sum. */
	if (known)
		process->wpcopy = -copies;
	value->process = id;
	record_thread(value, task);
	value->first_exec = 1;
	tracer_level = tracer->level;
	process->pid = process->ns_pid = pid_at(own, tracer_level);
	process->ppid = pid_at(tracer, tracer_level);
	if (tree_wanted)
		begin_tree(task, process->start_ns);
	if (path_wanted)
		begin_path(process);
	value->ready = 1;
	return 0;
}

static __always_inline bool sees_all_exits(void)
{
	return timed || anatomy || tree_wanted || records_calls();
}

static __always_inline void enter_call(struct pt_regs *regs, long id, int rank)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_value *value = find_task(task);
	const struct call_counts one = { .calls = 1 };
	struct call_key key;

	if (!value) {
		pass(PASSED_CALLS, rank);
		if (watches_cgroups && joiners && armed)
			join_current();
		else if (gate_closed && id == LAUNCH_EXECVE)
			begin_run();
		else
			return;
		value = find_task(task);
		if (!value)
			return;
	}
	if (!takes(value, EVENT_SYS_ENTER, rank))
		return;
	if (unsettled(value))
		settle_current(value);
	if (value->ldso_unknown)
		find_current_ldso(value);
	if (by_unit && value->share.moves != moves)
		follow_unit(value);
	if (!BIRTH_HAS_EXIT && value->newborn)
		begin_life(value);
	key = make_key(task, value, ip_of(regs), id);
	value->in_exec = is_execve(&key);
	if (value->in_exec)
		enter_exec(value, task);
	if (by_unit) {
		value->syscalls++;
		value->entered_key = key;
		value->share.has_forked = 0;
		value->share.fork_began = is_fork(task, id) ? bpf_ktime_get_ns() : 0;
		return;
	}
	if (tree_wanted)
		enter_tree_call(value, tree_call_of(&key), key.actor);
	if (!sees_all_exits() && IS_CALL(&key, seccomp))
		watch_exits();
	value->unentered = 0;
	value->entered = 1;
	value->syscalls++;
	value->entered_key = key;
	count_call(value, key_bits(&key), &one);
	if (wants_start() && !value->in_exec)
		send_entry_stack(value);
	if (timed || anatomy || records_calls())
		value->entered_ns = bpf_ktime_get_ns();
	if (records_calls() && value->in_exec)
		note_exec(value);
	if (anatomy && value->recorded)
		record_enter(value, is_execve(&key));
	if (stacks_wanted && value->recorded)
		count_call_stack(value);
}

TRACE(sys_enter, enter_call(regs, id, rank), struct pt_regs *regs, long id)

static __always_inline __u32 latency_bucket(__u64 ns)
{
	__u32 shift = __builtin_popcountll(bits_below(ns >> (LATENCY_SUB_BITS + 1)));
	__u32 bucket = (shift << LATENCY_SUB_BITS) + (ns >> shift);

	return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1;
}

/* Lowers (or raises) an extreme that other CPUs may be changing too. */
static __always_inline void keep_extreme(__u64 *extreme, __u64 candidate, bool lower)
{
	__u64 seen = *extreme;

	for (int i = 0; i < 16; i++) {
		__u64 before = seen;

		if (before && (lower ? candidate >= before : candidate <= before))
			return;
		seen = __sync_val_compare_and_swap(extreme, before, candidate);
		if (seen == before)
			return;
	}
}

static __always_inline void add_latency(struct latency_value *value, __u64 ns)
{
	__u32 bucket = latency_bucket(ns);

	if (bucket >= LATENCY_BUCKETS)
		return; /* for the verifier */
	__sync_fetch_and_add(&value->buckets[bucket], 1);
	keep_extreme(&value->min_ns, ns ? ns : 1, true);
	keep_extreme(&value->max_ns, ns ? ns : 1, false);
}

static __noinline void count_time(struct task_value *value)
{
	const struct call_counts more = { .time_ns = bpf_ktime_get_ns() - value->entered_ns };
	struct call_key key = value->entered_key;
	struct latency_value *latency;

	count_call(value, key_bits(&key), &more);
	key.actor = 0;
	latency = find_or_zero(&latencies, &key);
	if (latency)
		add_latency(latency, more.time_ns);
}

/*
 * The exit of a call that succeeded matters only if durations do, or if calls may have been denied
 * (without an error, or by a new filter). The next event of the thread does what else is due.
 */
static __always_inline bool uninteresting(struct task_struct *task, long result)
{
	return !sees_all_exits() && (unsigned long)result < -4095UL && !may_be_denied(task) && !exits_watched;
}

/*
 * Exits of successful calls may have gone unnoticed until another thread put a filter on this one.
 * (rt_sigreturn leaves with -1 in the register, and execve of a program of another ABI with the number
 * that it has there: set_personality_64bit() in arch/x86/kernel/process_64.c.)
 */
static __always_inline bool is_another_call(const struct task_value *value, int nr)
{
	return nr != -1 && nr != value->entered_key.nr && !is_execve(&value->entered_key);
}

static __always_inline void exit_call(struct pt_regs *regs, long result, int rank)
{
	struct task_struct *task = bpf_get_current_task_btf();
	bool failed = (unsigned long)result >= -4095UL;
	struct task_value *value;

	if (lines_wanted && !rank) /* what is missed costs a text, or a line of a makefile */
		look_at_call(regs, result);
	if (uninteresting(task, result))
		return;
	value = find_counted(task);
	if (!value || !takes(value, EVENT_SYS_EXIT, rank))
		return;
	if (sees_all_exits() && unsettled(value)) /* else its next call does that */
		settle_current(value);
	if (value->unentered) {
		value->unentered = 0;
		/* The call that it was in when its counting began may end here, or one that is denied. */
		if (is_unsure(value, task) || (!value->in_call && may_be_denied(task)))
			lose(LOSS_UNSURE_DENIALS);
		if (value->newborn)
			begin_life(value);
		return;
	}
	if (!BIRTH_HAS_EXIT && value->newborn) {
		begin_life(value);
		if (may_be_fork(call_of(regs)) && !result)
			return; /* a kernel that lets it leave that call after all */
	}
	if (!value->entered || is_another_call(value, call_of(regs))) {
		value->entered = 0;
		value->denied++;
		value->entered_key = make_key(task, value, ip_of(regs), (int)call_of(regs));
		count_outcome(value, CALL_WAS_DENIED);
		if (records_calls())
			record_call(value, result, CALL_DENIED);
		return;
	}
	if (!sees_all_exits() && is_unsure(value, task))
		lose(LOSS_UNSURE_DENIALS);
	if (anatomy)
		record_exit(value, result);
	if (tree_wanted)
		note_tree_return(value, regs, result);
	if (records_calls())
		record_call(value, result, CALL_RETURNED);
	value->entered = 0;
	value->in_exec = 0;
	if (failed)
		count_outcome(value, 1 - result);
	if (timed)
		count_time(value);
}

static __always_inline void begin_exit(void)
{
	struct task_value *value = armed ? look_up_task(bpf_get_current_task_btf()) : NULL;

	if (value)
		forget_handled(value);
}

/* The file has them before the others, so they are attached, and run, first. See understudies.h. */
TRACE_AS(forerunner1_sys_exit, 1, sys_exit, begin_exit(), struct pt_regs *regs)
TRACE_AS(forerunner2_sys_exit, 2, sys_exit, begin_exit(), struct pt_regs *regs)

TRACE(sys_exit, exit_call(regs, result, rank), struct pt_regs *regs, long result)
