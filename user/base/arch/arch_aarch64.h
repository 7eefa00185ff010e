/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arm64: calls without the C library, and what ptrace(2) and breakpoints need to know.
 */
#ifndef FORKTAX_BASE_ARCH_ARCH_AARCH64_H
#define FORKTAX_BASE_ARCH_ARCH_AARCH64_H

#include <asm/ptrace.h>
#include <elf.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

/* Some CPUs leave the access flag of page-table entries to the kernel (those without FEAT_HAFDBS). */
#define ARCH_MAY_LACK_ACCESS_FLAG 1

/* What programs of this machine say in e_machine: its own, and older ones. */
enum { ARCH_ELF_MACHINE = EM_AARCH64, ARCH_ELF_COMPAT = EM_ARM };

/* No tracepoint tells of a fault before it is handled: a software event does. */
#define ARCH_HAS_FAULT_TRACEPOINTS 0

/* A task has the count of the interrupts that its CPU is in. */
#define ARCH_COUNTS_INTERRUPTS_IN_TASK 1

static inline long arch__call(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory", "cc");
	return x0;
}

/* There is no fork(2), nor vfork(2): both are clone(2). */
static inline long arch__fork(void)
{
	return arch__call(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
}

/* The child ends at once without using the stack, which a child of vfork shares. */
static inline long arch__fork_exit(bool is_vfork)
{
	register long x8 __asm__("x8") = SYS_clone;
	register long x0 __asm__("x0") = is_vfork ? CLONE_VM | CLONE_VFORK | SIGCHLD : SIGCHLD;
	register long x1 __asm__("x1") = 0;
	register long x2 __asm__("x2") = 0;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;

	__asm__ volatile("svc #0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x8, %[leave]\n\t"
			 "svc #0\n"
			 "1:"
			 : "+r"(x0), "+r"(x8)
			 : "r"(x1), "r"(x2), "r"(x3), "r"(x4), [leave] "i"(SYS_exit_group)
			 : "memory", "cc");
	return x0;
}

static inline bool arch__read_registers(pid_t pid, struct arch_registers *registers)
{
	struct user_regs_struct all;
	struct iovec room = { &all, sizeof(all) };

	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &room) < 0)
		return false;
	*registers = (struct arch_registers){
		.ip = all.pc,
		.argument = all.regs[0],
		.return_address = all.regs[30],
	};
	return true;
}

/* Bytes that a breakpoint watches: an instruction (bp_len of perf_event_attr). */
enum { ARCH_BREAKPOINT_BYTES = 4 };

/* Puts the first breakpoint, on execution, at this address. */
static inline bool arch__set_breakpoint(pid_t pid, uint64_t address)
{
	/* Enabled (bit 0), in user mode (2 << 1), all four bytes (0xf << 5). */
	struct user_hwdebug_state state = { .dbg_regs[0] = { .addr = address, .ctrl = 1 | 2 << 1 | 0xf << 5 } };
	struct iovec room = { &state, offsetof(struct user_hwdebug_state, dbg_regs[1]) };

	return ptrace(PTRACE_SETREGSET, pid, NT_ARM_HW_BREAK, &room) == 0;
}

#endif
