// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/page_state.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/compare/fact_names.h"
#include "base/page.h"

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

static bool is_same_object(const struct run *run, uint32_t object, const struct run *of,
			   uint32_t other)
{
	char *key = object_key(run, object), *wanted = object_key(of, other);
	bool same = !strcmp(key, wanted);

	free(key);
	free(wanted);
	return same;
}

static bool is_same_group(const struct run *run, uint32_t group, const struct run *of, uint32_t other)
{
	char *key = group_key(run, group), *wanted = group_key(of, other);
	bool same = !strcmp(key, wanted);

	free(key);
	free(wanted);
	return same;
}

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
		    is_same_object(run, vma->object, of, fault->place.object))
			return vma;
	}
	return NULL;
}

const char *page_state__without_fault(const struct run *run, const struct anatomy_row *fault,
				      const struct run *of)
{
	if (!fault || !run->anatomy || fault->phase != PHASE_CHILD)
		return NULL;
	for (size_t i = 0; i < run->anatomy->layout_count; i++) {
		const struct layout *layout = &run->anatomy->layouts[i];
		const struct layout_vma *vma;
		size_t index;

		if (layout->recorded || !is_same_group(run, layout->group, of, fault->group))
			continue;
		vma = vma_of(run, layout, fault, of);
		index = vma ? (fault->place.offset - vma->offset) / PAGE_BYTES : 0;
		if (!vma)
			return "not there";
		return vma->pages && index < strlen(vma->pages)
			       ? page_state_words[page_state__at_birth(vma, vma->pages[index])]
			       : NULL;
	}
	return NULL;
}
