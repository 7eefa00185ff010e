/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Maps and global variables of the kernel half.
 *
 * Hash maps are not preallocated: memory follows the number of live processes and of distinct
 * things counted, never the number of children.
 *
 * A function that is __weak is "global": the verifier checks it once, by itself, and not on every path to each of its
 * calls; so also where it is not called, which is why it asks what its arguments are. All that load kernel pointers
 * are: see solve() in vma.h.
 */
#pragma once

#include "arch.h"
#include "classify.h"
#include "understudies.h"

#define MAP_OF(map_type, name, key_type, value_type, size, flags)                                  \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_##map_type);                                             \
		__uint(map_flags, flags);                                                          \
		__uint(max_entries, size);                                                         \
		__type(key, key_type);                                                             \
		__type(value, value_type);                                                         \
	} name SEC(".maps")

#define HASH_MAP(name, key_type, value_type, size)                                                 \
	MAP_OF(HASH, name, key_type, value_type, size, BPF_F_NO_PREALLOC)
/* User space asks for room where it is to be used. */
#define LRU_MAP(name, key_type, value_type) MAP_OF(LRU_HASH, name, key_type, value_type, 1, 0)
/* Entries of arrays are there from the beginning. */
#define ARRAY_MAP(name, value_type, size)   MAP_OF(ARRAY, name, __u32, value_type, size, 0)

/* User space asks for more than a page if such a ring is to be used. */
#define RING(name, size)                                                                           \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_RINGBUF);                                                \
		__uint(max_entries, size);                                                         \
	} name SEC(".maps")

/*
 * The launched command while it waits at the gate: marked by user space through its pidfd, so
 * that no pid is ever compared.
 */
MAP_OF(TASK_STORAGE, gate, int, __u32, 0, BPF_F_NO_PREALLOC);

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

HASH_MAP(processes, __u64, struct process_value, 1 << 16);
HASH_MAP(process_calls, struct process_call_key, struct process_call, PROCESS_CALLS);
HASH_MAP(images, struct image_key, struct image_value, 1 << 16);
HASH_MAP(exes, struct exe_key, struct exe_value, 1 << 12);
HASH_MAP(groups, struct group_key, struct group_value, 1 << 12);
HASH_MAP(calls, struct group_call_key, struct call_counts, 1 << 16);
HASH_MAP(distribution, struct dist_key, __u64, 1 << 16);
HASH_MAP(latencies, struct call_key, struct latency_value, 1 << 11);
HASH_MAP(attached, __u32, __u32, 1 << 12);

RING(messages, 1 << 18);

/* Set by user space before the programs are loaded; the verifier drops code that is not wanted. */
const volatile bool classes = false; /* there are programs for page faults */
const volatile bool timed = false; /* measure the duration of system calls */
const volatile bool attaches = false; /* threads are met in the middle of their lives */
const volatile bool keep_all = false; /* keep every process for --show=processes, not only the first */
const volatile bool may_probe = false; /* bpf_probe_read_kernel is allowed (not under lockdown) */

/* What bpf/page_tables.h needs: the end of the physical memory, in bytes, and the frame of the zero page. */
const volatile __u64 memory_end = 0, zero_frame = 0;
const volatile __u64 map_offset = 0; /* where the direct map may begin; 0: user space does not know */
const volatile bool lacks_access_flag = false; /* the CPU leaves it to the kernel: found by trying */
__u64 direct_map; /* where it begins; 0: not known */

/* Who is counted where cgroups are watched: bpf/cgroups.h. */
const volatile bool watches_cgroups = false;
const volatile bool watches_all = false; /* all processes, whatever their cgroup */
bool second_pass; /* of program `part` */
__u64 joiners; /* entries of map joining */
__u64 uncounted_calls; /* at least so many of threads that were entering a cgroup */

const volatile bool by_unit = false; /* bpf/units.h */
__u32 trial; /* enum unit_trial: forktax measures what counting costs, with children of its own */
/* Events: enum passed. Aligned, so that no CPU writes to a line that all others read at each call. */
__u64 passed[PASSED_CPUS][PASSED_LINE] __attribute__((aligned(PASSED_LINE * sizeof(__u64))));
__u64 moves; /* of processes between cgroups, so far */
__u64 look; /* the number of the look at all tasks */

const volatile bool sees_exit_mm = false; /* there is a program at the end of exit_mm() */
const volatile bool ends_later = false; /* that handles the end of every thread: so one program has the code for it */

/* The anatomy level: bpf/details.h. Of the children of a kind the first `record_full` are recorded, then
 * every `record_every`-th; the reader is woken when the ring holds more than `details_wakeup` bytes. */
const volatile bool anatomy = false;
const volatile bool stacks_wanted = false; /* of single faults: bpf/stacks.h */
const volatile __u64 record_full = 1, record_every = 1, details_wakeup = 0;

/* Single calls (bpf/call_events.h): those that deal with files, and those of the first image of roots. */
const volatile bool records_files = false, records_starts = false;
const volatile bool calls_vary = false; /* from run to run, which are loaded once: ... */
bool files_wanted, starts_wanted; /* ... so these hold for the present one */
const volatile __u64 start_calls_most = 0, entry_stacks_most = 0, call_events_wakeup = 0;
const volatile __u16 call_kinds[ABI_COUNT][CALL_NUMBERS] = {};

/* The flow of a pool (bpf/flow.h); its reader is woken when the ring holds more than that. */
const volatile bool flow = false;
const volatile __u64 flow_wakeup = 0;

const volatile bool lines_wanted = false; /* of scripts: bpf/script_lines.h */
__u64 lines_left_out; /* children whose line found no room */

const volatile bool tree_wanted = false; /* the times of the tree: bpf/tree.h */
__u64 tree_ns; /* CPU time of the tree's threads that have ended, as the kernel counts it */
__u64 tree_ending; /* threads that have begun to end, and still run */
__u64 tree_threads_left; /* threads that have not ended */
__u64 tree_last_thread; /* the number of the newest one */
__u64 tree_begun_ns, tree_stop_ns, tree_stopped_ns; /* bpf/tree_window.h: the clock; user space says when it stops */
__u64 tree_assigned_ns; /* so much of the idle time belongs to a row by now */
__u64 tree_ready_ns; /* the part of it in which a thread was ready */
__u64 tree_ready; /* threads that could run, and have no CPU */
__u64 tree_last_sleeper; /* address of the last task that fell asleep; 0: a thread has ended since */
__u64 tree_left_out; /* threads, and images, that found no room */
__u64 executions_left_out; /* the same, or their arguments could not be read */
__u64 command_output; /* address of the struct file that is the command's standard output */

const volatile bool path_wanted = false; /* the critical path, of a tree: bpf/path.h */
const volatile __u64 path_wakeup = 0; /* the reader is woken when the ring holds more bytes */
__u64 path_lost; /* events and threads that found no room */

__u64 flow_lost; /* found no room */
__u64 flow_unattributed; /* pages of new memory whose code found no room */

__u64 details_lost; /* of the anatomy, without faults: found no room */
__u64 calls_lost; /* found no room */
__u64 start_calls; /* of first images so far; beyond start_calls_most they are not recorded */
__u64 entry_stacks; /* of these calls, those whose stack was wanted */

/* Kinds of children that are still recorded without a gap. */
__u64 kinds_open;
__u64 calls_unstacked; /* calls that found no room in map call_stacks */
__u64 stacks_lost; /* faults whose stack found no room, or could not be looked up in time */
/* Pages of GOTs that were kept for comparison, and the time that took. */
__u64 got_reads, got_ns;
bool timing; /* faults are timed: user space pauses that while no kind is open */

/* Everything is silent until user space arms it, and again once it disarms it. */
bool armed;
bool stopped; /* disarmed again: the next event of a thread is where its counts end */
bool releasing; /* the last pass of attaching */
bool patient; /* this pass of attaching leaves out threads whose mappings are being changed */
__u64 attached_processes; /* so far */
__u64 left_out; /* threads that it has left out */
__u32 exits_watched; /* of all calls, from the first seccomp(2) on: see syscalls.bpf.c */
bool gate_closed; /* the command's execve has not been seen yet */

__u32 tracer_level; /* depth of forktax's own pid namespace */
__u64 tracer_namespace; /* and its address */
__s32 tracer_tgid; /* forktax itself; 0: not known yet */
__u64 losses[LOSS_COUNT];
__u64 life[LIFE_COUNT];
__u64 ended; /* processes that have ended */
__u64 collected; /* processes that still ran at the end of the tracing */
__u64 leaving; /* threads whose end is put off: see may_fault_later() */
__u32 last_exe, last_group;
__u64 root_start_ns, root_end_ns;

char LICENSE[] SEC("license") = "GPL";

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

/*
 * Room for a record in a ring; NULL: there is none, which is counted in `lost`. The caller asks at once whether it is
 * NULL, so that the compiler asks once: where it is asked anew, the verifier of Linux 6.1 takes it for NULL once more.
 */
#define reserve(ring, size, lost)                                                                  \
	({                                                                                         \
		void *room = bpf_ringbuf_reserve(ring, size, 0);                                   \
		if (!room)                                                                         \
			__sync_fetch_and_add(&(lost), 1);                                          \
		room;                                                                              \
	})

/* Sends a record that is complete. */
#define output(ring, record, size, flags, lost)                                                    \
	({                                                                                         \
		if (bpf_ringbuf_output(ring, record, size, flags))                                 \
			__sync_fetch_and_add(&(lost), 1);                                          \
	})

static __always_inline void ring(const struct message *said, __u64 flags)
{
	output(&messages, (void *)said, sizeof(*said), flags, losses[LOSS_LOST_EVENTS]);
}

/* The reader of a ring is woken when that holds more than so many bytes. */
#define ring_flags(ring, wakeup)                                                                   \
	(bpf_ringbuf_query(ring, BPF_RB_AVAIL_DATA) > (wakeup) ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP)

/* Puts an entry that is all zero into a map. */
#define put_zero(map, key, flags)                                                                  \
	({                                                                                         \
		static const typeof(*(map)->value) nothing;                                        \
		bpf_map_update_elem(map, key, &nothing, flags);                                    \
	})

/* The value of a key, created as all zero if it is not there yet. NULL: the map is full, and `full` is evaluated. */
#define find_or_create(map, key, full)                                                             \
	({                                                                                         \
		void *found = bpf_map_lookup_elem(map, key);                                       \
		if (!found) {                                                                      \
			put_zero(map, key, BPF_NOEXIST);                                           \
			found = bpf_map_lookup_elem(map, key);                                     \
			if (!found)                                                                \
				full;                                                              \
		}                                                                                  \
		found;                                                                             \
	})
/* The value of a new key, all zero; NULL: the map is full. */
#define create(map, key)                                                                           \
	({                                                                                         \
		void *made = put_zero(map, key, BPF_ANY) ? NULL : bpf_map_lookup_elem(map, key);   \
		made;                                                                              \
	})
#define find_or_zero(map, key) find_or_create(map, key, lose(LOSS_MAP_FULL))

/* The file that the task executes; NULL: none, as it is a thread of the kernel. */
static __always_inline struct inode *executed_file(struct task_struct *task)
{
	struct mm_struct *mm = plain(task)->mm;

	return mm && mm->exe_file ? mm->exe_file->f_inode : NULL;
}

/* As a number: the verifier does not check it as a pointer, and allows arithmetic. */
static __always_inline __u64 kernel_word(const void *at)
{
	__u64 word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), at);
	return word;
}

/* Of a descriptor; NULL: there is none. */
static __always_inline struct file *opened_file_of(struct task_struct *task, __u64 descriptor)
{
	struct files_struct *files = plain(task)->files;

	return files ? (void *)kernel_word((void *)((__u64)files->fdt->fd + descriptor * sizeof(void *))) : NULL;
}

/* `id` by value: until Linux 6.2 a key may not lie in memory that a global function was handed. */
static __always_inline struct process_value *find_process(__u64 id)
{
	return bpf_map_lookup_elem(&processes, &id);
}

static __always_inline bool is_root(const struct process_value *process)
{
	return process->birth == BIRTH_ROOT || process->birth == BIRTH_ATTACHED;
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

static __always_inline bool take_over(struct task_value *value, enum task_owner from, enum task_owner to)
{
	return __sync_val_compare_and_swap(&value->owner, from, to) == from;
}

/* Who claims a thread folds it. Fails while the thread is stopping. */
static __always_inline bool claim(struct task_value *value)
{
	return take_over(value, TASK_FREE, TASK_CLAIMED) || take_over(value, TASK_STOPPED, TASK_CLAIMED);
}

/*
 * Attaching and the fork of a marked thread may meet at a new thread: the one that reserves its entry
 * marks it, and the other gets -EEXIST. (An int, because the kernel returns no more until commit
 * d7ba4cc900bf, Linux 6.4: the upper half of the register is not the sign.)
 */
static __always_inline int reserve_task(struct task_struct *task)
{
	__u64 key = (__u64)task;
	int err;

	__sync_fetch_and_add(&seat_of(task)->crowd, 1);
	err = put_zero(&tasks, &key, BPF_NOEXIST);
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

/* The entry of a new thread, which may be at the address of one that ended unseen. The caller makes it ready. */
static __always_inline struct task_value *create_task(struct task_struct *task)
{
	__u64 key = (__u64)task;
	struct task_value *value;

	if (reserve_task(task) == -EEXIST)
		put_zero(&tasks, &key, BPF_ANY);
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

/*
 * All bits from the highest one down. BPF has no count-leading-zeros, and a search by halves has a branch for each
 * half, and the verifier follows both ways of each.
 */
static __always_inline __u64 bits_below(__u64 number)
{
	number |= number >> 1;
	number |= number >> 2;
	number |= number >> 4;
	number |= number >> 8;
	number |= number >> 16;
	return number | number >> 32;
}

/* Of five levels: more are not created by what people use. 0: a deeper one. */
#define BY_LEVEL(type, name, member)                                                               \
	static __always_inline type name(struct pid *pid, __u32 level)                             \
	{                                                                                          \
		switch (level) {                                                                   \
		case 0: return pid->numbers[0].member;                                             \
		case 1: return pid->numbers[1].member;                                             \
		case 2: return pid->numbers[2].member;                                             \
		case 3: return pid->numbers[3].member;                                             \
		case 4: return pid->numbers[4].member;                                             \
		default: return 0;                                                                 \
		}                                                                                  \
	}

BY_LEVEL(void *, namespace_at, ns)
BY_LEVEL(__s32, pid_at, nr) /* as forktax itself sees it, or as the process does: level of its innermost namespace */

/*
 * An event of a thread that is not watched: for the estimate of what the programs take. `rank`: of the program, which
 * may have understudies.
 */
static __always_inline void pass(enum passed event, int rank)
{
	if (by_unit && !watches_all && armed && !rank)
		passed[bpf_get_smp_processor_id() % PASSED_CPUS][event]++;
}
