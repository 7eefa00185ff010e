/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Where supported kernels (6.1 and later) differ. Every difference is probed by CO-RE, never by
 * version, and names the change that made it.
 */
#pragma once

#include "forktax.h"
#include "types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

/*
 * A kernel pointer, for loading pointers through it. Since Linux 6.2 a pointer that a program got from the kernel is
 * "trusted". When another one is loaded through it, the verifier looks for four types by name in all of the kernel's
 * BTF, to see whether that one is trusted as well. For a pointer cast like this it does not: what forktax reads need
 * not be trusted. The cast costs nothing at run time.
 */
const volatile bool may_cast = false;
const volatile __u32 task_type = 0, vma_type = 0; /* of struct task_struct and vm_area_struct */

/* A call of a helper that does not exist: the loader turns it into a call of kernel function bpf_rdonly_cast(). */
static void *(*const cast)(void *pointer, __u32 type) = (void *)CAST_CALL;

/* What user space finds out of this machine, for the header that is of it alone (arch.h). */
const volatile __u64 page_size = 4096;
const volatile __u32 page_shift = 12; /* the same as a power of two */
const volatile __u32 table_shift = 39; /* what an entry of the first page table maps, as a power of two */
const volatile __s64 preempt_count_at = 0; /* or struct pcpu_hot: seen from the run queue */

#define plain(pointer)                                                                             \
	(may_cast ? (typeof(pointer))cast(pointer,                                                 \
					  _Generic((pointer), struct task_struct *: task_type,     \
						   struct vm_area_struct *: vma_type))             \
		  : (pointer))

/*
 * Until Linux 6.2 page faults changed a per-task cache of the RSS counters, and tracepoint rss_stat stayed silent until
 * the cache was folded into the mm after 64 faults. Commit f1a7941243c1 ("mm: convert mm's rss stats into
 * percpu_counter") removed the cache; since then the tracepoint fires for every change.
 */
static __always_inline bool rss_is_cached(void)
{
	return bpf_core_field_exists(struct task_struct, rss_stat);
}

/*
 * Copies counted by delay accounting: commit 662ce1dc9caf ("delayacct: track delays from write-protect copy"), Linux
 * 5.19. Absent without CONFIG_TASK_DELAY_ACCT; the pointer is NULL while kernel.task_delayacct is 0.
 */
static __always_inline bool wpcopy_count(struct task_struct *task, __u64 *count)
{
	struct task_delay_info *delays;

	if (!bpf_core_field_exists(struct task_struct, delays) ||
	    !bpf_core_field_exists(struct task_delay_info, wpcopy_count))
		return false;
	delays = plain(task)->delays;
	if (!delays)
		return false;
	*count = delays->wpcopy_count;
	return true;
}

/*
 * The lists of robust futexes (CONFIG_FUTEX, CONFIG_COMPAT): fields of the task until Linux 7.x put
 * them into a structure of their own.
 */
#define FUTEX_LIST(name)                                                                           \
	static __always_inline __u64 name(struct task_struct *task)                                \
	{                                                                                          \
		struct task_struct *owner = plain(task);                                           \
                                                                                                   \
		if (bpf_core_field_exists(struct task_struct, name))                               \
			return (__u64)owner->name;                                                 \
		if (bpf_core_field_exists(struct task_struct, futex.name))                         \
			return (__u64)owner->futex.name;                                           \
		return 0;                                                                          \
	}

FUTEX_LIST(robust_list)
FUTEX_LIST(compat_robust_list)

/*
 * A number that no change of the mappings leaves as it was: it goes up when the lock of the address space
 * that such a change takes is given back (include/linux/mmap_lock.h; commit 5e31275cc997, Linux 6.4; later a
 * seqcount_t, which goes up when the lock is taken, too). False if this kernel has none.
 */
static __always_inline bool mappings_version(struct mm_struct *mm, __u32 *version)
{
	struct mm_struct___seqcount *seqcount = (void *)mm;
	struct mm_struct___number *number = (void *)mm;

	if (bpf_core_field_exists(seqcount->mm_lock_seq.sequence))
		*version = seqcount->mm_lock_seq.sequence;
	else if (bpf_core_field_exists(number->mm_lock_seq))
		*version = number->mm_lock_seq;
	else
		return false;
	return true;
}

/* The number that the mappings had when this one was put there or changed: vma_start_write() (Linux 6.4). */
static __always_inline bool tells_changes(void)
{
	return bpf_core_field_exists(struct vm_area_struct, vm_lock_seq);
}

static __always_inline __u32 last_change(struct vm_area_struct *vma)
{
	return tells_changes() ? plain(vma)->vm_lock_seq : 0;
}

/*
 * A number that every fault changes by which NUMA balancing asks who uses a page: task_numa_fault()
 * (kernel/sched/fair.c) counts it as local or not, after it may have begun a new period from 0.
 */
const volatile bool several_nodes = false;

static __always_inline __u64 numa_hints(struct task_struct *task)
{
	if (!several_nodes || !bpf_core_field_exists(struct task_struct, numa_faults_locality))
		return 0;
	return ((__u64)task->numa_scan_seq << 48) + task->numa_faults_locality[0] + task->numa_faults_locality[1];
}

/*
 * Does the task sleep, or is it about to leave its CPU to do so? Since "sched/fair: Implement delayed dequeue", Linux
 * 6.12, one that sleeps may stay in the queue for a while. Only where the queue is locked, or
 * the task is being woken, is the answer worth anything.
 */
static __always_inline bool is_asleep(struct task_struct *task)
{
	if (!task->on_rq)
		return true;
	return bpf_core_field_exists(struct sched_entity, sched_delayed) && task->se.sched_delayed;
}

/* False: no, or it is not known. It has another size in Linux 7.3 than before. */
static __always_inline bool has_cpu(struct task_struct *task)
{
	return bpf_core_field_exists(struct task_struct, on_cpu) && BPF_CORE_READ_BITFIELD(task, on_cpu);
}

/* Seccomp (CONFIG_SECCOMP) and tracers may answer a call before it is entered. */
static __always_inline bool may_be_denied(struct task_struct *task)
{
	if (task->ptrace)
		return true;
	return bpf_core_field_exists(struct task_struct, seccomp) && task->seccomp.mode;
}

/*
 * Since commit a46023d5616e ("tracing: Guard __DECLARE_TRACE() use of __DO_TRACE_CALL() with SRCU-fast"), Linux 7.0, a
 * tracepoint program can be preempted, and the kernel does not run a program on a CPU where a preempted task is inside
 * it: the event would be lost. (Disabling preemption in the program does not help: enabling it again at its end is
 * where the task then leaves the CPU.) So there every program has understudies on the same tracepoint, which step in if
 * those before them did not run. User space knows such kernels by their BTF and loads the understudies only then.
 */
const volatile bool preemptible = false;

#define TRACE_AS(program, number, name, call, args...)                                             \
	SEC("tp_btf/" #name) int BPF_PROG(program, args)                                           \
	{                                                                                          \
		const int rank __attribute__((unused)) = number;                                   \
		call;                                                                              \
		return 0;                                                                          \
	}

/* Defines program on_PROGRAM for a tracepoint, and its understudies. `call` may use `rank`: 0 for on_PROGRAM. */
#define TRACE_BY(program, name, call, args...)                                                     \
	TRACE_AS(on_##program, 0, name, call, args)                                                \
	TRACE_AS(understudy1_##program, 1, name, call, args)                                       \
	TRACE_AS(understudy2_##program, 2, name, call, args)

#define TRACE(name, call, args...) TRACE_BY(name, name, call, args)
