/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What is kept for every counted thread. Only the thread itself writes its counts, so the hot paths need
 * no atomics; it is folded into the process when the thread ends or its image does.
 */
#pragma once

#include "forktax.h"

#define HUGE 2 /* see zeroed */

/* What the kernel did in one page fault. */
struct effects {
	__u64 table_page; /* address of the struct page of the last of `table_pages` */
	__u8 table_pages;
	__u8 pages; /* user pages allocated */
	__u8 zeroed; /* of these, zeroed by the allocator, or HUGE: by the code that asked for it */
	__u8 order; /* of the first of `pages`: two to the power of it */
	__u8 rss; /* one bit for every counter that changed */
};

/* What happened while one page fault was handled. */
struct window {
	__u64 address;
	__u64 base; /* min_flt + maj_flt before it: the fault has completed once they moved */
	int rss_base[4]; /* kernels with cached RSS counters only */
	int rss_events;
	__u64 numa_hints;
	__u32 waits; /* of the thread before it (nvcsw) */
	__u32 version; /* of the mappings then: see drift.h */
	__u16 evidence; /* bits: see classify.h */
	__u8 open;
	__u8 actor;
	struct effects effects; /* of a thread with a seat (maps.h) they are there while the window is open */
	__u8 next_image; /* taken by execve in the new address space */
	/* These at the anatomy level only. */
	__u8 around_known;
	__u16 around; /* pages of a file that were mapped */
	__u64 ip; /* these two: and for the flow of a pool */
	__u64 begin_ns; /* and where others have the address space, too: see found_page() */
	__u64 stack; /* key into map raw_stacks; 0: none */
	__u64 end_ns;
};

/* A fault whose class only its mapping can tell; asked at the next moment with interrupts on. */
struct puzzle {
	__u64 address;
	__u16 evidence;
	__u8 actor;
	__u8 next_image;
	__u32 version;
	__u32 waiting; /* of a recorder: 1 + the index of the fault that gets the same class; 0: none */
};

#define PUZZLES     8
#define LAST_PUZZLE PUZZLES /* to be solved at once and taken out */

/* The mapping that was asked for last: it has not changed while the version is the same. */
struct known_vma {
	__u64 start, end;
	__u64 flags;
	__u32 version;
	__u32 changed; /* the version with which it was changed last */
	__u32 is_anonymous;
};

struct call_entry {
	struct call_key key;
	struct call_counts counts;
};

/*
 * The system calls of a thread, two-way associative: enough for a forked child, which makes few different calls, and a
 * cache of the latest for others. What has no room goes to a list of the process.
 */
#define TASK_CALLS    16
#define PROCESS_CALLS (1 << 16) /* of all processes together */
#define LINK_ATTEMPTS 64

struct process_call_key {
	__u64 process;
	__u64 call; /* the bits of its key */
};

struct process_call {
	struct call_counts counts;
	__u64 next; /* call of the same process; 0: it is the last one */
};

/*
 * Who may change a thread's counts. While counting is on the thread itself does, and needs no
 * permission; then its own next event (TASK_STOPPING, for as long as that takes), and at last
 * the one that claims it: its end, or the end of the tracing.
 */
enum task_owner { TASK_FREE, TASK_STOPPING, TASK_STOPPED, TASK_CLAIMED };

/* What a thread has counted that has left the watched cgroups may be taken once no program can still count in it. */
enum parting { STAYING, PARTED, PARTED_FOR_LONG };

/* What a thread has in the place of its table of calls where units are counted: see units.h. */
struct unit_share {
	__u64 unit; /* that gets what is not reported yet */
	__u64 moves; /* the number of moves when that was looked at */
	__u64 fork_began; /* the call under way, if it creates a process; 0: none */
	__u32 ended; /* nothing will be counted any more */
	__u8 birth; /* of its process */
	__u8 has_forked; /* the call under way has created a process that it does not wait for */
	/* What has been reported: */
	__u64 calls, minor_faults, major_faults, ldso_pages;
	__u64 faults[FAULT_COUNT];
};

/* Small on purpose: one is created in every fork. */
struct task_value {
	__u32 owner; /* enum task_owner, changed by compare-and-swap only */
	__u8 ready; /* everything below is in place: the thread may count */
	__u8 handled; /* enum event: what was handled last; 0: see understudies.h */
	__u8 unentered; /* its next sys_exit belongs to a call that it never entered */
	__u8 newborn; /* created, and not seen in user mode yet: see faults.h */
	__u8 in_call; /* ... for certain: it was in a call when its counting began */
	__u8 entered; /* between sys_enter and sys_exit */
	__u8 in_exec; /* between the entry of execve and its end */
	__u8 first_exec; /* the command's own execve is under way */
	__u8 vforks; /* its call under way creates a child that it waits for (CLONE_VFORK) */
	__u8 recorded; /* its faults go to the ring buffer: see details.h */
	__u8 cut; /* it went on after counting had been disarmed: not counted to its end */
	__u8 shares_files; /* its call under way creates a child with the same descriptors (CLONE_FILES) */
	__u8 parted; /* enum parting: its process has left the watched cgroups, and it counts nothing more */
	__u8 ldso_unknown; /* where its dynamic linker ends, because nobody could look at its mappings */
	__u8 linking; /* its image has not reached its first instruction: see tree.h */
	__u8 put_off; /* its end is put off: see may_fault_later() */
	__u8 seated; /* it has the seat of its address: see maps.h */
	__u64 address; /* of the thread's task_struct: its key in every map */
	__u64 process;
	__u64 mm; /* identity of the image's address space */
	__u64 ldso_start, ldso_end; /* 0 where there is no dynamic linker */
	__u64 min_base, maj_base; /* the kernel's fault counters when the image began */
	__u64 exec_min, exec_maj; /* ... when the current execve was entered */
	__u64 exec_old; /* faults classified on the old image since then */
	__u64 end_ns; /* when the exit was, if it is handled later: missed, or put off */
	__u64 stop_min, stop_maj; /* the kernel's fault counters where it was cut */

	struct window window;
	struct puzzle puzzles[PUZZLES];
	__u32 puzzle_count;
	struct known_vma vma;

	struct call_key entered_key;
	__u64 call_stack; /* of the call that was entered last, or that created the thread: as in struct window */
	__u64 entered_ns;
	__s32 forking; /* pid of the recorded child that the call under way creates, as it returns it */
	__s32 flagged_pid; /* of the task whose flags are noted: vforks, shares_files */
	__s32 born_pid; /* these two: of the task that it has created last */
	__u64 born_ns;

	/* Set by another thread: see syscalls.bpf.c. */
	__u64 noted_call; /* how many calls it had entered then */
	__u8 noted_known; /* the end of that one will not be taken for another */

	__u64 syscalls, denied;
	__u64 faults[ACTOR_COUNT][FAULT_COUNT];
	__u64 table_pages;

	union {
		struct call_entry calls[TASK_CALLS];
		struct unit_share share;
	};
};

/* Events that must not be handled twice. A fork is known by its child; the others may be handled twice. */
enum event { EVENT_SYS_ENTER = 1, EVENT_SYS_EXIT, EVENT_EXEC };
