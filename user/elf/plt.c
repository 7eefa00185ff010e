// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>

#include "elf/records.h"
#include "elf/relocations.h"

static const GElf_Phdr *code_at(const struct elf_object *object, uint64_t address)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) &&
		    address >= segment->p_vaddr && address - segment->p_vaddr < segment->p_memsz)
			return segment;
	}
	return NULL;
}

/* The linker lets an unbound slot point to its PLT entry: the word in the file leads there. */
static const GElf_Phdr *code_of_slot(const struct elf_object *object, const struct elf_slot *slot)
{
	char word[sizeof(Elf64_Addr)];
	uint64_t rest, offset = elf_object__file_offset(object, slot->address, &rest);

	if (rest < elf_records__size(object, ELF_T_ADDR) || !elf_records__read(object, offset, ELF_T_ADDR, 1, word))
		return NULL;
	return code_at(object, elf_records__word_at(object, word, 0));
}

static const GElf_Phdr *first_code(const struct elf_object *object)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X))
			return segment;
	}
	return NULL;
}

/*
 * Prelinked slots lead to other objects, and some linkers leave zero: then the first segment of
 * code is taken.
 */
void elf_plt__find(struct elf_relocations *out, const struct elf_object *object)
{
	const GElf_Phdr *code = NULL;
	int tries = 16;

	if (!out->counts[RELOC_JUMP_SLOT])
		return;
	for (size_t i = 0; i < out->slot_count && !code && tries; i++) {
		if (out->slots[i].kind != RELOC_JUMP_SLOT)
			continue;
		code = code_of_slot(object, &out->slots[i]);
		tries--;
	}
	if (!code)
		code = first_code(object);
	if (!code || code->p_memsz > UINT64_MAX - code->p_vaddr)
		return;
	out->plt_start = code->p_vaddr;
	out->plt_end = code->p_vaddr + code->p_memsz;
}
