// SPDX-License-Identifier: GPL-2.0-only
/*
 * What only the anatomy level asks for: when a fault ended, and how many pages it mapped. None of
 * these programs is loaded otherwise.
 */
#include "window.h"

/*
 * The kernel counts a fault that it has handled as a software event (mm_account_fault()), before
 * the instruction that faulted runs again. A second look-up of a mapping is refused here, as with
 * interrupts off. Attached with period 1 to both events, minor and major, of every CPU.
 */
SEC("perf_event")
int on_fault_end(void *context)
{
	struct task_value *value = find_task(bpf_get_current_task_btf());

	if (!value || !value->recorded || !value->window.open)
		return 0;
	value->window.end_ns = bpf_ktime_get_ns();
	close_current(value);
	return 0;
}

struct address_space;

/* The range of pages that one fault may map, also those that are not in the page cache. */
static __always_inline void map_pages(unsigned long first, unsigned long last)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_value *value = find_task(task);

	if (!value || !value->recorded || !window__live(&value->window, task))
		return;
	value->window.around = last - first + 1;
	value->window.around_known = 1;
}

TRACE(mm_filemap_map_pages, map_pages(start, end), struct address_space *mapping,
      unsigned long start, unsigned long end)

SEC("iter/task_vma")
int list_vmas(struct bpf_iter__task_vma *context)
{
	struct vm_area_struct *vma = context->vma;
	struct vma_record record = {};

	if (!context->task || !vma)
		return 0;
	record.start = vma->vm_start;
	record.has_anon = vma->anon_vma != NULL;
	bpf_seq_write(context->meta->seq, &record, sizeof(record));
	return 0;
}
