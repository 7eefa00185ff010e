// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/mapping.h"

#include "base/page.h"

static bool in_relro(const struct elf_object *object, uint64_t address)
{
	const GElf_Phdr *relro = elf_object__segment(object, PT_GNU_RELRO);

	return relro && address >= page__begin(relro->p_vaddr) &&
	       address - page__begin(relro->p_vaddr) <
		       page__end(relro->p_vaddr + relro->p_memsz) - page__begin(relro->p_vaddr);
}

static unsigned int rights_of(const GElf_Phdr *segment)
{
	return (segment->p_flags & PF_R ? ELF_READ : 0) |
	       (segment->p_flags & PF_W ? ELF_WRITE : 0) | (segment->p_flags & PF_X ? ELF_EXEC : 0);
}

/* How well an offset suits a segment; matching rights are worth more than all of it. */
enum { BEHIND_FILE = 1, BESIDE, CLEARED, IN_FILE, HAS_RIGHTS = 8 };

static int points_of(const GElf_Phdr *segment, uint64_t offset)
{
	uint64_t inner = offset - segment->p_offset;

	if (offset >= page__end(segment->p_offset + segment->p_filesz))
		return BEHIND_FILE;
	if (offset < segment->p_offset || inner >= segment->p_memsz)
		return BESIDE;
	return inner < segment->p_filesz ? IN_FILE : CLEARED;
}

/*
 * Mappings are of whole pages, so each end of a segment is mapped with a piece of its neighbours;
 * their rights tell which is which. An offset in the file part of a segment is a better match than
 * one in the rest of that page, which is cleared for its .bss as far as that goes; and that is
 * better than one behind it.
 */
int elf_mapping__score(const struct elf_object *object, size_t index, uint64_t offset,
		       unsigned int rights, uint64_t *address)
{
	const GElf_Phdr *segment = &object->segments[index];
	uint64_t end = page__end(segment->p_offset + segment->p_memsz);
	unsigned int own = rights_of(segment);
	int points;

	*address = offset - segment->p_offset + segment->p_vaddr;
	if (segment->p_type != PT_LOAD || offset < page__begin(segment->p_offset) || offset >= end)
		return 0;
	points = points_of(segment, offset);
	if (points == BEHIND_FILE && !(own & ELF_WRITE))
		return 0;
	if (points == CLEARED && in_relro(object, *address))
		points = BESIDE; /* some linkers pad RELRO with it, and nobody uses that */
	if (!rights || rights == own ||
	    ((own & ELF_WRITE) && rights == (own & ~ELF_WRITE) && in_relro(object, *address)))
		points += HAS_RIGHTS;
	return points;
}

bool elf_mapping__address(const struct elf_object *object, uint64_t offset, unsigned int rights, uint64_t *address)
{
	int most = 0;

	for (size_t i = 0; i < object->segment_count; i++) {
		uint64_t here;
		int points = elf_mapping__score(object, i, offset, rights, &here);

		if (points > most) {
			most = points;
			*address = here;
		}
	}
	return most;
}

/* RELRO may have a .bss of its own, but nobody writes to that once the program runs. */
enum { BEYOND_BSS = 1, IN_RELRO_BSS, IN_BSS };

bool elf_mapping__bss(const struct elf_object *object, uint64_t offset, struct elf_bss *bss)
{
	int most = 0;

	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];
		uint64_t begin = page__end(segment->p_offset + segment->p_filesz);
		uint64_t end = page__end(segment->p_offset + segment->p_memsz);
		uint64_t address = offset - segment->p_offset + segment->p_vaddr;
		int points = offset >= end ? BEYOND_BSS : in_relro(object, address) ? IN_RELRO_BSS : IN_BSS;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W) || offset < begin ||
		    points < most || (points == most && points != BEYOND_BSS))
			continue;
		most = points;
		*bss = (struct elf_bss){ begin, end, address };
	}
	return most;
}
