// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/names/bss.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/bindings/loaded_layout.h"
#include "base/memory.h"
#include "elf/object.h"

enum { PAGE = 4096 };

static uint64_t page_up(uint64_t value)
{
	return (value + PAGE - 1) & -(uint64_t)PAGE;
}

/* Bytes from the end of a file part, at `address`, to that of its .bss. False: none ends there. */
static bool bss_size(const struct elf_object *object, uint64_t address, uint64_t *size)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W) ||
		    segment->p_memsz < segment->p_filesz ||
		    page_up(segment->p_vaddr + segment->p_filesz) != address)
			continue;
		*size = page_up(segment->p_vaddr + segment->p_memsz) - address;
		return true;
	}
	return false;
}

static bool read_size(const struct anatomy *anatomy, const struct layout *layout,
		      const struct layout_vma *vma, uint64_t *size)
{
	const struct object *known = &anatomy->objects[vma->object];
	struct elf_object object;
	char *reason = NULL;
	uint64_t bias;
	bool found;

	if (!known->path || known->changed)
		return false;
	if (elf_object__open(&object, known->path, &reason) != ELF_OPENED) {
		free(reason);
		return false;
	}
	found = layout__bias(layout, vma->object, &object, &bias) &&
		bss_size(&object, vma->start - bias, size);
	elf_object__close(&object);
	return found;
}

static void make_anonymous(struct layout_vma *vma)
{
	vma->kind = PLACE_ANON;
	vma->object = NO_OBJECT;
	vma->offset = 0;
}

/* Mapping `index` becomes two, the first of them `size` bytes long. */
static void split(struct layout *layout, size_t index, uint64_t size)
{
	struct layout_vma *vma, *rest;
	size_t pages = size / PAGE;

	layout->vmas = checked(reallocarray(layout->vmas, layout->vma_count + 1, sizeof(*vma)));
	vma = &layout->vmas[index];
	rest = vma + 1;
	memmove(rest, vma, (layout->vma_count - index) * sizeof(*vma));
	layout->vma_count++;
	vma->end = rest->start = vma->start + size;
	vma->bytes = NULL;
	vma->present = vma->own = vma->huge = ABSENT; /* from now on only their page maps tell */
	rest->present = rest->own = rest->huge = ABSENT;
	make_anonymous(rest);
	if (!vma->pages)
		return;
	rest->pages = checked_strdup(vma->pages + pages);
	vma->pages[pages] = '\0';
}

void layouts__part_bss(struct anatomy *anatomy)
{
	for (size_t i = 0; i < anatomy->layout_count; i++) {
		struct layout *layout = &anatomy->layouts[i];

		for (size_t k = 0; k < layout->vma_count; k++) {
			struct layout_vma *vma = &layout->vmas[k];
			uint64_t size;

			if (vma->kind != PLACE_BSS || vma->object >= anatomy->object_count ||
			    !read_size(anatomy, layout, vma, &size))
				continue;
			if (!size)
				make_anonymous(vma);
			else if (size < vma->end - vma->start)
				split(layout, k, size);
		}
	}
}
