// SPDX-License-Identifier: GPL-2.0-only
/* What opens the window of a fault on x86-64: tracepoints, which have the error code. */
#include "faults.h"

TRACE(page_fault_user, user_fault(address, ip_of(regs), error, rank), unsigned long address,
      struct pt_regs *regs, unsigned long error)

TRACE(page_fault_kernel, kernel_fault(address, error, rank), unsigned long address,
      struct pt_regs *regs, unsigned long error)
