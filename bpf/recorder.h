/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the anatomy level keeps for every recorded thread, and the maps that it uses.
 */
#pragma once

#include "maps.h"

#define MAPPINGS     8
#define NOWHERE      4
#define WAITING      256 /* faults whose places have not been looked up */
#define LATE_MOST    64  /* more of them, whose stacks could not be looked up at once */
#define GOT_PAGES    8

struct mapping {
	__u64 start, end;
	__u64 offset; /* that the first address has */
	__u64 ino;
	__u32 dev;
	__u32 kind;
	__u32 exec; /* code may run here */
};

/* Where the kernel has put what no mapping tells. */
struct space { __u64 heap_start, heap_end, stack_top, vdso; };

/* A fault that is over, and waits for a moment with interrupts on. */
struct waiting_fault {
	__u64 address, ip;
	__u64 begin_ns, duration_ns;
	__u32 table_pages;
	__u16 around;
	__u8 around_known;
	__u16 evidence;
	__u8 class; /* FAULT_COUNT: its puzzle will tell */
	__u8 actor;
	__u8 next_image;
	__u8 entered, call_abi;
	__s32 call_nr;
	__u64 stack; /* as in struct window */
};

/* What recording a thread needs. Apart from task_value, which every fork has to create. */
struct recorder {
	struct mapping known[MAPPINGS];
	__u32 next; /* of `known`, to be replaced */
	__u32 next_nowhere;
	__u64 nowhere[NOWHERE]; /* pages that are not mapped, forgotten with the mappings; 0: none */
	__u32 records;
	__u64 mm; /* the known mappings are unchanged while this and the version are */
	__u32 version;
	__u32 got_count;
	struct space space;
	__u8 keeps_got; /* an inherited image: contents of pages with slots are recorded */
	__u32 waiting_count;
	struct waiting_fault waiting[WAITING];
	__u64 got_address[GOT_PAGES];
	struct fault_record fault; /* being put together: too large for the stack */
};

HASH_MAP(recorders, __u64, struct recorder, 1 << 14);
HASH_MAP(births, struct birth_key, struct fork_record, 1 << 14);
HASH_MAP(recording, struct recording_key, __u64, 1 << 12);

RING(details, 4096);

/* For user space, which follows the kernel's own records of every mmap. No program writes to it. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(int));
	__uint(value_size, sizeof(int));
} mmaps SEC(".maps");

static __always_inline struct recorder *find_recorder(struct task_struct *task)
{
	__u64 key = (__u64)task;

	return bpf_map_lookup_elem(&recorders, &key);
}

static __always_inline struct recorder *create_recorder(struct task_struct *task)
{
	__u64 key = (__u64)task;

	return create(&recorders, &key);
}

/* Single faults leave some room for what is rarer and worth more: first forks, ends of images. */
#define DETAILS_KEPT_FREE (64 << 10)

static __always_inline bool details_have_room(void)
{
	__u64 size = bpf_ringbuf_query(&details, BPF_RB_RING_SIZE);

	return bpf_ringbuf_query(&details, BPF_RB_AVAIL_DATA) + DETAILS_KEPT_FREE < size;
}

/* The reader looks into the ring ten times a second; in between it is woken when much has gathered. */
#define details_flags() ring_flags(&details, details_wakeup)

/* What is rarer than faults: of those, user space finds out itself how many are missing. */
static __always_inline void send_detail(void *record, __u64 size, __u64 flags)
{
	output(&details, record, size, flags, details_lost);
}
