/* SPDX-License-Identifier: GPL-2.0-only
 *
 * x86-64, with programs of i386 and x32: see arch.h.
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info { __u32 status; };

struct desc_struct {
	unsigned short base0;
	unsigned short base1: 8;
	unsigned short base2: 8;
};

struct thread_struct {
	struct desc_struct tls_array[3];
	unsigned long fsbase;
	unsigned long cr2;
	unsigned long trap_nr;
};

#pragma clang attribute pop

/* An interface, the same in every kernel: what ptrace(2) shows. */
struct pt_regs {
	unsigned long general[15]; /* r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di */
	unsigned long orig_ax;
	unsigned long ip, cs, flags, sp;
};

/* The error code of each fault says whether the page was there, and what the access was. */
#define ALWAYS_SEEN (FAULT_PRESENT_KNOWN | FAULT_WRITE_KNOWN)
#define NEVER_SEEN  (FAULT_OLD | FAULT_MAYBE_OLD)

#include "drift.h"

#define FAULT_CLASSES	FAULT_ACCESS_FLAG /* all but that one */
#define PAGE_SIZE	4096
#define USER32_CS	0x23	   /* __USER32_CS, arch/x86/include/asm/segment.h */
#define TS_COMPAT	0x0002	   /* arch/x86/include/asm/thread_info.h */
#define X32_SYSCALL_BIT 0x40000000 /* arch/x86/include/uapi/asm/unistd.h */
#define TRAP_PAGE_FAULT 14	   /* arch/x86/include/asm/trapnr.h */

static __always_inline long call_of(const struct pt_regs *regs)
{
	return regs->orig_ax;
}

/* The order of arguments: syscall(2), arch/x86/entry/. `number` from 0. */
static __always_inline __u64 argument_of(const struct pt_regs *regs, bool compat, int number)
{
	switch (number) {
	case 0:
		return compat ? (__u32)regs->general[5] : regs->general[14];
	case 1:
		return compat ? (__u32)regs->general[11] : regs->general[13];
	case 2:
		return compat ? (__u32)regs->general[12] : regs->general[12];
	case 3:
		return compat ? (__u32)regs->general[13] : regs->general[7];
	case 4:
		return compat ? (__u32)regs->general[14] : regs->general[9];
	default:
		return compat ? (__u32)regs->general[4] : regs->general[8];
	}
}

REGISTER(ip_of, regs->ip)
REGISTER(sp_of, regs->sp)
REGISTER(fp_of, regs->general[4])
REGISTER(link_of, 0) /* calls put the address to return to on the stack */

static __always_inline bool runs_narrow_code(const struct pt_regs *regs)
{
	return regs->cs == USER32_CS;
}

/* Where a function returns to that has made no frame yet: on top of the stack. 0: a page that is not present. */
static __always_inline __u64 return_address(const struct pt_regs *regs, bool may_read)
{
	__u64 top = 0;

	if (may_read && regs && bpf_probe_read_user(&top, sizeof(top), (void *)regs->sp))
		return 0;
	return regs && runs_narrow_code(regs) ? (__u32)top : top;
}

static __always_inline bool is_compat(struct task_struct *task)
{
	return task->thread_info.status & TS_COMPAT;
}

/* Of the call that the task is in. */
static __always_inline __u8 abi_of(struct task_struct *task, long call)
{
	if (is_compat(task))
		return ABI_I386;
	return (call & 0xc0000000) == X32_SYSCALL_BIT ? ABI_X32 : ABI_X86_64;
}

enum { NR_waitpid = NO_CALL, X32_waitpid = NO_CALL, NR_futex_time64 = NO_CALL, X32_futex_time64 = NO_CALL };
#define CALL(number, name) NR_##name = number,
enum {
#include "calls_x86_64.def"
#include "calls_common.def"
};
#undef CALL
#define CALL(number, name) X32_##name = X32_SYSCALL_BIT | number,
enum {
#include "calls_x32.def"
#include "calls_common.def"
};
#undef CALL
#define CALL(number, name) COMPAT_##name = number,
enum {
#include "calls_i386.def"
#include "calls_common.def"
};
#undef CALL

#define IS_CALL(key, name)                                                                                             \
	((key)->nr == ((key)->abi == ABI_X86_64 ? NR_##name : (key)->abi == ABI_I386 ? COMPAT_##name : X32_##name))

/* As the tables of a convention have it. */
static __always_inline __u32 call_number(const struct call_key *key)
{
	return key->abi == ABI_X32 ? key->nr & ~X32_SYSCALL_BIT : key->nr;
}

static __always_inline long plain_number(long nr)
{
	return nr & ~X32_SYSCALL_BIT;
}

#define BIRTH_HAS_EXIT true

/* x86-64 does not reorder loads; the barriers keep the compiler from it. */
static __always_inline __u64 load_in_order(__u64 *of)
{
	__u64 value;

	barrier();
	value = *(volatile __u64 *)of;
	barrier();
	return value;
}

#define STAT_MODE 24 /* in its struct stat; st_dev, st_ino and st_size are where other machines have them */

/*
 * 32-bit programs have no fsbase. Their thread pointer is the base of a segment that they made with
 * set_thread_area(2) or clone(CLONE_SETTLS); the C libraries use the first of the three.
 */
static __always_inline __u64 thread_pointer_of(struct task_struct *task)
{
	__u64 narrow = task->thread.tls_array[0].base0;

	narrow |= BPF_CORE_READ_BITFIELD(task, thread.tls_array[0].base1) << 16;
	narrow |= BPF_CORE_READ_BITFIELD(task, thread.tls_array[0].base2) << 24;
	return task->thread.fsbase ?: narrow;
}

/* Of glibc and musl. */
static __always_inline __u64 pthread_self_of(struct task_struct *task)
{
	return thread_pointer_of(task);
}

/* Was the last fault that ended in a signal one at this address? `any`: at whatever address. */
static __always_inline bool died_of_fault(struct task_struct *task, __u64 address, bool any)
{
	return task->thread.trap_nr == TRAP_PAGE_FAULT && (any || task->thread.cr2 == address);
}

/*
 * How deep in interrupts the CPU is: a variable that each CPU has, as it has its run queue, whose address a task leads
 * to. (The kernel resolves the names of such variables only with CONFIG_KALLSYMS_ALL.) In Linux 6.2 to 6.14 it is a
 * member of struct pcpu_hot. False: it cannot be read.
 */
static __always_inline bool read_preempt_count(struct task_struct *current, int *count)
{
	const struct cfs_rq *queue = plain(current)->se.cfs_rq;
	__s64 at = preempt_count_at;

	if (bpf_core_field_exists(struct pcpu_hot, preempt_count))
		at += bpf_core_field_offset(struct pcpu_hot, preempt_count);
	return queue && !bpf_probe_read_kernel(count, sizeof(*count), (const void *)queue->rq + at);
}

/* Entries of page tables: arch/x86/include/asm/pgtable_types.h. */
#define ENTRY_PRESENT 0x001ull
#define ENTRY_FRAME   0x000ffffffffff000ull
#define PAGE_SHIFT    12
#define TABLE_BITS    9

static __always_inline __u64 frame_of(__u64 entry)
{
	return entry & ENTRY_FRAME;
}

static __always_inline bool is_huge_entry(__u64 entry)
{
	return entry & 0x080; /* _PAGE_PSE: no further table */
}

/* `top`: the first table, as the kernel sees it. What an entry of it maps, as a power of two. */
static __always_inline int top_shift(__u64 top)
{
	const __u64 has_4_levels = top >> 55 & top >> 54 & 1; /* no branch: the verifier would follow both ways */

	return PAGE_SHIFT + (4 - has_4_levels) * TABLE_BITS;
}
