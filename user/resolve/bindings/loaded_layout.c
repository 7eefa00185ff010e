// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/bindings/loaded_layout.h"

#include "base/bisect.h"
#include "base/page.h"
#include "elf/mapping.h"

static bool ends_by(const void *vmas, size_t index, const void *address)
{
	return ((const struct layout_vma *)vmas)[index].end <= *(const uint64_t *)address;
}

/* Index of the mapping that holds an address; vma_count if none does. */
static size_t vma_at(const struct layout *layout, uint64_t address)
{
	size_t index = bisect(layout->vmas, layout->vma_count, ends_by, &address);

	return index < layout->vma_count && address < layout->vmas[index].start ? layout->vma_count : index;
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

		if (vma->object == object && !vma->shared && (vma->exec || vma->write || vma->bytes))
			return true;
	}
	return false;
}

bool layout__is_of_parent(const struct layout *layout, const struct run *run, uint32_t group)
{
	return layout->group == group || (group < run->group_count && run->groups[group].parent_exe == layout->exe);
}

/* Mappings of one object; if there are more, the first ones tell enough. */
enum { WITNESSES = 64 };

struct witnesses {
	const struct layout_vma *vmas[WITNESSES];
	size_t count;
};

static unsigned int rights_of(const struct layout_vma *vma)
{
	return (vma->read ? ELF_READ : 0) | (vma->write ? ELF_WRITE : 0) | (vma->exec ? ELF_EXEC : 0);
}

/* Mappings without rights only reserve room: their offsets say nothing. */
static void find_witnesses(struct witnesses *witnesses, const struct layout *layout, uint32_t object)
{
	witnesses->count = 0;
	for (size_t i = 0; i < layout->vma_count && witnesses->count < WITNESSES; i++) {
		const struct layout_vma *vma = &layout->vmas[i];

		if (vma->object == object && vma->kind == PLACE_FILE && rights_of(vma))
			witnesses->vmas[witnesses->count++] = vma;
	}
}

/* How well the segments explain that these mappings are where they are, if loaded at `bias`. */
static int explained(const struct witnesses *witnesses, const struct elf_object *elf, uint64_t bias)
{
	int sum = 0;

	for (size_t i = 0; i < witnesses->count; i++) {
		const struct layout_vma *vma = witnesses->vmas[i];
		int most = 0;

		for (size_t k = 0; k < elf->segment_count; k++) {
			uint64_t address;
			int points = elf_mapping__score(elf, k, vma->offset, rights_of(vma), &address);

			if (points > most && address + bias == vma->start)
				most = points;
		}
		sum += most;
	}
	return sum;
}

bool layout__bias(const struct layout *layout, uint32_t object, const struct elf_object *elf, uint64_t *bias)
{
	struct witnesses witnesses;
	int most = 0;

	find_witnesses(&witnesses, layout, object);
	for (size_t i = 0; i < witnesses.count; i++) {
		const struct layout_vma *vma = witnesses.vmas[i];

		for (size_t k = 0; k < elf->segment_count; k++) {
			uint64_t address;
			int points;

			if (!elf_mapping__score(elf, k, vma->offset, rights_of(vma), &address))
				continue;
			points = explained(&witnesses, elf, vma->start - address);
			if (points <= most)
				continue;
			most = points;
			*bias = vma->start - address;
		}
	}
	return most;
}

/* ld.so writes to every slot, so a page that is not anonymous holds none, or is swapped out. */
static bool was_read(const struct layout_vma *vma, uint64_t inner)
{
	return vma->bytes && (!vma->pages || vma->pages[inner / page_bytes] == 'a');
}

bool layout__word(const struct layout *layout, uint64_t address, const struct linked_file *file, uint64_t *word)
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
