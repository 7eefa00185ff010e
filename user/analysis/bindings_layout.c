// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindings_layout.h"

enum { PAGE = 4096 };

/* Index of the mapping that holds an address; vma_count if none does. */
static size_t vma_at(const struct layout *layout, uint64_t address)
{
	size_t low = 0, high = layout->vma_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct layout_vma *vma = &layout->vmas[middle];

		if (address >= vma->start && address < vma->end)
			return middle;
		if (vma->end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return layout->vma_count;
}

uint32_t layout__object_at(const struct layout *layout, uint64_t address)
{
	size_t index = vma_at(layout, address);
	const struct layout_vma *vma = &layout->vmas[index];

	if (index == layout->vma_count)
		return NO_OBJECT;
	if (vma->kind == PLACE_BSS && vma->object == NO_OBJECT && index)
		return vma[-1].object;
	return vma->object;
}

bool layout__loads(const struct layout *layout, uint32_t object)
{
	for (size_t i = 0; i < layout->vma_count; i++) {
		const struct layout_vma *vma = &layout->vmas[i];

		if (vma->object == object && !vma->shared &&
		    (vma->exec || vma->write || vma->bytes))
			return true;
	}
	return false;
}

bool layout__bias(const struct layout *layout, uint32_t object, const struct linked_file *file,
		  uint64_t *bias)
{
	uint64_t address;
	bool found = false;

	/*
	 * By code if there is any: a page of the file that holds the end of one segment and the
	 * start of another is mapped for both, but no two pieces of code share one.
	 */
	for (size_t i = 0; i < layout->vma_count; i++) {
		const struct layout_vma *vma = &layout->vmas[i];

		if (vma->object != object || vma->kind != PLACE_FILE || (found && !vma->exec) ||
		    !linked_file__address(file, vma->offset, vma->exec ? PF_X : 0, &address))
			continue;
		*bias = vma->start - address;
		found = true;
		if (vma->exec)
			break;
	}
	return found;
}

/* ld.so writes to every slot, so a page that is not anonymous holds none, or is swapped out. */
static bool was_read(const struct layout_vma *vma, uint64_t inner)
{
	return vma->bytes && (!vma->pages || vma->pages[inner / PAGE] == 'a');
}

bool layout__word(const struct layout *layout, uint64_t address, const struct linked_file *file,
		  uint64_t *word)
{
	size_t index = vma_at(layout, address), size = file->relocations->word;
	const struct layout_vma *vma = &layout->vmas[index];
	uint64_t inner;

	if (index == layout->vma_count || vma->end - address < size)
		return false;
	inner = address - vma->start;
	if (!was_read(vma, inner) || !was_read(vma, inner + size - 1))
		return false;
	*word = linked_file__load(file, vma->bytes + inner);
	return true;
}
