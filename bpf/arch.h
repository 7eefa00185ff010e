/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What differs by machine. One header for each has all of it (docs/contribute/howto-support-a-machine.md), and
 * faults_MACHINE.bpf.c has the programs that open the window of a fault. A header has, in this order:
 *
 * - the types of the kernel that only this machine has, then types.h, whose task_struct contains them;
 * - ALWAYS_SEEN, NEVER_SEEN: evidence of every fault, and of none (classify.h); FAULT_CLASSES: so many of the classes
 *   its faults may have; PAGE_SIZE;
 * - registers: call_of(), argument_of(), ip_of(), sp_of(), fp_of(), link_of(), return_address(), runs_narrow_code();
 * - BIRTH_HAS_EXIT: does a new thread leave the call that has created it by a sys_exit (faults.h)?
 * - load_in_order(): a load that no load before or after it passes, here or in the compiler;
 * - numbers of calls, by calling convention: abi_of(), call_number(), plain_number(), IS_CALL(), from the tables in
 *   probes/; NR_NAME of native programs and COMPAT_NAME of 32-bit ones for what stands below, the same for all;
 *   STAT_MODE;
 * - tasks: is_compat(), thread_pointer_of(), pthread_self_of(), died_of_fault(); read_preempt_count() of the current;
 * - tables of pages: see page_tables.h.
 */
#pragma once

/* Calls that are parts of the times of a tree, or end one (tree.h). */
enum tree_call { TREE_CALL_OTHER, TREE_CALL_CREATES, TREE_CALL_EXECUTES, TREE_CALL_WAITS, TREE_CALL_ENDS };

/* What a call that creates a process passes flags by (lifecycle.bpf.c). */
enum flags_place { FLAGS_NOWHERE, FLAGS_OF_FORK, FLAGS_OF_VFORK, FLAGS_IN_ARGUMENT, FLAGS_IN_MEMORY };

#define NO_CALL 0x7fffffff /* the number of a call that a machine does not have */

#define REGISTER(name, value)                                                                      \
	static __always_inline __u64 name(const struct pt_regs *regs)                              \
	{                                                                                          \
		return value;                                                                      \
	}

#if defined(__TARGET_ARCH_x86)
#include "arch_x86.h"
#elif defined(__TARGET_ARCH_arm64)
#include "arch_arm64.h"
#else
#error "no header for this machine: docs/contribute/howto-support-a-machine.md"
#endif

#define LAUNCH_EXECVE NR_execve /* what forktax's own launcher calls */

#define CALLS(name, condition)                                                                     \
	static __always_inline bool name(const struct call_key *key)                               \
	{                                                                                          \
		return condition;                                                                  \
	}

CALLS(is_execve, IS_CALL(key, execve) || IS_CALL(key, execveat))
CALLS(is_exit, IS_CALL(key, exit) || IS_CALL(key, exit_group))
CALLS(is_wait, IS_CALL(key, wait4) || IS_CALL(key, waitid) || IS_CALL(key, waitpid))
CALLS(is_futex, IS_CALL(key, futex) || IS_CALL(key, futex_time64) || IS_CALL(key, futex_waitv) ||
		IS_CALL(key, futex_wake) || IS_CALL(key, futex_wait) || IS_CALL(key, futex_requeue))
CALLS(is_creation, IS_CALL(key, clone) || IS_CALL(key, fork) || IS_CALL(key, vfork) || IS_CALL(key, clone3))
CALLS(is_input, IS_CALL(key, read) || IS_CALL(key, readv) || IS_CALL(key, pread64) || IS_CALL(key, splice) ||
		IS_CALL(key, copy_file_range) || IS_CALL(key, recvfrom) || IS_CALL(key, recvmsg))

static __always_inline enum tree_call tree_call_of(const struct call_key *key)
{
	if (is_creation(key))
		return TREE_CALL_CREATES;
	if (is_execve(key))
		return TREE_CALL_EXECUTES;
	if (is_wait(key))
		return TREE_CALL_WAITS;
	if (is_exit(key))
		return TREE_CALL_ENDS;
	return TREE_CALL_OTHER;
}

/* `nr`: of a task that is, or is not, in a call of 32-bit programs. */
static __always_inline enum flags_place flags_place(long nr, bool compat)
{
	nr = plain_number(nr);
	if (nr == (compat ? COMPAT_clone : NR_clone))
		return FLAGS_IN_ARGUMENT;
	if (nr == (compat ? COMPAT_fork : NR_fork))
		return FLAGS_OF_FORK;
	if (nr == (compat ? COMPAT_vfork : NR_vfork))
		return FLAGS_OF_VFORK;
	return nr == NR_clone3 ? FLAGS_IN_MEMORY : FLAGS_NOWHERE; /* the first word there */
}

/* Is a number that of a fork in some convention? Others may have it, too, but hardly any call comes through. */
static __always_inline bool may_be_fork(long nr)
{
	nr = plain_number(nr);
	return nr == NR_clone || nr == NR_fork || nr == NR_clone3 || nr == COMPAT_clone || nr == COMPAT_fork;
}
