// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindings/got_file.h"

#include "base/memory.h"
#include "elf/mapping.h"
#include "elf/symbols.h"

static int by_address(const void *left, const void *right)
{
	const struct elf_slot *a = *(const struct elf_slot *const *)left;
	const struct elf_slot *b = *(const struct elf_slot *const *)right;

	return (a->address > b->address) - (a->address < b->address);
}

static void sort_slots(struct linked_file *file)
{
	size_t count = file->relocations->slot_count;

	file->slots = checked_calloc(count, sizeof(*file->slots));
	for (size_t i = 0; i < count; i++)
		file->slots[i] = &file->relocations->slots[i];
	qsort(file->slots, count, sizeof(*file->slots), by_address);
}

/* Files of other machines can be mapped (emulators do), but ld.so has not relocated them. */
static bool is_of_this_machine(const struct linked_file *file)
{
	return file->elf.header.e_machine == EM_X86_64 || file->elf.header.e_machine == EM_386;
}

enum linked linked_file__open(struct linked_file *file, const char *path)
{
	char *reason = NULL;
	enum elf_opened opened;

	*file = (struct linked_file){ 0 };
	opened = elf_object__open(&file->elf, path, &reason);
	if (opened == ELF_OPENED && !is_of_this_machine(file)) {
		elf_object__close(&file->elf);
		return LINKED_NO_ELF;
	}
	if (opened == ELF_OPENED)
		file->relocations = elf_relocations__read(path, &reason);
	free(reason); /* the counts are absent then: that is what can be said */
	if (opened == ELF_IS_NO_ELF)
		return LINKED_NO_ELF;
	if (!file->relocations) {
		if (opened == ELF_OPENED)
			elf_object__close(&file->elf);
		return LINKED_UNREADABLE;
	}
	file->relocations->word = file->elf.header.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
	file->mask = file->relocations->word == 4 ? UINT32_MAX : UINT64_MAX;
	sort_slots(file);
	return LINKED;
}

void linked_file__close(struct linked_file *file)
{
	elf_object__close(&file->elf);
	elf_relocations__free(file->relocations);
	free(file->slots);
	*file = (struct linked_file){ 0 };
}

bool linked_file__written(const struct linked_file *file, uint64_t offset, uint64_t *address)
{
	return elf_mapping__address(&file->elf, offset, ELF_READ | ELF_WRITE, address);
}

/* Makes `size` bytes at a file offset available in the window, and as many behind as fit. */
static const unsigned char *look(struct linked_file *file, uint64_t offset, size_t size)
{
	uint64_t all = file->elf.stat.st_size;

	if (offset >= file->window_offset && offset - file->window_offset < file->window_size &&
	    file->window_size - (offset - file->window_offset) >= size)
		return file->window + (offset - file->window_offset);
	if (offset >= all || all - offset < size)
		return NULL;
	file->window_offset = offset;
	file->window_size = all - offset < sizeof(file->window) ? all - offset
								: sizeof(file->window);
	if (!elf_object__read(&file->elf, offset, file->window, file->window_size)) {
		file->window_size = 0;
		return NULL;
	}
	return file->window;
}

uint64_t linked_file__load(const struct linked_file *file, const unsigned char *bytes)
{
	uint32_t half;
	uint64_t word;

	if (file->relocations->word == sizeof(half)) {
		memcpy(&half, bytes, sizeof(half));
		return half;
	}
	memcpy(&word, bytes, sizeof(word));
	return word;
}

bool linked_file__word(struct linked_file *file, uint64_t address, uint64_t *word)
{
	size_t size = file->relocations->word;

	for (size_t i = 0; i < file->elf.segment_count; i++) {
		const GElf_Phdr *segment = &file->elf.segments[i];
		uint64_t inner = address - segment->p_vaddr;
		const unsigned char *bytes;

		if (segment->p_type != PT_LOAD || address < segment->p_vaddr ||
		    inner >= segment->p_filesz || segment->p_filesz - inner < size)
			continue;
		bytes = look(file, segment->p_offset + inner, size);
		if (bytes)
			*word = linked_file__load(file, bytes);
		return bytes;
	}
	return false;
}

size_t linked_file__first_slot(const struct linked_file *file, uint64_t address)
{
	size_t low = 0, high = file->relocations->slot_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->slots[middle]->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_in_plt(const struct linked_file *file, uint64_t address)
{
	return address >= file->relocations->plt_start && address < file->relocations->plt_end;
}

bool linked_file__is_unbound(struct linked_file *file, const struct elf_slot *slot, uint64_t bias,
			     uint64_t word)
{
	uint64_t inner = (word - bias) & file->mask, stated;

	if (slot->kind != ELF_JUMP_SLOT || !is_in_plt(file, inner))
		return false;
	if (!linked_file__word(file, slot->address, &stated) || inner == stated)
		return true;
	/* Prelinked: the file states what the slot would be bound to. */
	return stated && !is_in_plt(file, stated);
}
