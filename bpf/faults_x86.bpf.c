// SPDX-License-Identifier: GPL-2.0-only
/* What opens the window of a fault on x86-64: tracepoints, which have the error code. */
#include "faults.h"

static __always_inline struct task_value *current_value(int rank)
{
	return find_classified(bpf_get_current_task_btf(), rank);
}

TRACE(page_fault_user, user_fault(current_value(rank), address, ip_of(regs), error), unsigned long address,
      struct pt_regs *regs, unsigned long error)

static __always_inline void look_at_kernel_fault(__u64 address, __u32 error, int rank)
{
	if ((long)address >= 0) /* at a kernel address no user page is involved */
		kernel_fault(current_value(rank), bpf_get_current_task_btf(), address, error);
}

TRACE(page_fault_kernel, look_at_kernel_fault(address, error, rank), unsigned long address,
      struct pt_regs *regs, unsigned long error)
