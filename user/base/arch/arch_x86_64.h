/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * x86-64: calls without the C library, and what ptrace(2) and breakpoints need to know.
 */
#ifndef FORKTAX_BASE_ARCH_ARCH_X86_64_H
#define FORKTAX_BASE_ARCH_ARCH_X86_64_H

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

/* Every CPU sets the accessed bit of page-table entries itself. */
#define ARCH_MAY_LACK_ACCESS_FLAG 0

/* What programs of this machine say in e_machine: its own, and older ones. */
enum { ARCH_ELF_MACHINE = EM_X86_64, ARCH_ELF_COMPAT = EM_386 };

/* Tracepoints tell of each fault before it is handled. */
#define ARCH_HAS_FAULT_TRACEPOINTS 1

/* A CPU has the count of the interrupts that it is in. */
#define ARCH_COUNTS_INTERRUPTS_IN_TASK 0

static inline long arch__call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static inline long arch__fork(void)
{
	return arch__call(SYS_fork, 0, 0, 0, 0, 0, 0);
}

/* The child ends at once without using the stack, which a child of vfork shares. */
static inline long arch__fork_exit(bool is_vfork)
{
	const long number = is_vfork ? SYS_vfork : SYS_fork;
	long result;

	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "mov %[leave], %%eax\n\t"
			 "xor %%edi, %%edi\n\t"
			 "syscall\n"
			 "1:"
			 : "=a"(result)
			 : "a"(number), [leave] "i"(SYS_exit_group)
			 : "rcx", "rdi", "r11", "memory", "cc");
	return result;
}

static inline bool arch__read_registers(pid_t pid, struct arch_registers *registers)
{
	struct user_regs_struct all;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &all) < 0)
		return false;
	errno = 0;
	*registers = (struct arch_registers){
		.ip = all.rip,
		.argument = all.rdi,
		.return_address = ptrace(PTRACE_PEEKDATA, pid, all.rsp, NULL),
	};
	if (errno)
		registers->return_address = 0;
	if (all.cs == 0x23) /* __USER32_CS: its words are half as long */
		registers->return_address &= UINT32_MAX;
	return true;
}

/* Puts the first breakpoint, on execution, at this address. */
static inline bool arch__set_breakpoint(pid_t pid, uint64_t address)
{
	const size_t registers = offsetof(struct user, u_debugreg), control = registers + 7 * sizeof(long);

	return ptrace(PTRACE_POKEUSER, pid, registers, address) == 0 && ptrace(PTRACE_POKEUSER, pid, control, 1) == 0;
}

/* Bytes that a breakpoint watches (bp_len of perf_event_attr). */
enum { ARCH_BREAKPOINT_BYTES = sizeof(long) };

#endif
