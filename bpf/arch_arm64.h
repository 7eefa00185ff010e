/* SPDX-License-Identifier: GPL-2.0-only
 *
 * arm64, with programs of 32-bit ARM (AArch32): see arch.h.
 */
#ifndef FORKTAX_ARCH_ARM64_H
#define FORKTAX_ARCH_ARM64_H

#include <linux/types.h>
#include <stdbool.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	unsigned long flags;
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

extern const volatile __u64 page_size;
extern const volatile __u32 page_shift; /* the same as a power of two */
extern const volatile __u32 table_shift; /* what an entry of the first page table maps, as a power of two */

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

static __always_inline __u64 ip_of(const struct pt_regs *regs)
{
	return regs->user_regs.pc;
}

static __always_inline __u64 sp_of(const struct pt_regs *regs)
{
	return regs->user_regs.sp;
}

static __always_inline __u64 fp_of(const struct pt_regs *regs)
{
	return regs->user_regs.regs[FRAME_POINTER];
}

/* Of 64-bit code: where the function returns to that has made no frame yet. */
static __always_inline __u64 link_of(const struct pt_regs *regs)
{
	return regs->user_regs.regs[LINK_REGISTER] & ((1ull << ADDRESS_BITS) - 1);
}

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

#define LAUNCH_EXECVE 221 /* what forktax's own launcher calls */

/* As the tables of a convention have it. */
static __always_inline __u32 call_number(const struct call_key *key)
{
	return key->nr;
}

static __always_inline bool is_execve(const struct call_key *key)
{
	if (key->abi == ABI_ARM)
		return key->nr == 11 || key->nr == 387;
	return key->nr == LAUNCH_EXECVE || key->nr == 281;
}

static __always_inline bool is_exit(const struct call_key *key)
{
	if (key->abi == ABI_ARM)
		return key->nr == 1 || key->nr == 248;
	return key->nr == 93 || key->nr == 94;
}

static __always_inline bool is_native_wait4(long nr)
{
	return nr == 260;
}

static __always_inline bool is_wait4(const struct call_key *key)
{
	return key->abi == ABI_ARM ? key->nr == 114 : is_native_wait4(key->nr);
}

static __always_inline bool is_waitid(const struct call_key *key)
{
	return key->nr == (key->abi == ABI_ARM ? 280 : 95);
}

static __always_inline bool is_seccomp(const struct call_key *key)
{
	return key->nr == (key->abi == ABI_ARM ? 383 : 277);
}

static __always_inline bool is_futex(const struct call_key *key)
{
	__s32 nr = key->nr;

	if (nr == 449 || (nr >= 454 && nr <= 456))
		return true;
	return key->abi == ABI_ARM ? nr == 240 || nr == 422 : nr == 98;
}

static __always_inline enum tree_call tree_call_of(const struct call_key *key)
{
	if (is_execve(key))
		return TREE_CALL_EXECUTES;
	if (is_exit(key))
		return TREE_CALL_ENDS;
	if (is_wait4(key) || is_waitid(key))
		return TREE_CALL_WAITS;
	if (key->nr == 435)
		return TREE_CALL_CREATES;
	if (key->abi == ABI_ARM)
		return key->nr == 2 || key->nr == 120 || key->nr == 190 ? TREE_CALL_CREATES : TREE_CALL_OTHER;
	return key->nr == 220 ? TREE_CALL_CREATES : TREE_CALL_OTHER;
}

static __always_inline enum flags_place flags_place(__u32 nr, bool compat)
{
	switch (nr) {
	case 2:
		return compat ? FLAGS_OF_FORK : FLAGS_NOWHERE;
	case 120:
		return compat ? FLAGS_IN_ARGUMENT : FLAGS_NOWHERE;
	case 190:
		return compat ? FLAGS_OF_VFORK : FLAGS_NOWHERE;
	case 220:
		return compat ? FLAGS_NOWHERE : FLAGS_IN_ARGUMENT;
	case 435:
		return FLAGS_IN_MEMORY; /* clone3: the first word there */
	default:
		return FLAGS_NOWHERE;
	}
}

#define BIRTH_HAS_EXIT false

/* Is a number that of a fork in some convention? Others may have it, too, but hardly any call comes through. */
static __always_inline bool may_be_fork(long nr)
{
	return nr == 220 || nr == 435 || nr == 2 || nr == 120;
}

/* These three: of 64-bit programs alone. */
static __always_inline bool is_open(long nr)
{
	return false;
}

static __always_inline bool is_openat(long nr)
{
	return nr == 56;
}

static __always_inline bool is_newfstatat(long nr)
{
	return nr == 79;
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

/* Entries of page tables: arch/arm64/include/asm/pgtable-hwdef.h. */
#define ENTRY_PRESENT 0x001ull
#define ENTRY_TABLE   0x002ull
#define ENTRY_FRAME   0x0000fffffffff000ull
#define ENTRY_USED    (1ull << 10) /* PTE_AF, the access flag */
#define ENTRY_WRITE   (1ull << 51) /* PTE_WRITE */
#define PAGE_SHIFT    page_shift
#define TABLE_BITS    (page_shift - 3)

static __always_inline bool is_huge_entry(__u64 entry)
{
	return !(entry & ENTRY_TABLE);
}

/* `top`: the first table, as the kernel sees it. What an entry of it maps, as a power of two. */
static __always_inline int top_shift(__u64 top)
{
	return table_shift;
}

#endif
