/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The window of a page fault: opened by the page_fault tracepoints, filled by page allocations
 * and RSS changes of the same task, and closed lazily at the task's next event.
 *
 * Lazy closing is exact because the kernel counts a fault into min_flt or maj_flt when it has
 * completed (mm_account_fault, mm/memory.c): while the sum stands where it stood at the opening,
 * the fault is still being handled and what happens belongs to it; once it has moved, nothing
 * more does. A fault that never completes (SIGSEGV, EFAULT) leaves the sum alone and is dropped.
 */
#pragma once

#include "details.h"
#include "flow.h"
#include "page_tables.h"

static __always_inline __u64 fault_count(struct task_struct *task)
{
	return task->min_flt + task->maj_flt;
}

static __always_inline bool window__live(struct window *window, struct task_struct *task)
{
	return window->open && window->base == fault_count(task);
}

static __always_inline void window__read_cached_rss(struct window *window, struct task_struct *task)
{
	bool folded = task->rss_stat.events < window->rss_events;

	if (folded) /* the tracepoint reported the whole cache, not this fault */
		window->effects.rss = 0;

	for (int i = 0; i < 4; i++) {
		int base = folded ? 0 : window->rss_base[i];

		if (task->rss_stat.count[i] != base)
			window->effects.rss |= 1 << i;
	}
}

/*
 * The mapping may be gone when the fault is over, or be needed at once: it is looked up before. A flow asks for each
 * copy when the fault ends, and where nothing says that the page was there, only the mapping tells a copy.
 */
static __always_inline bool is_known_beforehand(const struct task_value *value)
{
	const bool each_copy = flow && !has_evidence(0, FAULT_PRESENT_KNOWN);

	return value->put_off || ((value->in_exec || each_copy) && !value->window.next_image);
}

/* Whose window is closed. */
enum window_of {
	OF_CURRENT,
	OF_OTHER, /* of a thread that is not the current one: it gets no look-up here */
	OF_ENDED, /* its address space is gone, and its mapping was looked up beforehand */
};

/* Returns the class, if there is no room for one more. */
static __always_inline __u32 add_puzzle(struct task_value *value, enum window_of of)
{
	struct window *window = &value->window;
	__u32 i = value->puzzle_count;

	if (i >= PUZZLES) {
		__u32 class = of == OF_CURRENT ? solve(&value->vma, window->address, window->evidence, window->version)
					       : FAULT_OTHER;

		count_fault(value, class, window->actor, window->next_image);
		return class;
	}
	value->puzzles[i].address = window->address;
	value->puzzles[i].evidence = window->evidence;
	value->puzzles[i].actor = window->actor;
	value->puzzles[i].next_image = window->next_image;
	value->puzzles[i].version = window->version;
	value->puzzles[i].waiting = 0;
	value->puzzle_count = i + 1;
	return FAULT_PUZZLE;
}

/*
 * Was the page there already, though it was missing when the thread read it? To map the zero page takes no
 * time; a page that is being moved to another frame may be waited for. Beyond that the page tables tell, as
 * long as counting is on: then this is the first event since the fault.
 */
static __always_inline bool found_its_page(const struct task_value *value, struct task_struct *task, enum window_of of)
{
	const struct window *window = &value->window;

	if (window->evidence & (FAULT_PRESENT | FAULT_WRITE))
		return false;
	if (window->waits != (__u32)task->nvcsw)
		return true;
	return of == OF_CURRENT && armed && !window->next_image &&
	       found_page(value->mm, window->address, window->begin_ns);
}

static __always_inline void take_effects(struct task_value *value, struct task_struct *task)
{
	struct seat *seat = seat_of(task);

	if (!value->seated)
		return;
	value->window.effects = seat->effects;
	seat->base = NO_FAULT;
}

/* Returns the class; FAULT_PUZZLE if it will be known later. */
static __always_inline __u32 close_window(struct task_value *value, struct task_struct *task, enum window_of of)
{
	struct window *window = &value->window;
	__u32 class;

	window->open = 0;
	take_effects(value, task);
	if (window->base == fault_count(task))
		return FAULT_NONE;
	if (rss_is_cached())
		window__read_cached_rss(window, task);
	if (window->effects.table_pages) {
		struct process_value *process;

		if (!window->next_image)
			value->table_pages += window->effects.table_pages;
		else if ((process = find_process(value->process)))
			add(&process->next_table_pages, window->effects.table_pages);
	}
	window->evidence &= ~(FAULT_FILLED | FAULT_COPIED);
	class = classify(window, rss_is_cached());
	if (class == FAULT_PUZZLE && found_its_page(value, task, of))
		window->evidence |= FAULT_FOUND;
	if (class == FAULT_PUZZLE && window->numa_hints != numa_hints(task))
		class = FAULT_OTHER;
	if (class == FAULT_PUZZLE && (of == OF_ENDED || is_known_beforehand(value)))
		class = solve_known(&value->vma, window->address, window->evidence);
	if (class == FAULT_PUZZLE)
		class = add_puzzle(value, of);
	else
		count_fault(value, class, window->actor, window->next_image);
	if (flow)
		note_flow(value, class);
	return class;
}

/* The same of the current thread. */
__weak int close_own(struct task_value *value)
{
	return value && classes ? close_window(value, bpf_get_current_task_btf(), OF_CURRENT) : FAULT_NONE;
}

__weak int close_current(struct task_value *value)
{
	__u32 class;

	if (!value)
		return 0;
	class = close_own(value);
	if (!anatomy || !value->recorded || class == FAULT_NONE)
		return 0;
	record_fault(value, class);
	return 0;
}

/* What the thread counts ends here, unless it has ended before. */
static __always_inline void cut_off(struct task_value *value, struct task_struct *task)
{
	if (value->cut)
		return;
	value->stop_min = task->min_flt;
	value->stop_maj = task->maj_flt;
	value->cut = 1;
}

/*
 * The first event of the current thread after counting was disarmed: what it counted ends here, so that classes and the
 * kernel's own counters end at the same fault. Look-ups of mappings wait: interrupts may be off.
 */
__weak int stop_current(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_value *value = look_up_task(task);

	/* A thread that is leaving is counted to its end. */
	if (!value || value->end_ns || !take_over(value, TASK_FREE, TASK_STOPPING))
		return 0;
	/* Without a record: it takes more stack than is left below some programs (Linux 6.1). */
	if (classes && value->window.open)
		close_own(value);
	cut_off(value, task);
	take_over(value, TASK_STOPPING, TASK_STOPPED);
	return 0;
}

/* The entry of a thread; NULL if it is not counted, or no longer, or counting is off. */
static __always_inline struct task_value *find_counted(struct task_struct *task)
{
	struct task_value *value = armed ? look_up_task(task) : NULL;

	return value && !(watches_cgroups && value->parted) ? value : NULL;
}

/* The same of the current thread, whose counts end here if they are to end. Other events leave that to these. */
static __always_inline struct task_value *find_task(struct task_struct *task)
{
	struct task_value *value = armed ? look_up_task(task) : NULL;

	if (value && !(watches_cgroups && value->parted))
		return value;
	if (value || stopped)
		stop_current();
	return NULL;
}

/* Brings the current thread's faults up to date. To be called with interrupts on. */
__weak int settle_current(struct task_value *value)
{
	if (!value || !classes)
		return 0;
	if (value->window.open)
		close_current(value);
	solve_puzzles(value);
	if (anatomy && value->recorded)
		send_faults(value);
	return 0;
}

static __always_inline bool unsettled(struct task_value *value)
{
	return classes && (value->window.open || value->puzzle_count || value->recorded);
}

struct settling {
	struct task_value *value;
	struct task_struct *task;
};

static long settle_one(__u32 i, void *context)
{
	struct settling *settling = context;
	struct puzzle *puzzle;

	if (i >= PUZZLES)
		return 1;
	puzzle = &settling->value->puzzles[i];
	count_fault(settling->value, solve_for(settling->task, &settling->value->vma, puzzle->address, puzzle->evidence,
			      puzzle->version),
		    puzzle->actor, puzzle->next_image);
	return 0;
}

/* The same for a thread that is not the current one; counting has been disarmed. */
static __always_inline void settle_other(struct task_value *value, struct task_struct *task)
{
	struct settling settling = { .value = value, .task = task };

	if (!classes)
		return;
	if (value->window.open)
		close_window(value, task, OF_OTHER);
	bpf_loop(value->puzzle_count, settle_one, &settling, 0);
}
