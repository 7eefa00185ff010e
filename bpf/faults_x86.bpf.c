// SPDX-License-Identifier: GPL-2.0-only
/* What opens the window of a fault on x86-64: tracepoints, which have the error code. */
#include "faults.h"

static __always_inline void look_at_user_fault(__u64 address, struct pt_regs *regs, __u32 error, int rank)
{
	struct task_value *value = find_classified(bpf_get_current_task_btf(), rank);

	if (value)
		user_fault(value, address, ip_of(regs), error);
}

TRACE(page_fault_user, look_at_user_fault(address, regs, error, rank), unsigned long address,
      struct pt_regs *regs, unsigned long error)

static __always_inline void look_at_kernel_fault(__u64 address, __u32 error, int rank)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_value *value;

	if ((long)address < 0) /* a kernel address: no user page is involved */
		return;
	value = find_classified(task, rank);
	if (value)
		kernel_fault(value, task, address, error);
}

TRACE(page_fault_kernel, look_at_kernel_fault(address, error, rank), unsigned long address,
      struct pt_regs *regs, unsigned long error)

#define GIB_SHIFT 30

/*
 * Is this where the direct map begins? It begins at a random multiple of 1 GiB (kernel_randomize_memory(),
 * arch/x86/mm/kaslr.c). The first table is in it, so the tables must lead from the table's
 * address to where it is in memory. Candidates come from the lowest up: what is read lies below the end
 * of the memory, or below the map, where there is nothing.
 */
static long try_direct_map(__u32 i, void *context)
{
	__u64 top = *(__u64 *)context, gib = (memory_end >> GIB_SHIFT) - i;
	__u64 base = (top & ~((1ull << GIB_SHIFT) - 1)) - (gib << GIB_SHIFT), within;
	struct entry found = {};

	if (!find_entry(base, top, top, &found))
		return 0;
	within = (1ull << found.shift) - 1;
	if ((frame_of(found.value) & ~within) + (top & within) != top - base)
		return 0;
	direct_map = base;
	return 1;
}

/* Run once by user space, before anything is counted. */
SEC("syscall") int find_direct_map(void *context)
{
	struct mm_struct *mm = own_memory();
	__u64 top;

	if (!mm)
		return 0;
	top = kernel_word(&mm->pgd);
	bpf_loop((memory_end >> GIB_SHIFT) + 1, try_direct_map, &top, 0);
	return 0;
}
