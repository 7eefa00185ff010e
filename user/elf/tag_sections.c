// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/dynamic.h"
#include "elf/records.h"
#include "elf/sections.h"

/* Tables that a tag points to; without a tag for the size they end where the next one begins. */
static const struct {
	int64_t start, size;
	const char *name;
} tables[] = {
	{ DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ, ".preinit_array" },
	{ DT_INIT_ARRAY, DT_INIT_ARRAYSZ, ".init_array" },
	{ DT_FINI_ARRAY, DT_FINI_ARRAYSZ, ".fini_array" },
	{ DT_HASH, 0, ".hash" },
	{ DT_GNU_HASH, 0, ".gnu.hash" },
	{ DT_SYMTAB, 0, ".dynsym" },
	{ DT_STRTAB, DT_STRSZ, ".dynstr" },
	{ DT_VERSYM, 0, ".gnu.version" },
	{ DT_VERDEF, 0, ".gnu.version_d" },
	{ DT_VERNEED, 0, ".gnu.version_r" },
	{ DT_RELA, DT_RELASZ, ".rela.dyn" },
	{ DT_REL, DT_RELSZ, ".rel.dyn" },
	{ DT_RELR, DT_RELRSZ, ".relr.dyn" },
};

enum { TABLE_KINDS = sizeof(tables) / sizeof(tables[0]) };

static const struct {
	uint32_t type;
	const char *name;
} parts[] = {
	{ PT_INTERP, ".interp" },
	{ PT_DYNAMIC, ".dynamic" },
	{ PT_GNU_EH_FRAME, ".eh_frame_hdr" },
	{ PT_TLS, ".tdata" },
};

/* JMPREL first: some linkers let the other relocations go on to its end. */
static void add_plt(struct elf_sections *sections, const struct elf_object *object)
{
	const GElf_Dyn *relocations = elf_object__tag(object, DT_JMPREL);
	const GElf_Dyn *got = elf_object__tag(object, DT_PLTGOT);
	bool rel = elf_object__tag_value(object, DT_PLTREL) == DT_REL;
	uint64_t size = elf_object__tag_value(object, DT_PLTRELSZ);
	uint64_t slots = size / elf_records__size(object, rel ? ELF_T_REL : ELF_T_RELA);

	if (relocations)
		elf_sections__add(sections, relocations->d_un.d_ptr, size, rel ? ".rel.plt" : ".rela.plt", false);
	/* Three words for ld.so, then the slots. Linkers give BIND_NOW no GOT of its own. */
	if (got)
		elf_sections__add(sections, got->d_un.d_ptr, (3 + slots) * elf_records__size(object, ELF_T_ADDR),
				  elf_bind_now__of(object) ? ".got" : ".got.plt", false);
}

static void add_parts(struct elf_sections *sections, const struct elf_object *object)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const GElf_Phdr *segment = elf_object__segment(object, parts[i].type);

		if (segment && segment->p_filesz)
			elf_sections__add(sections, segment->p_vaddr, segment->p_filesz, parts[i].name, false);
	}
	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];

		if (segment->p_type == PT_NOTE)
			elf_sections__add(sections, segment->p_vaddr, segment->p_filesz, ".note", false);
	}
}

/*
 * How many bytes from `start` on belong together: up to the next known start, or the end of the
 * file part.
 */
static uint64_t room(const struct elf_sections *sections, const struct elf_object *object, uint64_t start)
{
	uint64_t room;

	elf_object__file_offset(object, start, &room);
	for (size_t i = 0; i < sections->count; i++) {
		uint64_t after = sections->list[i].start - start;

		if (sections->list[i].start > start && after < room)
			room = after;
	}
	for (size_t i = 0; i < TABLE_KINDS; i++) {
		uint64_t other = elf_object__tag_value(object, tables[i].start);

		if (other > start && other - start < room)
			room = other - start;
	}
	return room;
}

static void add_tables(struct elf_sections *sections, const struct elf_object *object)
{
	size_t known = sections->count;
	struct elf_sections before = { sections->list, known };

	for (size_t i = 0; i < TABLE_KINDS; i++) {
		const GElf_Dyn *start = elf_object__tag(object, tables[i].start);
		uint64_t size;

		if (!start)
			continue;
		before.list = sections->list;
		size = tables[i].size ? elf_object__tag_value(object, tables[i].size)
				      : room(&before, object, start->d_un.d_ptr);
		elf_sections__add(sections, start->d_un.d_ptr, size, tables[i].name, false);
	}
}

static void add_segments(struct elf_sections *sections, const struct elf_object *object)
{
	const GElf_Phdr *relro = elf_object__segment(object, PT_GNU_RELRO);

	if (relro)
		elf_sections__add(sections, relro->p_vaddr, relro->p_filesz, "[relro]", false);
	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];
		const char *name = segment->p_flags & PF_X   ? "[code]"
				   : segment->p_flags & PF_W ? "[data]"
							     : "[constants]";

		if (segment->p_type != PT_LOAD)
			continue;
		elf_sections__add(sections, segment->p_vaddr, segment->p_filesz, name, false);
		elf_sections__add(sections, segment->p_vaddr + segment->p_filesz,
				  segment->p_memsz - segment->p_filesz, ".bss", false);
	}
}

void elf_sections__add_by_tags(struct elf_sections *sections, const struct elf_object *object)
{
	add_plt(sections, object);
	add_parts(sections, object);
	add_tables(sections, object);
	add_segments(sections, object);
}
