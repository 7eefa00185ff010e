// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/debug.h"

#include <string.h>

#include "elf/records.h"

enum { NOTES_MOST = 64, NOTE_BYTES_MAX = 65536 };

static uint64_t aligned(uint64_t size)
{
	return (size + 3) & ~(uint64_t)3;
}

/* The build id among the notes from `offset` to `end`; they all are aligned to 4 bytes. */
static bool find_build_id(const struct elf_object *object, uint64_t offset, uint64_t end, struct build_id *id)
{
	for (int i = 0; i < NOTES_MOST && offset < end; i++) {
		uint32_t note[3];
		char name[4] = "";
		uint64_t contents;

		if (!elf_records__read(object, offset, ELF_T_WORD, 3, note))
			return false;
		contents = offset + sizeof(note) + aligned(note[0]);
		if (note[2] == NT_GNU_BUILD_ID && note[0] == sizeof(name) && note[1] && note[1] <= BUILD_ID_MOST &&
		    elf_object__read(object, offset + sizeof(note), name, sizeof(name)) &&
		    !memcmp(name, ELF_NOTE_GNU, sizeof(name)) &&
		    elf_object__read(object, contents, id->bytes, note[1])) {
			id->size = note[1];
			return true;
		}
		offset = contents + aligned(note[1]);
	}
	return false;
}

static bool find_in_notes(const struct elf_object *object, uint64_t offset, uint64_t size, struct build_id *id)
{
	if (size > NOTE_BYTES_MAX)
		size = NOTE_BYTES_MAX;
	return offset <= INT64_MAX && find_build_id(object, offset, offset + size, id);
}

/* By segments, as debuggers find it in memory; debug files have section headers only. */
struct build_id build_id__of(const struct elf_object *object)
{
	struct build_id id = { 0 };
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];

		if (segment->p_type == PT_NOTE && find_in_notes(object, segment->p_offset, segment->p_filesz, &id))
			return id;
	}
	while ((section = elf_nextscn(object->elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE &&
		    find_in_notes(object, header.sh_offset, header.sh_size, &id))
			return id;
	}
	return id;
}

bool build_id__equal(const struct build_id *left, const struct build_id *right)
{
	return left->size == right->size && !memcmp(left->bytes, right->bytes, left->size);
}
