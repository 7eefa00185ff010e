// SPDX-License-Identifier: GPL-2.0-or-later
/* The table is .eh_frame_hdr (Linux Standard Base, Core, "Exception Frames"); the linker sorts it by address. */
#include "elf/function_start.h"

#include <dwarf.h>

enum { HEAD_BYTES = 12, ENTRY_BYTES = 8 };

struct head {
	unsigned char version, frame_encoding, count_encoding, table_encoding;
	int32_t frame;
	uint32_t count;
};

static bool read_head(const struct elf_object *object, uint64_t at, struct head *head)
{
	_Static_assert(sizeof(*head) == HEAD_BYTES, "as in the file");
	return elf_object__read_at(object, at, head, sizeof(*head)) && head->version == 1 &&
	       head->frame_encoding == (DW_EH_PE_pcrel | DW_EH_PE_sdata4) && head->count_encoding == DW_EH_PE_udata4 &&
	       head->table_encoding == (DW_EH_PE_datarel | DW_EH_PE_sdata4);
}

/* A function's address, then that of its frame description; both relative to the header. */
static bool read_entry(const struct elf_object *object, uint64_t header, uint64_t index, uint64_t *start)
{
	int32_t entry[2];

	if (!elf_object__read_at(object, header + HEAD_BYTES + index * ENTRY_BYTES, entry, sizeof(entry)))
		return false;
	*start = header + (int64_t)entry[0];
	return true;
}

uint64_t elf_function__start(const struct elf_object *object, uint64_t address)
{
	const GElf_Phdr *segment = elf_object__segment(object, PT_GNU_EH_FRAME);
	uint64_t first = 0, last, start = 0, found = 0;
	struct head head;

	/* Words are read as they stand in memory: files of the other byte order have no answer. */
	if (!segment || object->header.e_ident[EI_DATA] != ELFDATA2LSB || !read_head(object, segment->p_vaddr, &head))
		return 0;
	last = head.count;
	while (first < last) {
		const uint64_t middle = first + (last - first) / 2;

		if (!read_entry(object, segment->p_vaddr, middle, &start))
			return 0;
		if (start > address) {
			last = middle;
			continue;
		}
		found = start;
		first = middle + 1;
	}
	return found;
}
