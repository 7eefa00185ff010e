/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What differs by machine. One header for each has all of it (docs/contribute/howto-support-a-machine.md), and
 * faults_MACHINE.bpf.c has the programs that open the window of a fault. A header has, in this order:
 *
 * - the types of the kernel that only this machine has, then types.h, whose task_struct contains them;
 * - ALWAYS_SEEN, NEVER_SEEN: evidence of every fault, and of none (classify.h); FAULT_CLASSES: so many of the classes
 *   its faults may have; PAGE_SIZE;
 * - registers: call_of(), argument_of(), ip_of(), sp_of(), fp_of(), link_of(), return_address(), runs_narrow_code();
 * - BIRTH_HAS_EXIT: does a new thread leave the call that has created it by a sys_exit (newborn.h)?
 * - numbers of calls, by calling convention: abi_of(), call_number(), plain_number(), IS_CALL(), from the tables in
 *   probes/; NR_NAME of native programs and COMPAT_NAME of 32-bit ones for arch_calls.h, which is the same for all;
 *   STAT_MODE;
 * - tasks: is_compat(), thread_pointer_of(), pthread_self_of(), died_of_fault(); read_preempt_count() of the current;
 * - tables of pages: see page_tables.h.
 */
#ifndef FORKTAX_ARCH_H
#define FORKTAX_ARCH_H

/* Calls that are parts of the times of a tree, or end one (tree.h). */
enum tree_call { TREE_CALL_OTHER, TREE_CALL_CREATES, TREE_CALL_EXECUTES, TREE_CALL_WAITS, TREE_CALL_ENDS };

/* What a call that creates a process passes flags by (fork_flags.h). */
enum flags_place { FLAGS_NOWHERE, FLAGS_OF_FORK, FLAGS_OF_VFORK, FLAGS_IN_ARGUMENT, FLAGS_IN_MEMORY };

#define NO_CALL 0x7fffffff /* the number of a call that a machine does not have */

#if defined(__TARGET_ARCH_x86)
#include "arch_x86.h"
#elif defined(__TARGET_ARCH_arm64)
#include "arch_arm64.h"
#else
#error "no header for this machine: docs/contribute/howto-support-a-machine.md"
#endif

#include "arch_calls.h"

#endif
