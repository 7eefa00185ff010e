// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page faults: one window per fault, see window.h. None of these programs is loaded when only
 * fault totals are wanted: the kernel's own counters give those for free.
 */
#include "tree.h"
#include "window.h"

/* Global, because it loads a kernel pointer: see solve() in vma.h. */
__weak int open_window(struct task_value *value, __u64 address, __u32 error, __u32 actor, __u64 ip)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mm_struct *mm = plain(task)->mm;
	struct window *window;

	if (!value || !mm)
		return 0;
	window = &value->window;
	if (window->open)
		close_current(value);
	__builtin_memset(window, 0, sizeof(*window));
	window->open = 1;
	window->address = address;
	window->error = error;
	window->actor = actor;
	window->base = fault_count(task);
	window->next_image = value->mm != (__u64)mm;
	mappings_version(mm, &window->version);
	if (is_known_beforehand(value))
		know_current_vma(&value->vma, address);
	window->numa_hints = numa_hints(task);
	window->waits = task->nvcsw;
	if (mm->mm_users.counter > 1) {
		window->begin_ns = bpf_ktime_get_ns();
		if (error & FAULT_WRITE)
			note_write(value->mm, address);
	}
	if (flow || (anatomy && value->recorded)) {
		window->ip = ip;
		window->begin_ns = bpf_ktime_get_ns();
		if (stacks_wanted && !window->next_image)
			window->stack = stack_of_fault(value, actor);
	}
	if (copies_wanted && actor != ACTOR_KERNEL && may_copy(error))
		window->stack = find_copy_stack(value);
	if (rss_is_cached()) {
		for (int i = 0; i < 4; i++)
			window->rss_base[i] = cached_rss(task, i);
		window->rss_events = cached_rss_events(task);
	}
	if (value->seated) {
		struct seat *seat = seat_of(task);

		seat->effects = window->effects;
		seat->base = window->base;
	}
	return 0;
}

/* The thread's entry, if its faults get a class. */
static __always_inline struct task_value *find_classified(struct task_struct *task, int rank)
{
	struct task_value *value = find_task(task);

	if (!value)
		pass(PASSED_FAULTS, rank);
	return value && by_unit && !value->share.is_chosen ? NULL : value;
}

/* The understudies open the same window again, which changes nothing. */
static __always_inline void user_fault(unsigned long address, struct pt_regs *regs,
				       unsigned long error, int rank)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_value *value = find_classified(task, rank);
	__u64 ip;

	if (!value)
		return;
	ip = regs->ip;
	open_window(value, address, error,
		    ip >= value->ldso_start && ip < value->ldso_end ? ACTOR_LDSO : ACTOR_PROGRAM, ip);
	if (tree_wanted && value->linking && !(ip >= value->ldso_start && ip < value->ldso_end))
		note_tree_fault(value, address, ip);
}

TRACE(page_fault_user, user_fault(address, regs, error, rank), unsigned long address,
      struct pt_regs *regs, unsigned long error)

/*
 * A fault cannot complete while page faults are disabled: for example when a profiler reads the
 * user's stack in an interrupt, perhaps in the middle of another fault. The kernel either tries the
 * access again, which is an event of its own, or, for a futex, handles the fault without one
 * (fixup_user_fault()): then this is its event. An exit may clear robust futexes.
 */
static __always_inline bool may_be_futex(const struct task_value *value,
					 const struct task_struct *task)
{
	__s32 nr = value->entered_key.nr;

	if (task->flags & PF_EXITING)
		return true;
	if (value->entered_key.abi == ABI_I386)
		return nr == 240 || nr == 422 || nr == 449 || (nr >= 454 && nr <= 456);
	return nr == 202 || nr == 449 || (nr >= 454 && nr <= 456);
}

static __always_inline void kernel_fault(unsigned long address, unsigned long error, int rank)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_value *value;

	if ((long)address < 0) /* a kernel address: no user page is involved */
		return;
	value = find_classified(task, rank);
	if (!value || (task->pagefault_disabled &&
		       (window__live(&value->window, task) || !may_be_futex(value, task))))
		return;
	open_window(value, address, error, ACTOR_KERNEL, 0);
}

TRACE(page_fault_kernel, kernel_fault(address, error, rank), unsigned long address,
      struct pt_regs *regs, unsigned long error)

/*
 * Where memory is short the thread that asks for a page first takes others away, perhaps its own, and may
 * need pages for that (zram): none of this is its fault's (memalloc_noreclaim_save()).
 */
static __always_inline bool is_reclaiming(const struct task_struct *task)
{
	return task->flags & PF_MEMALLOC;
}

/*
 * Where to note what the kernel does in the fault under way; NULL: there is none, or it is not counted. (Who has been
 * moved out of the watched cgroups notes it still; its next fault or call ends what it counts.)
 */
static __always_inline struct effects *effects_of_fault(struct task_struct *task)
{
	struct seat *seat = seat_of(task);
	struct task_value *value;

	if (armed && seat->task == (__u64)task)
		return seat->base == fault_count(task) && !is_reclaiming(task) ? &seat->effects : NULL;
	value = find_task(task);
	return value && window__live(&value->window, task) && !is_reclaiming(task) ? &value->window.effects : NULL;
}

/*
 * User pages come as GFP_HIGHUSER_MOVABLE, page-table pages as zeroed single pages that are
 * neither movable nor high (GFP_PGTABLE_USER). The bits are compared rather than the migrate
 * type because only they tell a zeroed page from one that is about to receive a copy.
 */
static __always_inline void page_alloc(struct page *page, unsigned int order, unsigned int gfp)
{
	bool user_page = (gfp & GFP_USER_PAGE) == GFP_USER_PAGE;
	bool table_page = !(gfp & GFP_USER_PAGE) && gfp & GFP_ZEROED && order == 0;
	struct effects *effects;

	if (!page || !(user_page || table_page))
		return;
	effects = effects_of_fault(bpf_get_current_task_btf());
	if (!effects)
		return;
	if (table_page) {
		/* Not if this page was the last one: then a program before this one has counted it. */
		if (effects->table_page != (__u64)page)
			effects->table_pages++;
		effects->table_page = (__u64)page;
		return;
	}
	/* The first one is for the process; what follows may be read ahead into the page cache. */
	if (!effects->pages) {
		effects->zeroed = order ? HUGE : !!(gfp & GFP_ZEROED);
		effects->order = order;
	}
	effects->pages = 1;
}

TRACE(mm_page_alloc, page_alloc(page, order, gfp), struct page *page,
      unsigned int order, unsigned int gfp, int migratetype)

static __always_inline void rss_change(struct mm_struct *mm, int member)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct effects *effects;
	__u32 counter = member;

	/* Most changes are made for another mm: by fork for the child's, by exit for its own last. */
	if ((__u64)mm != (__u64)plain(task)->mm || counter > 3)
		return;
	effects = effects_of_fault(task);
	if (effects)
		effects->rss |= 1 << counter;
}

TRACE(rss_stat, rss_change(mm, member), struct mm_struct *mm, int member)
