// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The floor: what any eBPF tool pays that watches these events, before it counts anything. An attached
 * program makes the kernel take the slow path into and out of every system call.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/* The name begins with the first of the levels of floor.c that has the program. */
#define EMPTY(level, name)                                                                         \
	SEC("tp_btf/" #name) int level##_##name(void *context)                                     \
	{                                                                                          \
		return 0;                                                                          \
	}

EMPTY(enter, sys_enter)
EMPTY(both, sys_exit) /* who counts errors, or measures time, needs both */
/* What forktax asks for with --faults=totals ... */
EMPTY(totals, sched_process_fork)
EMPTY(totals, task_newtask)
EMPTY(totals, sched_process_exec)
EMPTY(totals, sched_process_exit)
EMPTY(totals, mmap_lock_released)
/* ... and without. */
EMPTY(classes, page_fault_user)
EMPTY(classes, page_fault_kernel)
EMPTY(classes, mm_page_alloc)
EMPTY(classes, rss_stat)

/* What it loads besides, and runs once if at all. */
SEC("iter/task") int loads_iterator(void *context)
{
	return 0;
}

SEC("syscall") int loads_once(void *context)
{
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
