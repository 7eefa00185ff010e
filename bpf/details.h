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
#pragma once

#include "places.h"
#include "puzzles.h"
#include "stacks.h"

static __always_inline void record_got_piece(__u64 process, __u64 address, const struct place_record *place,
					     __u32 after, __u32 inner)
{
	struct got_record *record = reserve(&details, sizeof(*record), details_lost);

	if (!record)
		return;
	record->head = (struct detail){ DETAIL_GOT, 0, process };
	record->address = address + inner;
	record->place = *place;
	record->place.offset += inner;
	record->after = after;
	record->zero = 0;
	if (bpf_probe_read_user(record->bytes, sizeof(record->bytes), (void *)(address + inner)))
		bpf_ringbuf_discard(record, BPF_RB_NO_WAKEUP);
	else
		bpf_ringbuf_submit(record, details_flags());
}

/* The contents of a page with slots, piece by piece: before it is written to, or at the end (`after`). */
__weak int record_got(__u64 process, __u64 address, const struct place_record *place, __u32 after)
{
	__u64 begin;

	if (!place || !may_probe)
		return 0;
	begin = bpf_ktime_get_ns();
	for (__u32 inner = 0; inner < PAGE_SIZE; inner += GOT_PIECE_SIZE)
		record_got_piece(process, address, place, after, inner);
	__sync_fetch_and_add(&got_reads, 1);
	__sync_fetch_and_add(&got_ns, bpf_ktime_get_ns() - begin);
	return 0;
}

/*
 * May the page that a child has just copied hold slots that ld.so has not bound yet? What ld.so is
 * about to write to may. So may the data of the executable, if any code writes to it first: .got.plt
 * ends, and .data begins, on the same page.
 */
static __always_inline bool may_hold_slots(const struct window *window)
{
	struct mm_struct *mm = plain(bpf_get_current_task_btf())->mm;

	if (!may_copy(window->evidence))
		return false;
	if (window->actor == ACTOR_LDSO)
		return true;
	return mm && window->address >= (mm->start_data & -PAGE_SIZE) && window->address < mm->end_data;
}

static __always_inline bool is_kept(const struct recorder *recorder, __u64 address)
{
	bool kept = false;

	for (__u32 i = 0; i < GOT_PAGES; i++)
		if (i < recorder->got_count && recorder->got_address[i] == (address & -PAGE_SIZE))
			kept = true;
	return kept;
}

/*
 * A page that has been copied in a child (or taken over, if its parent copied it first): the kernel has handled the
 * fault, and the program is about to write. Whether it is one of a file is found out at the end.
 */
static __always_inline void keep_got(struct recorder *recorder, __u64 process, const struct window *window)
{
	__u64 address = window->address & -PAGE_SIZE;
	struct place_record unknown = {};
	__u32 i = recorder->got_count;

	/* A child that forks itself has its pages copied again: only the first time they are as inherited. */
	if (i >= GOT_PAGES || is_kept(recorder, address))
		return;
	recorder->got_address[i] = address;
	recorder->got_count = i + 1;
	/* Not without an event at the fault's end: until the next event the program may have written to the page. */
	if (window->end_ns)
		record_got(process, address, &unknown, 0);
}

/* At the end of a recorded child: the same pages once more. */
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

/* False: the fault follows from the fork of a child that is not recorded, so neither is the fault. */
static __always_inline bool set_phase(struct fault_record *record, struct process_value *process,
				      __u32 class, bool next_image)
{
	bool inherited = process->kind == IMAGE_INHERITED || process->kind == IMAGE_BORROWED;

	record->child = 0;
	if (next_image || !process->has_forked || (class != FAULT_COW_COPY && class != FAULT_COW_REUSE)) {
		record->phase = inherited && !next_image ? PHASE_CHILD : PHASE_EXEC;
		return true;
	}
	record->phase = PHASE_PARENT;
	record->child = process->last_child;
	if (!record->child)
		__sync_fetch_and_add(&process->unsampled, 1);
	return record->child;
}

static __always_inline void send_beyond(const struct fault_record *fault, const struct process_value *process)
{
	struct beyond_record beyond = {
		.head = { DETAIL_BEYOND, process->pid, process->id },
		.child = fault->child,
	};

	send_detail(&beyond, sizeof(beyond), details_flags());
}

static __always_inline void describe_fault(struct fault_record *fault, const struct waiting_fault *waiting,
					   const struct process_value *process)
{
	fault->head = (struct detail){ DETAIL_FAULT, process->pid, process->id };
	fault->address = waiting->address;
	fault->ip = waiting->ip;
	fault->begin_ns = waiting->begin_ns;
	fault->duration_ns = waiting->duration_ns;
	fault->call_nr = waiting->entered ? waiting->call_nr : -1;
	fault->call_abi = waiting->call_abi;
	fault->actor = waiting->actor;
	fault->is_exec = waiting->evidence & FAULT_FETCH ? 1 : 0;
	fault->around_known = waiting->around_known;
	fault->around = waiting->around;
	fault->table_pages = waiting->table_pages;
	fault->stack = waiting->stack;
	fault->group = is_root(process) || process->images ? process->group : GROUP_UNKNOWN;
}

__weak int is_replaced(struct task_value *value)
{
	return value && value->mm != (__u64)plain(bpf_get_current_task_btf())->mm;
}

__weak int send_fault(struct task_value *value, struct recorder *recorder, const struct waiting_fault *waiting)
{
	struct fault_record *fault;
	struct process_value *process;
	__u32 class;
	bool next, there;

	if (!value || !recorder || !waiting)
		return 0;
	fault = &recorder->fault;
	process = find_process(value->process);
	if (!process)
		return 0;
	class = waiting->class;
	if (class >= FAULT_COUNT)
		class = FAULT_OTHER; /* for the verifier */
	/* The command's own execve begins its first image. What came before it is the launcher's. */
	next = waiting->next_image && !value->first_exec;
	if ((value->first_exec && !waiting->next_image) || !set_phase(fault, process, class, waiting->next_image))
		return 0;
	/* An execve takes few faults in the image that it builds, and they belong to that image. */
	if (recorder->records >= RECORDS_MOST && !next) {
		send_beyond(fault, process);
		return 0;
	}
	recorder->records++;
	__builtin_memset(&fault->place, 0, sizeof(fault->place));
	__builtin_memset(&fault->code, 0, sizeof(fault->code));
	there = waiting->next_image || !is_replaced(value);
	if (there)
		locate(recorder, waiting->address, &fault->place);
	if (there && waiting->actor != ACTOR_KERNEL)
		locate(recorder, waiting->ip, &fault->code);
	describe_fault(fault, waiting, process);
	fault->class = class;
	fault->image = process->images + next;
	if (details_have_room())
		bpf_ringbuf_output(&details, fault, sizeof(*fault), details_flags());
	return 0;
}

/* Of faults that wait in the work of stacks: see record_fault(). */
__weak int send_late_faults(struct task_value *value, struct recorder *recorder)
{
	struct stack_work *work = find_stack_work();

	if (!value || !recorder || !work)
		return 0;
	for (__u32 i = 0; i < LATE_MOST; i++) {
		if (i >= work->late_count)
			break;
		work->late[i].stack = file_stack(recorder, value->process, work->late[i].stack);
		send_fault(value, recorder, &work->late[i]);
	}
	work->late_count = 0;
	return 0;
}

/* Sends what waits. To be called with interrupts on: see solve_puzzles(). */
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
		if (stacks_wanted)
			recorder->waiting[i].stack = file_stack(recorder, value->process, recorder->waiting[i].stack);
		send_fault(value, recorder, &recorder->waiting[i]);
	}
	recorder->waiting_count = 0;
	if (stacks_wanted)
		send_late_faults(value, recorder);
	return 0;
}

/* The key of the fault's stack; STACK_BUSY: the fault waits. `may_wait`: there is a better moment to come. */
static __always_inline __u64 file_or_put_off(struct task_value *value, struct recorder *recorder,
					     const struct waiting_fault *fault, bool may_wait)
{
	__u64 stack = try_file_stack(recorder, value->process, fault->stack);

	if (stack != STACK_BUSY || (may_wait && put_off_fault(fault)))
		return stack;
	__sync_fetch_and_add(&stacks_lost, 1);
	return 0;
}

/*
 * Notes the fault that the current task's window has just been closed on. If too many wait, it is
 * sent at once: interrupts may be off, so that the kernel allows one look-up of a mapping only, and
 * the place of the code, or one that may be a .bss, stays unknown until a later fault finds it. A stack
 * takes several look-ups: until faults have found its mappings, one each, those that need them wait, too.
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
	if (recorder->keeps_got && may_hold_slots(window))
		keep_got(recorder, value->process, window);
	fault.address = window->address;
	fault.ip = window->ip;
	fault.begin_ns = window->begin_ns;
	fault.duration_ns = window->end_ns ? window->end_ns - window->begin_ns : 0;
	fault.table_pages = window->effects.table_pages;
	fault.around = window->around;
	fault.around_known = window->around_known;
	fault.evidence = window->evidence;
	fault.class = class;
	fault.actor = window->actor;
	fault.next_image = window->next_image;
	fault.entered = value->entered;
	fault.call_abi = value->entered_key.abi;
	fault.call_nr = value->entered_key.nr;
	fault.stack = window->stack;
	i = recorder->waiting_count;
	/*
	 * By the next event an execve may have taken its mapping away; and for a thread that exits
	 * there is no next event.
	 */
	if (i >= WAITING || (value->in_exec && !window->next_image) || value->end_ns) {
		if (fault.class == FAULT_PUZZLE)
			fault.class = solve_puzzle(value, LAST_PUZZLE);
		refresh(recorder);
		if (stacks_wanted) {
			fault.stack = file_or_put_off(value, recorder, &fault, i >= WAITING && !value->in_exec &&
							      !value->end_ns);
			if (fault.stack == STACK_BUSY)
				return 0;
		}
		return send_fault(value, recorder, &fault);
	}
	if (fault.class == FAULT_PUZZLE)
		wait_for_last(value, i + 1);
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
	image.head = (struct detail){ DETAIL_IMAGE, process->pid, process->id };
	image.image = process->images;
	image.group = group;
	image.kind = process->kind;
	image.begin_ns = process->image_ns;
	image.faults = process->image.faults.total;
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		for (int class = 0; class < FAULT_CLASSES; class++)
			image.classified += process->image.faults.by[actor][class];
	image.unsampled = process->unsampled;
	send_detail(&image, sizeof(image), details_flags());
	return 0;
}
