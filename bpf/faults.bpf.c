// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel does in a page fault: noted in its window, see window.h. None of these programs, nor those that
 * open the window (faults_MACHINE.bpf.c), is loaded when only fault totals are wanted: the kernel's own counters give
 * those for free.
 */
#include "window.h"

/*
 * Where memory is short the thread that asks for a page first takes others away, perhaps its own, and may
 * need pages for that (zram): none of this is its fault's (memalloc_noreclaim_save()).
 */
static __always_inline bool is_reclaiming(const struct task_struct *task)
{
	return task->flags & PF_MEMALLOC;
}

/*
 * Where to note what the kernel does in the fault under way; NULL: there is none, or it is not counted. (Whose counts
 * are to end, as it has been moved out of the watched cgroups or all counting has ended, notes it still: its next fault
 * or call ends them, and counts this one.)
 */
static __always_inline struct effects *effects_of_fault(struct task_struct *task)
{
	struct seat *seat = seat_of(task);
	struct task_value *value;

	if (seat->task == (__u64)task)
		return seat->base == fault_count(task) && !is_reclaiming(task) ? &seat->effects : NULL;
	value = look_up_task(task);
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
