/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Maps and global variables of the kernel half (state.bpf.c defines the variables).
 *
 * Hash maps are not preallocated: memory follows the number of live processes and of distinct
 * things counted, never the number of children.
 */
#ifndef FORKTAX_MAPS_H
#define FORKTAX_MAPS_H

#include "arch.h"
#include "classify.h"
#include "understudies.h"

#define HASH_MAP(name, key_type, value_type, size)                                                 \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_HASH);                                                   \
		__uint(map_flags, BPF_F_NO_PREALLOC);                                              \
		__uint(max_entries, size);                                                         \
		__type(key, key_type);                                                             \
		__type(value, value_type);                                                         \
	} name SEC(".maps")

/*
 * The launched command while it waits at the gate: marked by user space through its pidfd, so
 * that no pid is ever compared.
 */
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u32);
} gate SEC(".maps");

/*
 * Counted threads, by the address of their task_struct: unique while a thread lives, through
 * execs and in every pid namespace, and its entry goes when it ends. (Task storage would be the
 * obvious choice; creating 0.8 kB of it takes 2.7 us in every fork, an entry here 0.3.)
 */
HASH_MAP(tasks, __u64, struct task_value, 1 << 16);

/*
 * Each address of a thread leads to one of these.
 *
 * `crowd`: how many addresses of counted threads lead here. Every event of every thread of the machine asks, and
 * 0 answers without a search: 1.2 us less for a fork that is not counted, of 72. A number that is too high does no
 * harm, so it goes up before the entry is there, and down once it is gone.
 *
 * The first counted thread that is led here has the seat until it ends. What the kernel does in its page faults is
 * noted here, without a search; of threads without a seat in their entries.
 */
struct seat {
	__u64 task; /* address of the thread that has it; 0: nobody */
	__u64 base; /* of its window, as there; NO_FAULT: none is open */
	struct effects effects;
	__u32 crowd;
} __attribute__((aligned(64)));

#define NO_FAULT  ~0ull
#define SEAT_BITS 10
static struct seat seats[1 << SEAT_BITS];

HASH_MAP(big_tables, __u64, struct big_table, 1 << 16);
HASH_MAP(processes, __u64, struct process_value, 1 << 16);
HASH_MAP(tables, __u64, struct process_table, 1 << 10);
HASH_MAP(process_errors, struct error_key, struct error_value, PROCESS_ERRORS);
HASH_MAP(images, struct image_key, struct image_value, 1 << 16);
HASH_MAP(exes, struct exe_key, struct exe_value, 1 << 12);
HASH_MAP(groups, struct group_key, struct group_value, 1 << 12);
HASH_MAP(calls, struct group_call_key, struct call_counts, 1 << 16);
HASH_MAP(group_errors, struct group_error_key, __u64, 1 << 14);
HASH_MAP(distribution, struct dist_key, __u64, 1 << 16);
HASH_MAP(latency_slots, struct call_key, __u32, 1 << 11);
HASH_MAP(latency, struct call_key, struct latency_value, 1 << 11); /* of calls beyond the slots */
HASH_MAP(attached, __u32, __u32, 1 << 12);

/* By slot: a thread remembers the slots of its calls, so it need not search when one ends. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* user space asks for LATENCY_SLOTS if durations are measured */
	__type(key, __u32);
	__type(value, struct latency_value);
} latencies SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 18);
} messages SEC(".maps");

/* Set by user space before the programs are loaded; the verifier drops code that is not wanted. */
extern const volatile bool classes;   /* there are programs for page faults */
extern const volatile bool timed;     /* measure the duration of system calls */
extern const volatile bool keep_all;  /* keep every process for --show=processes, not only the first */
extern const volatile bool may_probe; /* bpf_probe_read_kernel is allowed (not under lockdown) */

/* What bpf/page_tables.h needs: the end of the physical memory, in bytes, and the frame of the zero page. */
extern const volatile __u64 memory_end, zero_frame;
extern const volatile __u64 map_offset; /* where the direct map may begin; 0: user space does not know */
extern const volatile bool lacks_access_flag; /* the CPU leaves it to the kernel: found by trying */
extern __u64 direct_map; /* where it begins; 0: not known */

/* Who is counted where cgroups are watched: bpf/cgroups.h. */
extern const volatile bool watches_cgroups;
extern const volatile bool watches_all; /* all processes, whatever their cgroup */
extern bool second_pass; /* of program `part` */
extern __u64 joiners; /* entries of map joining */
extern __u64 uncounted_calls; /* at least so many of threads that were entering a cgroup */

extern const volatile bool by_unit; /* bpf/units.h */
extern __u32 trial; /* enum unit_trial: forktax measures what counting costs, with children of its own */
extern __u64 passed[PASSED_CPUS][PASSED_LINE]; /* events: enum passed */
extern __u64 moves; /* of processes between cgroups, so far */
extern __u64 look; /* the number of the look at all tasks */
extern __u64 units_full; /* reports of units for which there was no room */

extern const volatile bool sees_exit_mm; /* there is a program at the end of exit_mm() */

/* The anatomy level: bpf/details.h. Of the children of a kind the first `record_full` are recorded, then
 * every `record_every`-th; the reader is woken when the ring holds more than `details_wakeup` bytes. */
extern const volatile bool anatomy;
extern const volatile bool stacks_wanted; /* of single faults: bpf/stacks.h */
extern const volatile __u64 record_full, record_every, details_wakeup;

/* Single calls (bpf/call_events.h): those that deal with files, and those of the first image of roots. */
extern const volatile bool records_files, records_starts;
extern const volatile __u64 start_calls_most, entry_stacks_most, call_events_wakeup;
extern const volatile __u16 call_kinds[ABI_COUNT][CALL_NUMBERS];

/* The flow of a pool (bpf/flow.h); its reader is woken when the ring holds more than that. */
extern const volatile bool flow;
extern const volatile __u64 flow_wakeup;

extern const volatile bool lines_wanted; /* of scripts: bpf/script_lines.h */
extern __u64 lines_left_out; /* children whose line found no room */

extern const volatile bool tree_wanted; /* the times of the tree: bpf/tree.h */
extern __u64 tree_ns; /* CPU time of the tree's threads that have ended, as the kernel counts it */
extern __u64 tree_ending; /* threads that have begun to end, and still run */
extern __u64 tree_threads_left; /* threads that have not ended */
extern __u64 tree_left_out; /* threads, and images, that found no room */

extern const volatile bool path_wanted; /* the critical path: bpf/path.h */
extern const volatile __u64 path_wakeup; /* the reader is woken when the ring holds more bytes */
extern __u64 path_threads_left; /* threads that have not run for the last time */
extern __u64 path_last_thread; /* the number of the newest one */
extern __u64 path_lost; /* events and threads that found no room */

extern __u64 flow_lost; /* found no room */
extern __u64 flow_unattributed; /* pages of new memory whose code found no room */

extern __u64 details_lost; /* of the anatomy, without faults: found no room */
extern __u64 calls_lost; /* found no room */
extern __u64 start_calls; /* of first images so far; beyond start_calls_most they are not recorded */
extern __u64 entry_stacks; /* of these calls, those whose stack was wanted */

/* Kinds of children that are still recorded without a gap. */
extern __u64 kinds_open;
extern __u64 calls_unstacked; /* calls that found no room in map call_stacks */
extern __u64 stacks_lost; /* faults whose stack found no room, or could not be looked up in time */
/* Pages of GOTs that were kept for comparison, and the time that took. */
extern __u64 got_reads, got_ns;
extern bool timing; /* faults are timed: user space pauses that while no kind is open */

/* Everything is silent until user space arms it, and again once it disarms it. */
extern bool armed;
extern bool stopped; /* disarmed again: the next event of a thread is where its counts end */
extern bool releasing; /* the last pass of attaching */
extern bool patient; /* this pass of attaching leaves out threads whose mappings are being changed */
extern __u64 attached_processes; /* so far */
extern __u64 left_out; /* threads that it has left out */
extern __u32 exits_watched; /* of all calls, from the first seccomp(2) on: see denials.h */
extern bool gate_closed; /* the command's execve has not been seen yet */

extern __u32 tracer_level; /* depth of forktax's own pid namespace */
extern __u64 tracer_namespace; /* and its address */
extern __s32 tracer_tgid; /* forktax itself; 0: not known yet */
extern __u64 losses[LOSS_COUNT];
extern __u64 life[LIFE_COUNT];
extern __u64 ended;	   /* processes that have ended */
extern __u64 collected;	   /* processes that still ran at the end of the tracing */
extern __u64 leaving;	   /* threads whose end is put off: see may_fault_later() */
extern __u32 last_exe, last_group, last_latency;
extern __u64 root_start_ns, root_end_ns;

static __always_inline void count_life(enum lifecycle counter)
{
	__sync_fetch_and_add(&life[counter], 1);
}

/* Counts a new process. Its number, from 1, is its id. */
static __always_inline __u64 next_process(void)
{
	return __sync_fetch_and_add(&life[LIFE_PROCESSES], 1) + 1;
}

static __always_inline void lose(enum loss loss)
{
	__sync_fetch_and_add(&losses[loss], 1);
}

static __always_inline void ring(const struct message *said, __u64 flags)
{
	struct message *message = bpf_ringbuf_reserve(&messages, sizeof(*message), 0);

	if (!message) {
		lose(LOSS_LOST_EVENTS);
		return;
	}
	*message = *said;
	bpf_ringbuf_submit(message, flags);
}

/* The value of a key, created as all zero if it is not there yet. NULL if the map is full. */
#define find_or_zero(map, key, zero)                                                               \
	({                                                                                         \
		void *found = bpf_map_lookup_elem(map, key);                                       \
		if (!found) {                                                                      \
			bpf_map_update_elem(map, key, zero, BPF_NOEXIST);                          \
			found = bpf_map_lookup_elem(map, key);                                     \
			if (!found)                                                                \
				lose(LOSS_MAP_FULL);                                               \
		}                                                                                  \
		found;                                                                             \
	})

/* The file that the task executes; NULL: none, as it is a thread of the kernel. */
static __always_inline struct inode *executed_file(struct task_struct *task)
{
	struct mm_struct *mm = plain(task)->mm;

	return mm && mm->exe_file ? mm->exe_file->f_inode : NULL;
}

/* `id` by value: until Linux 6.2 a key may not lie in memory that a global function was handed. */
static __always_inline struct process_value *find_process(__u64 id)
{
	return bpf_map_lookup_elem(&processes, &id);
}

static __always_inline struct seat *seat_of(struct task_struct *task)
{
	__u32 low;

	/* The verifier allows arithmetic with the lower half of a pointer, once that has been copied. */
	asm volatile("%0 = %1" : "=w"(low) : "w"((__u32)(__u64)task));
	return &seats[low * 0x9e3779b1u >> (32 - SEAT_BITS)];
}

static __always_inline struct task_value *look_up_task(struct task_struct *task)
{
	__u64 key = (__u64)task;
	struct task_value *value;

	if (!seat_of(task)->crowd)
		return NULL;
	value = bpf_map_lookup_elem(&tasks, &key);
	return value && value->ready ? value : NULL;
}

/* Must this program handle an event? */
static __always_inline bool takes(struct task_value *value, enum event event, int rank)
{
	return !preemptible || takes_event(value, event, rank);
}

static __always_inline bool take_over(struct task_value *value, enum task_owner from,
				      enum task_owner to)
{
	return __sync_val_compare_and_swap(&value->owner, from, to) == from;
}

/* Who claims a thread folds it. Fails while the thread is stopping. */
static __always_inline bool claim(struct task_value *value)
{
	return take_over(value, TASK_FREE, TASK_CLAIMED) ||
	       take_over(value, TASK_STOPPED, TASK_CLAIMED);
}

/*
 * Attaching and the fork of a marked thread may meet at a new thread: the one that reserves its entry
 * marks it, and the other gets -EEXIST. (An int, because the kernel returns no more until commit
 * d7ba4cc900bf, Linux 6.4: the upper half of the register is not the sign.)
 */
static __always_inline int reserve_task(struct task_struct *task)
{
	static const struct task_value zero;
	__u64 key = (__u64)task;
	int err;

	__sync_fetch_and_add(&seat_of(task)->crowd, 1);
	err = bpf_map_update_elem(&tasks, &key, &zero, BPF_NOEXIST);
	if (err)
		__sync_fetch_and_add(&seat_of(task)->crowd, -1);
	return err;
}

/* The seat may still be held by an earlier thread of the same address, whose end was not seen. */
static __always_inline void take_seat(struct task_value *value, struct task_struct *task)
{
	struct seat *seat = seat_of(task);
	__u64 before = __sync_val_compare_and_swap(&seat->task, 0, value->address);

	value->seated = !before || before == value->address;
	if (value->seated)
		seat->base = NO_FAULT;
}

/*
 * The entry of a new thread, which may be at the address of one that ended unseen. The caller makes
 * it ready.
 */
static __always_inline struct task_value *create_task(struct task_struct *task)
{
	static const struct task_value zero;
	__u64 key = (__u64)task;
	struct task_value *value;

	if (reserve_task(task) == -EEXIST)
		bpf_map_update_elem(&tasks, &key, &zero, BPF_ANY);
	value = bpf_map_lookup_elem(&tasks, &key);
	if (!value)
		return NULL;
	value->address = key;
	take_seat(value, task);
	return value;
}

static __always_inline void remove_task(struct task_value *value, struct task_struct *task)
{
	__u64 key = (__u64)task;

	if (value->seated)
		seat_of(task)->task = 0;
	if (!(int)bpf_map_delete_elem(&tasks, &key))
		__sync_fetch_and_add(&seat_of(task)->crowd, -1);
}

static __always_inline void add(__u64 *sum, __u64 more)
{
	if (more)
		__sync_fetch_and_add(sum, more);
}

/* Of five levels: more are not created by what people use. NULL: a deeper one. */
static __always_inline void *namespace_at(struct pid *pid, __u32 level)
{
	switch (level) {
	case 0:
		return pid->numbers[0].ns;
	case 1:
		return pid->numbers[1].ns;
	case 2:
		return pid->numbers[2].ns;
	case 3:
		return pid->numbers[3].ns;
	case 4:
		return pid->numbers[4].ns;
	default:
		return NULL;
	}
}

/* A pid as forktax itself sees it, or as the process does (level of its innermost namespace). */
static __always_inline __s32 pid_at(struct pid *pid, __u32 level)
{
	switch (level) {
	case 0:
		return pid->numbers[0].nr;
	case 1:
		return pid->numbers[1].nr;
	case 2:
		return pid->numbers[2].nr;
	case 3:
		return pid->numbers[3].nr;
	case 4:
		return pid->numbers[4].nr;
	default:
		return 0;
	}
}

/*
 * An event of a thread that is not watched: for the estimate of what the programs take. `rank`: of the program, which
 * may have understudies.
 */
static __always_inline void pass(enum passed event, int rank)
{
	if (by_unit && !watches_all && armed && !rank)
		passed[bpf_get_smp_processor_id() % PASSED_CPUS][event]++;
}

#endif
