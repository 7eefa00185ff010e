// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/mapping.h"

#include <stddef.h>

#include "elf/symbols.h"

enum { PAGE = 4096 };

static uint64_t page_of(uint64_t offset)
{
	return offset & ~(uint64_t)(PAGE - 1);
}

static uint64_t page_end(uint64_t offset)
{
	return offset > UINT64_MAX - PAGE ? UINT64_MAX : page_of(offset + PAGE - 1);
}

static bool in_relro(const struct elf_object *object, uint64_t address)
{
	const GElf_Phdr *relro = elf_object__segment(object, PT_GNU_RELRO);

	return relro && address >= page_of(relro->p_vaddr) &&
	       address - page_of(relro->p_vaddr) <
		       page_end(relro->p_vaddr + relro->p_memsz) - page_of(relro->p_vaddr);
}

static unsigned int rights_of(const GElf_Phdr *segment)
{
	return (segment->p_flags & PF_R ? ELF_READ : 0) |
	       (segment->p_flags & PF_W ? ELF_WRITE : 0) | (segment->p_flags & PF_X ? ELF_EXEC : 0);
}

/*
 * How well a segment explains a mapping of that offset; 0: not at all. Mappings are of whole pages,
 * so each end of a segment is mapped with a piece of its neighbours; their rights tell which is
 * which. In the file part of a segment is better than beside it, and that better than its .bss.
 */
static int score(const struct elf_object *object, const GElf_Phdr *segment, uint64_t offset,
		 unsigned int rights)
{
	uint64_t address = offset - segment->p_offset + segment->p_vaddr;
	uint64_t file_end = segment->p_offset + segment->p_filesz;
	uint64_t end = page_end(segment->p_offset + segment->p_memsz);
	unsigned int own = rights_of(segment);
	int points;

	if (segment->p_type != PT_LOAD || offset < page_of(segment->p_offset) || offset >= end)
		return 0;
	if (offset >= segment->p_offset && offset < file_end)
		points = 3;
	else
		points = offset < page_end(file_end) ? 2 : 1;
	if (points == 1 && !(own & ELF_WRITE))
		return 0;
	if (!rights || rights == own ||
	    ((own & ELF_WRITE) && rights == (own & ~ELF_WRITE) && in_relro(object, address)))
		points += 4;
	return points;
}

bool elf_mapping__address(const struct elf_object *object, uint64_t offset, unsigned int rights,
			  uint64_t *address)
{
	const GElf_Phdr *best = NULL;
	int most = 0;

	for (size_t i = 0; i < object->segment_count; i++) {
		int points = score(object, &object->segments[i], offset, rights);

		if (points > most) {
			most = points;
			best = &object->segments[i];
		}
	}
	if (best)
		*address = offset - best->p_offset + best->p_vaddr;
	return best;
}
