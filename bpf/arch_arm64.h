/* SPDX-License-Identifier: GPL-2.0-only
 *
 * arm64, with programs of 32-bit ARM (AArch32): see arch.h.
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	unsigned long flags;
	__u64 preempt_count; /* its upper half: need_resched */
};

struct thread_struct {
	struct {
		unsigned long tp_value;
	} uw;
	unsigned long fault_address;
	unsigned long fault_code;
};

struct user_pt_regs {
	__u64 regs[31];
	__u64 sp, pc, pstate;
};

struct pt_regs {
	struct user_pt_regs user_regs;
	__u64 orig_x0;
	__s32 syscallno;
};

#pragma clang attribute pop

/* No hook has the syndrome of a fault (ESR): what it was is found out by other means, or not at all. */
#define ALWAYS_SEEN 0
#define NEVER_SEEN  0

#include "drift.h"

#define FAULT_CLASSES	 FAULT_COUNT
#define PAGE_SIZE	 page_size
#define PSTATE_MODE	 0x0f /* of 64-bit code, 0: EL0. These two: arch/arm64/include/uapi/asm/ptrace.h */
#define PSTATE_AARCH32	 0x10
#define TIF_32BIT	 22 /* arch/arm64/include/asm/thread_info.h */
#define ADDRESS_BITS	 48 /* of user space, unless a program asks for more; pointer authentication uses bits above */
#define ROBUST_HEAD	 224 /* in glibc's struct pthread (nptl/descr.h), behind the thread's id */
#define FRAME_POINTER	 29
#define LINK_REGISTER	 30
#define LINK_REGISTER_32 14

static __always_inline long call_of(const struct pt_regs *regs)
{
	return regs->syscallno;
}

/* The order of arguments: syscall(2). `number` from 0; the first register is that of the result, too. */
static __always_inline __u64 argument_of(const struct pt_regs *regs, bool compat, int number)
{
	__u64 value = number ? regs->user_regs.regs[number] : regs->orig_x0;

	return compat ? (__u32)value : value;
}

REGISTER(ip_of, regs->user_regs.pc)
REGISTER(sp_of, regs->user_regs.sp)
REGISTER(fp_of, regs->user_regs.regs[FRAME_POINTER])
/* Of 64-bit code: where the function returns to that has made no frame yet. */
REGISTER(link_of, regs->user_regs.regs[LINK_REGISTER] & ((1ull << ADDRESS_BITS) - 1))

static __always_inline bool runs_narrow_code(const struct pt_regs *regs)
{
	return regs->user_regs.pstate & PSTATE_AARCH32;
}

/* Where a function returns to that has made no frame yet. */
static __always_inline __u64 return_address(const struct pt_regs *regs, bool may_read)
{
	if (!regs)
		return 0;
	if (runs_narrow_code(regs))
		return (__u32)regs->user_regs.regs[LINK_REGISTER_32];
	return link_of(regs);
}

static __always_inline bool is_compat(struct task_struct *task)
{
	return task->thread_info.flags >> TIF_32BIT & 1;
}

/* Of the call that the task is in. */
static __always_inline __u8 abi_of(struct task_struct *task, long call)
{
	return is_compat(task) ? ABI_ARM : ABI_AARCH64;
}

enum { NR_fork = NO_CALL, NR_vfork = NO_CALL, NR_open = NO_CALL, NR_futex_time64 = NO_CALL };
enum { NR_waitpid = NO_CALL, COMPAT_waitpid = NO_CALL };
#define CALL(number, name) NR_##name = number,
enum {
#include "calls_aarch64.def"
#include "calls_common.def"
};
#undef CALL
#define CALL(number, name) COMPAT_##name = number,
enum {
#include "calls_arm.def"
#include "calls_common.def"
};
#undef CALL

#define IS_CALL(key, name) ((key)->nr == ((key)->abi == ABI_ARM ? COMPAT_##name : NR_##name))

/* As the tables of a convention have it. */
static __always_inline __u32 call_number(const struct call_key *key)
{
	return key->nr;
}

static __always_inline long plain_number(long nr)
{
	return nr;
}

#define BIRTH_HAS_EXIT false

static __always_inline __u64 load_in_order(__u64 *of)
{
	return __sync_fetch_and_add(of, 0);
}

#define STAT_MODE 16 /* in its struct stat; st_dev, st_ino and st_size are where other machines have them */

/*
 * As the kernel saved it when the thread gave up the CPU last, or was created. So that of a program may not be known
 * before its first pause.
 */
static __always_inline __u64 thread_pointer_of(struct task_struct *task)
{
	return task->thread.uw.tp_value;
}

/*
 * Of glibc, which tells the kernel about its list of robust mutexes where a thread begins, and after a fork: the
 * list is a part of the thread's own structure. (How far that is from the thread pointer depends on the version.)
 */
static __always_inline __u64 pthread_self_of(struct task_struct *task)
{
	const __u64 robust = robust_list(task);

	return robust ? robust - ROBUST_HEAD : 0;
}

/* Was the last fault that ended in a signal one at this address? `any`: at whatever address. */
static __always_inline bool died_of_fault(struct task_struct *task, __u64 address, bool any)
{
	return task->thread.fault_code && (any || task->thread.fault_address == address);
}

/* How deep in interrupts the CPU is that runs `current`. */
static __always_inline bool read_preempt_count(struct task_struct *current, int *count)
{
	*count = current->thread_info.preempt_count;
	return true;
}

/* Entries of page tables: arch/arm64/include/asm/pgtable-hwdef.h. */
#define ENTRY_PRESENT 0x001ull
#define ENTRY_TABLE   0x002ull
#define ENTRY_LOW     0x0000fffffffff000ull
#define ENTRY_HIGH    0x000000000000f000ull /* with pages of 64 KiB: bits 48 to 51 of the address (PTE_ADDR_HIGH) */
#define ENTRY_USED    (1ull << 10) /* PTE_AF, the access flag */
#define ENTRY_WRITE   (1ull << 51) /* PTE_WRITE */
#define PAGE_SHIFT    page_shift
#define TABLE_BITS    (page_shift - 3)

static __always_inline __u64 frame_of(__u64 entry)
{
	const __u64 high = PAGE_SHIFT == 16 ? (entry & ENTRY_HIGH) << 36 : 0;

	return (entry & ENTRY_LOW & -PAGE_SIZE) | high;
}

static __always_inline bool is_huge_entry(__u64 entry)
{
	return !(entry & ENTRY_TABLE);
}

/* `top`: the first table, as the kernel sees it. What an entry of it maps, as a power of two. */
static __always_inline int top_shift(__u64 top)
{
	return table_shift;
}
