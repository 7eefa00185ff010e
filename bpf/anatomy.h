/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The anatomy level: single faults, images and forks of the recorded processes as records in a
 * ring buffer. User space sums them up. (Sums in a map would need a child's group, which is known
 * only when it execs or ends; a record costs less than a hash entry, has the order of events, and
 * one that found no room is known to be missing, because the images are counted as well.)
 *
 * Recorded are roots, and of the children of one executable the first ones and then every so
 * many-th, so that the cost does not grow with their number.
 */
#ifndef FORKTAX_ANATOMY_H
#define FORKTAX_ANATOMY_H

#include "drift.h"
#include "maps.h"

#define MAPPINGS    8
#define WAITING     64 /* faults whose places have not been looked up */
#define GOT_PAGES   8
#define TLS_PAGES   2 /* pages on either side of the thread pointer's that may be its thread's */
#define RECORDS_MOST 65536 /* of one thread: more are counted, but not recorded */

/* A mapping that was looked up, with what it takes to name a place in it. */
struct mapping {
	__u64 start, end;
	__u64 offset; /* that the first address has */
	__u64 ino;
	__u32 dev;
	__u32 kind;
};

/* A fault that is over, and waits for a moment with interrupts on. */
struct waiting_fault {
	__u64 address, ip;
	__u64 begin_ns, duration_ns;
	__u32 table_pages;
	__u16 around;
	__u8 around_known;
	__u8 error;
	__u8 class; /* FAULT_COUNT: its mapping will tell */
	__u8 actor;
	__u8 next_image;
	__u8 entered, call_abi;
	__s32 call_nr;
};

int solve(struct known_vma *vma, __u64 address, __u32 error); /* window.h */

/* What recording a thread needs. Apart from task_value, which every fork has to create. */
struct recorder {
	struct mapping known[MAPPINGS];
	__u32 next; /* of `known`, to be replaced */
	__u32 records;
	__u64 total_vm; /* the known mappings are unchanged while these two are */
	__s32 map_count;
	__u32 got_count;
	__u64 heap_start, heap_end, stack_top, vdso;
	__u8 keeps_got; /* an inherited image: contents of pages that ld.so copies are recorded */
	__u32 waiting_count;
	struct waiting_fault waiting[WAITING];
	__u64 got_address[GOT_PAGES];
	struct fault_record fault; /* being put together: too large for the stack */
};

HASH_MAP(recorders, __u64, struct recorder, 1 << 14);
HASH_MAP(births, struct birth_key, struct fork_record, 1 << 14);
HASH_MAP(recording, struct recording_key, __u64, 1 << 12);

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096); /* user space asks for more if it is to be used */
} details SEC(".maps");

/* Where user space follows the kernel's own records of every mmap. No program writes to it. */
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
	static const struct recorder zero;
	__u64 key = (__u64)task;

	bpf_map_update_elem(&recorders, &key, &zero, BPF_ANY);
	return bpf_map_lookup_elem(&recorders, &key);
}


/* The reader looks into the ring ten times a second; in between it is woken when there is much. */
static __always_inline __u64 details_flags(void)
{
	return bpf_ringbuf_query(&details, BPF_RB_AVAIL_DATA) > details_wakeup ? BPF_RB_FORCE_WAKEUP
									       : BPF_RB_NO_WAKEUP;
}

struct mapping_answer {
	struct mapping mapping;
	__u64 flags;
	__u64 heap_start, heap_end, stack_top, vdso;
	__u32 has_file;
};

static long read_mapping(struct task_struct *task, struct vm_area_struct *vma, void *context)
{
	struct mapping_answer *answer = context;
	struct mm_struct *mm = vma->vm_mm;
	struct file *file = vma->vm_file;

	answer->mapping.start = vma->vm_start;
	answer->mapping.end = vma->vm_end;
	answer->flags = vma->vm_flags;
	answer->heap_start = mm->start_brk;
	answer->heap_end = mm->brk;
	answer->stack_top = mm->start_stack;
	answer->vdso = (__u64)mm->context.vdso;
	answer->has_file = file != NULL;
	if (file) {
		struct inode *inode = file->f_inode;

		answer->mapping.ino = inode->i_ino;
		answer->mapping.dev = inode->i_sb->s_dev;
		answer->mapping.offset = vma->vm_pgoff * PAGE_SIZE;
	}
	return 0;
}

/* An anonymous mapping right behind the writable one of an object is its .bss. */
static __always_inline void continue_object(struct task_struct *task, struct mapping *mapping,
					    struct mapping_answer *before)
{
	if (bpf_find_vma(task, mapping->start - 1, read_mapping, before, 0) || !before->has_file ||
	    !(before->flags & VM_WRITE) || before->flags & VM_SHARED)
		return;
	mapping->kind = PLACE_BSS;
	mapping->ino = before->mapping.ino;
	mapping->dev = before->mapping.dev;
	mapping->offset = before->mapping.offset + (before->mapping.end - before->mapping.start);
}

static __always_inline bool is_known(const struct mapping *mapping, __u64 address)
{
	return address >= mapping->start && address < mapping->end;
}

/*
 * Looks a mapping up and remembers it. Global, as are all that load kernel pointers: see solve()
 * in window.h.
 */
__weak int learn_mapping(struct recorder *recorder, __u64 address)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mapping_answer answer = {};
	struct mapping *mapping;
	__u32 slot;
	long err;

	if (!recorder)
		return -1;
	err = bpf_find_vma(task, address, read_mapping, &answer, 0);
	if (err)
		return -1;
	slot = recorder->next;
	recorder->next = (slot + 1) % MAPPINGS;
	if (slot >= MAPPINGS)
		return -1;
	recorder->heap_start = answer.heap_start;
	recorder->heap_end = answer.heap_end;
	recorder->stack_top = answer.stack_top;
	recorder->vdso = answer.vdso;
	mapping = &recorder->known[slot];
	*mapping = answer.mapping;
	mapping->kind = PLACE_ANON;
	if (answer.has_file)
		mapping->kind = PLACE_FILE;
	else if (answer.flags & VM_GROWSDOWN)
		mapping->kind = PLACE_STACK;
	else if (answer.flags & (VM_PFNMAP | VM_MIXEDMAP) || answer.mapping.start == answer.vdso)
		mapping->kind = PLACE_VDSO;
	else if (answer.flags & VM_WRITE)
		continue_object(task, mapping, &answer);
	return slot;
}

/* The known mappings are forgotten when the address space has changed. */
__weak int refresh(struct recorder *recorder)
{
	struct mm_struct *mm = bpf_get_current_task_btf()->mm;

	if (!recorder || !mm)
		return 0;
	if (recorder->map_count == mm->map_count && recorder->total_vm == mm->total_vm)
		return 0;
	recorder->map_count = mm->map_count;
	recorder->total_vm = mm->total_vm;
	for (int i = 0; i < MAPPINGS; i++)
		recorder->known[i].end = 0;
	return 0;
}

__weak __u64 thread_pointer(void)
{
	return bpf_get_current_task_btf()->thread.fsbase;
}

/* In terms of places.def: what a mapping alone does not tell. */
static __always_inline void refine(const struct recorder *recorder, __u64 address,
				   struct place_record *place)
{
	__u64 thread = thread_pointer(), page = thread & -PAGE_SIZE;
	bool anonymous = place->kind == PLACE_ANON || place->kind == PLACE_BSS;

	if (place->kind == PLACE_STACK) {
		place->offset = (recorder->stack_top | (PAGE_SIZE - 1)) + 1 - address;
		return;
	}
	if (place->kind == PLACE_VDSO) {
		place->offset = address - recorder->vdso;
		return;
	}
	if (!anonymous)
		return;
	if (thread && address + TLS_PAGES * PAGE_SIZE >= page &&
	    address < page + (1 + TLS_PAGES) * PAGE_SIZE && place->kind == PLACE_ANON) {
		place->kind = PLACE_TLS;
		place->offset = address - page;
	} else if (address >= recorder->heap_start &&
		   address < ((recorder->heap_end + PAGE_SIZE - 1) & -PAGE_SIZE)) {
		place->kind = PLACE_HEAP;
		place->offset = address - recorder->heap_start;
		place->ino = place->dev = 0;
	}
}

/* Finds the place of an address of the current task. Global to be verified once. */
__weak int locate(struct recorder *recorder, __u64 address, struct place_record *place)
{
	int slot = -1;

	if (!recorder || !place)
		return 0;
	place->kind = PLACE_UNKNOWN;
	place->ino = place->offset = place->dev = 0;
	for (int i = 0; i < MAPPINGS; i++)
		if (is_known(&recorder->known[i], address))
			slot = i;
	if (slot < 0)
		slot = learn_mapping(recorder, address);
	if (slot < 0 || slot >= MAPPINGS)
		return 0;
	place->kind = recorder->known[slot].kind;
	place->ino = recorder->known[slot].ino;
	place->dev = recorder->known[slot].dev;
	place->offset = recorder->known[slot].offset + (address - recorder->known[slot].start);
	refine(recorder, address, place);
	return 0;
}

/* The contents of a page that ld.so copied: before it writes to it, or at the end (`after`). */
__weak int record_got(__u64 process, __u64 address, const struct place_record *place, __u32 after)
{
	struct got_record *record;

	if (!place || !may_probe)
		return 0;
	record = bpf_ringbuf_reserve(&details, sizeof(*record), 0);
	if (!record)
		return 0;
	record->head.kind = DETAIL_GOT;
	record->head.pid = 0;
	record->head.process = process;
	record->address = address;
	record->place = *place;
	record->after = after;
	record->zero = 0;
	if (bpf_probe_read_user(record->bytes, sizeof(record->bytes), (void *)address))
		bpf_ringbuf_discard(record, BPF_RB_NO_WAKEUP);
	else
		bpf_ringbuf_submit(record, details_flags());
	return 0;
}

/*
 * A page that ld.so has copied in a child: the kernel has handled the fault, and ld.so is about to
 * write. Whether it is one of a file is found out at the end.
 */
static __always_inline void keep_got(struct recorder *recorder, __u64 process, __u64 address)
{
	struct place_record unknown = {};
	__u32 i = recorder->got_count;

	if (i >= GOT_PAGES)
		return;
	recorder->got_address[i] = address & -PAGE_SIZE;
	recorder->got_count = i + 1;
	record_got(process, address & -PAGE_SIZE, &unknown, 0);
}

/* At the end of a recorded child: the same pages once more. Global to be verified once. */
__weak int record_gots_after(__u64 process)
{
	struct recorder *recorder = find_recorder(bpf_get_current_task_btf());

	if (!recorder)
		return 0;
	for (__u32 i = 0; i < GOT_PAGES; i++) {
		struct place_record place = {};

		if (i >= recorder->got_count)
			break;
		locate(recorder, recorder->got_address[i], &place);
		if (place.kind == PLACE_FILE)
			record_got(process, recorder->got_address[i], &place, 1);
	}
	return 0;
}

/* False: the fault belongs to no recorded child. */
static __always_inline bool set_phase(struct fault_record *record, const struct process_value *process,
				      __u32 class, bool next_image)
{
	bool inherited = process->kind == IMAGE_INHERITED || process->kind == IMAGE_BORROWED;

	record->child = 0;
	if (next_image || !process->has_forked ||
	    (class != FAULT_COW_COPY && class != FAULT_COW_REUSE)) {
		record->phase = inherited && !next_image ? PHASE_CHILD : PHASE_EXEC;
		return true;
	}
	record->phase = PHASE_PARENT;
	record->child = process->last_child;
	return record->child;
}

static __always_inline bool is_root(const struct process_value *process)
{
	return process->birth == BIRTH_ROOT || process->birth == BIRTH_ATTACHED;
}

static __always_inline void describe_fault(struct fault_record *fault,
					   const struct waiting_fault *waiting,
					   const struct process_value *process)
{
	fault->head.kind = DETAIL_FAULT;
	fault->head.pid = process->pid;
	fault->head.process = process->id;
	fault->address = waiting->address;
	fault->ip = waiting->ip;
	fault->begin_ns = waiting->begin_ns;
	fault->duration_ns = waiting->duration_ns;
	fault->call_nr = waiting->entered ? waiting->call_nr : -1;
	fault->call_abi = waiting->call_abi;
	fault->actor = waiting->actor;
	fault->is_exec = waiting->error & FAULT_FETCH ? 1 : 0;
	fault->around_known = waiting->around_known;
	fault->around = waiting->around;
	fault->table_pages = waiting->table_pages;
	fault->group = is_root(process) || process->images ? process->group : GROUP_UNKNOWN;
}

/* Looks a fault's places up and sends it off. */
__weak int send_fault(struct task_value *value, struct recorder *recorder,
		      const struct waiting_fault *waiting)
{
	struct fault_record *fault;
	struct process_value *process;
	__u32 class;
	bool next;

	if (!value || !recorder || !waiting)
		return 0;
	fault = &recorder->fault;
	process = find_process(value->process);
	if (!process || recorder->records >= RECORDS_MOST)
		return 0;
	class = waiting->class;
	if (class >= FAULT_COUNT)
		class = solve(&value->vma, waiting->address, waiting->error);
	/* The command's own execve begins its first image. What came before it is the launcher's. */
	next = waiting->next_image && !value->first_exec;
	if ((value->first_exec && !waiting->next_image) ||
	    !set_phase(fault, process, class, waiting->next_image))
		return 0;
	recorder->records++;
	locate(recorder, waiting->address, &fault->place);
	__builtin_memset(&fault->code, 0, sizeof(fault->code));
	if (waiting->actor != ACTOR_KERNEL)
		locate(recorder, waiting->ip, &fault->code);
	describe_fault(fault, waiting, process);
	fault->class = class;
	fault->image = process->images + next;
	bpf_ringbuf_output(&details, fault, sizeof(*fault), details_flags());
	return 0;
}

/* Sends what waits. With interrupts on: see solve_puzzles(). */
__weak int send_faults(struct task_value *value)
{
	struct recorder *recorder;

	if (!anatomy || !value)
		return 0;
	recorder = find_recorder(bpf_get_current_task_btf());
	if (!recorder)
		return 0;
	refresh(recorder);
	for (__u32 i = 0; i < WAITING; i++) {
		if (i >= recorder->waiting_count)
			break;
		send_fault(value, recorder, &recorder->waiting[i]);
	}
	recorder->waiting_count = 0;
	return 0;
}

/*
 * Notes the fault that the current task's window has just been closed on. If too many wait, it is
 * sent at once: interrupts may be off, so that the kernel allows one look-up of a mapping only, and
 * the place of the code, or a .bss, may stay unknown.
 */
__weak int record_fault(struct task_value *value, __u32 class)
{
	struct waiting_fault fault = {};
	struct recorder *recorder;
	struct window *window;
	__u32 i;

	if (!anatomy || !value)
		return 0;
	recorder = find_recorder(bpf_get_current_task_btf());
	if (!recorder)
		return 0;
	window = &value->window;
	if (recorder->keeps_got && window->actor == ACTOR_LDSO && class == FAULT_COW_COPY)
		keep_got(recorder, value->process, window->address);
	fault.address = window->address;
	fault.ip = window->ip;
	fault.begin_ns = window->begin_ns;
	fault.duration_ns = window->end_ns ? window->end_ns - window->begin_ns : 0;
	fault.table_pages = window->table_pages;
	fault.around = window->around;
	fault.around_known = window->around_known;
	fault.error = window->error;
	fault.class = class;
	fault.actor = window->actor;
	fault.next_image = window->next_image;
	fault.entered = value->entered;
	fault.call_abi = value->entered_key.abi;
	fault.call_nr = value->entered_key.nr;
	i = recorder->waiting_count;
	if (i >= WAITING)
		return send_fault(value, recorder, &fault);
	recorder->waiting[i] = fault;
	recorder->waiting_count = i + 1;
	return 0;
}

/* An image of a recorded process has ended, its counts summed up. */
__weak int record_image(struct process_value *process, __u32 group)
{
	struct image_record image = {};

	if (!anatomy || !process)
		return 0;
	image.head.kind = DETAIL_IMAGE;
	image.head.pid = process->pid;
	image.head.process = process->id;
	image.image = process->images;
	image.group = group;
	image.kind = process->kind;
	image.begin_ns = process->image_ns;
	image.faults = process->image.faults.minflt + process->image.faults.majflt;
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		for (int class = 0; class < FAULT_COUNT; class++)
			image.classified += process->image.faults.by[actor][class];
	bpf_ringbuf_output(&details, &image, sizeof(image), details_flags());
	return 0;
}

/* The record of a child that is being recorded; NULL: of none. */
static __always_inline struct fork_record *find_birth(const struct process_value *process)
{
	struct birth_key key = { .parent = process->parent, .pid = process->birth_pid };

	return process->birth_pid ? bpf_map_lookup_elem(&births, &key) : NULL;
}

/* `child` is about to be born. Global, because it loads kernel pointers. */
static __always_inline bool is_wanted(const struct process_value *process, __u64 *number)
{
	struct recording_key key = { .parent_exe = process->parent_exe, .birth = process->shares_mm };
	static const __u64 zero;
	__u64 *children = find_or_zero(&recording, &key, &zero);

	if (!children)
		return false;
	*number = __sync_fetch_and_add(children, 1);
	return *number < record_full || (*number - record_full) % record_every == 0;
}

static __always_inline void describe_birth(struct fork_record *birth, struct task_struct *parent,
					   const struct task_value *maker,
					   const struct process_value *process)
{
	struct mm_struct *mm = parent->mm;

	birth->head.kind = DETAIL_FORK;
	birth->head.pid = process->pid;
	birth->head.process = process->id;
	birth->parent = process->parent;
	birth->entered = maker->entered ? maker->entered_ns : 0;
	birth->forked = process->start_ns;
	birth->threads = parent->signal->nr_threads;
	if (mm) {
		birth->vmas = mm->map_count;
		birth->page_table_bytes = mm->pgtables_bytes.counter;
	}
}

static __always_inline void announce_first(const struct process_value *creator, __u64 child)
{
	struct first_fork_record record = {
		.head = { .kind = DETAIL_FIRST_FORK, .pid = creator->pid, .process = creator->id },
		.child = child,
	};

	bpf_ringbuf_output(&details, &record, sizeof(record), BPF_RB_FORCE_WAKEUP);
}

/* At the birth of a process: whether it is recorded, and if so, with what. */
static __always_inline void record_birth(struct task_struct *parent, struct task_value *maker,
					 struct task_struct *child, struct task_value *value)
{
	struct process_value *process = find_process(value->process);
	struct process_value *creator = find_process(maker->process);
	struct pid *own = child->thread_pid, *seen_by = parent->thread_pid;
	struct fork_record birth = {};
	struct birth_key key = {};
	struct recorder *recorder;
	bool wanted;
	__u64 number = 0;

	if (!process || !creator)
		return;
	process->image_ns = process->start_ns;
	wanted = is_wanted(process, &number);
	if (!process->shares_mm) {
		creator->has_forked = 1;
		creator->last_child = wanted ? process->id : 0;
	}
	recorder = wanted ? create_recorder(child) : NULL;
	if (!recorder || !own || !seen_by)
		return;
	recorder->keeps_got = number < GOT_CHILDREN;
	process->recorded = value->recorded = 1;
	process->birth_pid = pid_at(own, seen_by->level);
	describe_birth(&birth, parent, maker, process);
	key.parent = process->parent;
	key.pid = process->birth_pid;
	bpf_map_update_elem(&births, &key, &birth, BPF_ANY);
	maker->forking = process->birth_pid;
	if (!number)
		announce_first(creator, process->id);
}

/* Roots, and threads of recorded processes. */
static __always_inline void record_thread(struct task_value *value, struct task_struct *task)
{
	struct process_value *process = find_process(value->process);

	if (anatomy && process && process->recorded && create_recorder(task))
		value->recorded = 1;
}

static __always_inline bool is_exit(const struct call_key *key)
{
	if (key->abi == ABI_I386)
		return key->nr == 1 || key->nr == 252;
	return key->nr == 60 || key->nr == 231;
}

static __always_inline bool is_wait4(const struct call_key *key)
{
	return key->nr == (key->abi == ABI_I386 ? 114 : 61);
}

/* A recorded thread enters a call: perhaps its last one in this image. */
__weak int record_enter(struct task_value *value, __u32 is_exec)
{
	struct process_value *process;
	struct fork_record *birth;

	if (!anatomy || !value || !(is_exec || is_exit(&value->entered_key)))
		return 0;
	process = find_process(value->process);
	if (!process)
		return 0;
	if (process->kind == IMAGE_INHERITED)
		record_gots_after(process->id);
	birth = find_birth(process);
	if (birth && !is_exec) /* the last one counts: other threads may have ended before */
		birth->leaving = value->entered_ns;
	return 0;
}

/* An execve has succeeded. */
static __always_inline void record_exec(struct task_value *value, struct process_value *process)
{
	struct recorder *recorder = find_recorder(bpf_get_current_task_btf());
	struct fork_record *birth;

	if (recorder)
		recorder->keeps_got = 0;
	process->image_ns = bpf_ktime_get_ns();
	process->has_forked = 0;
	process->last_child = 0;
	birth = find_birth(process);
	if (birth && !birth->execed)
		birth->execed = value->entered_ns;
}

/* wait4 has returned a child. It may be recorded whether its parent is or not. */
static __always_inline void record_reaped(__u64 parent, __s32 pid)
{
	struct birth_key key = { .parent = parent, .pid = pid };
	struct fork_record *birth = bpf_map_lookup_elem(&births, &key), copy;

	if (!birth || !birth->exited)
		return; /* stopped or continued */
	birth->reaped = bpf_ktime_get_ns();
	copy = *birth;
	/* Kept for user space to find at the end if the ring has no room. */
	if (!bpf_ringbuf_output(&details, &copy, sizeof(copy), details_flags()))
		bpf_map_delete_elem(&births, &key);
}

/* Any thread returns from a call. */
__weak int record_exit(struct task_value *value, long result)
{
	struct birth_key key = {};
	struct fork_record *birth;

	if (!anatomy || !value)
		return 0;
	key.parent = value->process;
	if (value->forking) {
		key.pid = value->forking;
		value->forking = 0;
		birth = bpf_map_lookup_elem(&births, &key);
		if (birth)
			birth->returned = bpf_ktime_get_ns();
	} else if (value->entered && result > 0 && is_wait4(&value->entered_key)) {
		record_reaped(value->process, result);
	}
	return 0;
}

/* A recorded child runs for the first time. */
__weak int record_start(struct task_value *value)
{
	struct process_value *process;
	struct fork_record *birth;

	if (!anatomy || !value)
		return 0;
	process = find_process(value->process);
	birth = process ? find_birth(process) : NULL;
	if (birth)
		birth->started = bpf_ktime_get_ns();
	return 0;
}

static __always_inline void record_end(const struct process_value *process)
{
	struct fork_record *birth = find_birth(process);

	if (birth)
		birth->exited = process->end_ns;
}

#endif
