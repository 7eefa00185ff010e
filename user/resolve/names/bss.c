// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/names/place_names.h"

#include "base/memory.h"
#include "base/page.h"
#include "elf/file.h"
#include "elf/mapping.h"

bool place__settle_bss(struct place *place, const struct elf_object *object, uint64_t *address)
{
	struct elf_bss bss;

	if (!elf_mapping__bss(object, place->offset, &bss))
		return false;
	*address = bss.address;
	if (place->offset < bss.end)
		return true;
	place->kind = PLACE_ANON;
	place->object = NO_OBJECT;
	place->offset -= bss.begin;
	return false;
}

/* How many bytes of the mapping are .bss; false: no file part ends where it begins. */
static bool bss_size(const struct anatomy *anatomy, const struct layout_vma *vma, uint64_t *size)
{
	const struct object *known = &anatomy->objects[vma->object];
	struct elf_file *file;
	struct elf_bss bss;
	bool found;

	if (!known->path || known->changed)
		return false;
	file = elf_file__open(known->path);
	found = file->opened == ELF_OPENED &&
		elf_mapping__bss(&file->object, vma->offset, &bss) && bss.begin == vma->offset;
	elf_file__close(file);
	if (found)
		*size = bss.end - bss.begin;
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
	size_t pages = size / page_bytes;

	layout->vmas = checked(reallocarray(layout->vmas, layout->vma_count + 1, sizeof(*vma)));
	vma = &layout->vmas[index];
	rest = vma + 1;
	memmove(rest, vma, (layout->vma_count - index) * sizeof(*vma));
	layout->vma_count++;
	vma->end = rest->start = vma->start + size;
	vma->bytes = NULL;
	vma->present = vma->own = vma->huge = ABSENT; /* now only the page maps tell */
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
			    !bss_size(anatomy, vma, &size))
				continue;
			if (!size)
				make_anonymous(vma);
			else if (size < vma->end - vma->start)
				split(layout, k, size);
		}
	}
}
