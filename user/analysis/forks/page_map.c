// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/page_map.h"

const char page_state_letters[PAGE_STATE_COUNT] = {
	[PAGE_UNKNOWN] = '?',	[PAGE_UNTOUCHED] = '.', [PAGE_SHARED] = 's',
	[PAGE_MAPPED] = 'm',	[PAGE_OWN] = 'o',	[PAGE_BY_KERNEL] = 'K',
	[PAGE_BY_PROGRAM] = 'P', [PAGE_BY_LDSO] = 'L',
};

/* Fork copies page tables where the parent has pages of its own; the child faults in all others. */
enum page_state page_state__at_birth(const struct layout_vma *vma, char page)
{
	switch (page) {
	case 'a':
		return PAGE_SHARED;
	case 'f':
		return vma->anon_known && vma->anon ? PAGE_SHARED : PAGE_UNTOUCHED;
	default:
		return PAGE_UNTOUCHED;
	}
}

enum page_state page_state__by(const struct anatomy_row *row)
{
	static const enum page_state copied_by[ACTOR_COUNT] = {
		[ACTOR_LDSO] = PAGE_BY_LDSO,
		[ACTOR_PROGRAM] = PAGE_BY_PROGRAM,
		[ACTOR_KERNEL] = PAGE_BY_KERNEL,
	};

	switch (row->class) {
	case FAULT_COW_COPY:
	case FAULT_FILE_COW:
		return copied_by[row->actor];
	case FAULT_COW_REUSE:
	case FAULT_ZERO_FILL:
		return PAGE_OWN;
	default:
		return PAGE_MAPPED;
	}
}
