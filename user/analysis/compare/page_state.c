// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/page_state.h"

#include <string.h>

#include "analysis/same.h"

const char *const page_state_words[PAGE_STATE_COUNT] = {
	[PAGE_UNKNOWN] = "not known",
	[PAGE_UNTOUCHED] = "untouched",
	[PAGE_SHARED] = "shared",
	[PAGE_MAPPED] = "mapped",
	[PAGE_OWN] = "own without a copy",
	[PAGE_BY_KERNEL] = "copied by the kernel",
	[PAGE_BY_PROGRAM] = "copied by the program",
	[PAGE_BY_LDSO] = "copied by ld.so",
};

/* The mapping of that page in a layout. An offset may be mapped more than once: by rights as by the fault. */
static const struct layout_vma *vma_of(const struct run *run, const struct layout *layout,
				       const struct anatomy_row *fault, const struct run *of)
{
	const bool writes = page_state__by(fault) > PAGE_MAPPED;

	for (size_t i = 0; i < layout->vma_count; i++) {
		const struct layout_vma *vma = &layout->vmas[i];

		if (vma->object != NO_OBJECT && vma->kind == fault->place.kind &&
		    fault->place.offset - vma->offset < vma->end - vma->start &&
		    (writes ? vma->write : vma->exec == fault->is_exec) &&
		    same_object(run, vma->object, of, fault->place.object))
			return vma;
	}
	return NULL;
}

const char *page_state__without_fault(const struct run *run, const struct anatomy_row *fault, const struct run *of)
{
	uint32_t group;

	if (!fault || !run->anatomy || fault->phase != PHASE_CHILD)
		return NULL;
	group = same_group__in(run, of, fault->group, SAME_PARENT);
	for (size_t i = 0; group != NO_GROUP && i < run->anatomy->layout_count; i++) {
		const struct layout *layout = &run->anatomy->layouts[i];
		const struct layout_vma *vma;
		size_t index;

		if (layout->recorded || layout->group != group)
			continue;
		vma = vma_of(run, layout, fault, of);
		index = vma ? (fault->place.offset - vma->offset) / run__page_bytes(run) : 0;
		if (!vma)
			return "not there";
		return vma->pages && index < strlen(vma->pages)
			       ? page_state_words[page_state__at_birth(vma, vma->pages[index])]
			       : NULL;
	}
	return NULL;
}
