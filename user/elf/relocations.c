// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/relocations.h"

#include "base/bisect.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/dynamic.h"

enum {
	CHUNK = 4096,		   /* records read at once */
	TABLE_BYTES_MAX = 1 << 26, /* no linker writes more; a sparse file could claim it */
	NAME_BYTES_MAX = 1 << 26,
};

struct reader {
	const struct elf_object *object;
	struct elf_relocations *out;
	uint64_t symbols, symbol_room; /* DT_SYMTAB */
	size_t name_bytes;
	elf_rel_fn *each; /* gets them, instead of `out`; NULL */
	void *context;
};

struct relocation_table {
	uint64_t offset, size; /* in the file */
	Elf_Type type;	       /* ELF_T_RELA, ELF_T_REL, ELF_T_ADDR: RELR */
};

static char *symbol_name(const struct reader *reader, uint64_t index)
{
	GElf_Sym symbol;

	if (!index || index >= reader->symbol_room ||
	    !elf_records__symbol(reader->object, reader->symbols + index * elf_records__size(reader->object, ELF_T_SYM),
				 &symbol) ||
	    !symbol.st_name)
		return NULL;
	return elf_object__dynamic_string(reader->object, symbol.st_name);
}

static void add_slot(struct reader *reader, enum relocation_kind kind, uint64_t address, uint64_t symbol)
{
	struct elf_relocations *out = reader->out;
	char *name;

	if (out->slot_count == ELF_SLOTS_MOST || reader->name_bytes > NAME_BYTES_MAX) {
		out->slots_left_out = true;
		return;
	}
	name = symbol_name(reader, symbol);
	reader->name_bytes += name ? strlen(name) : 0;
	out->slots = checked_grow(out->slots, out->slot_count, sizeof(*out->slots));
	out->slots[out->slot_count++] = (struct elf_slot){ kind, address, name };
}

static void add_relocation(struct reader *reader, const struct elf_rel *rel)
{
	unsigned int machine = reader->object->header.e_machine;
	enum relocation_kind kind = elf_relocation__kind(machine, rel->type);

	if (reader->each) {
		reader->each(reader->context, rel);
		return;
	}
	reader->out->counts[kind]++;
	if (elf_relocation__is_slot(machine, rel->type))
		add_slot(reader, kind, rel->address, rel->symbol);
}

/* An even word is the address of one relocation; an odd one marks some of the words that follow. */
static uint64_t count_relr(uint64_t word)
{
	return word & 1 ? __builtin_popcountll(word >> 1) : 1;
}

static void add_records(struct reader *reader, Elf_Type type, const void *records, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct elf_rel rel;

		if (type == ELF_T_ADDR && reader->each)
			continue;
		if (type == ELF_T_ADDR) {
			reader->out->counts[RELOC_RELR] += count_relr(elf_records__word_at(reader->object, records, i));
			continue;
		}
		rel = elf_records__rel_at(reader->object, type, records, i);
		add_relocation(reader, &rel);
	}
}

static bool read_table(struct reader *reader, const struct relocation_table *table, char **reason)
{
	size_t size = elf_records__size(reader->object, table->type);
	char records[CHUNK * sizeof(Elf64_Rela)];
	uint64_t count = table->size / size;

	for (uint64_t done = 0; done < count; done += CHUNK) {
		size_t here = count - done < CHUNK ? count - done : CHUNK;

		if (!elf_records__read(reader->object, table->offset + done * size, table->type, here, records)) {
			*reason = checked_strdup("its relocations cannot be read: truncated?");
			return false;
		}
		add_records(reader, table->type, records, here);
	}
	return true;
}

/* Some linkers let DT_RELASZ go on to the end of DT_JMPREL; ld.so then takes only the rest. */
static uint64_t without_plt(const struct elf_object *object, uint64_t start, uint64_t size)
{
	uint64_t plt = elf_object__tag_value(object, DT_JMPREL);
	uint64_t plt_size = elf_object__tag_value(object, DT_PLTRELSZ);

	if (plt > start && plt_size < size && plt + plt_size == start + size)
		return size - plt_size;
	return size;
}

static bool read_tagged(struct reader *reader, int64_t tag, int64_t size_tag, Elf_Type type, char **reason)
{
	const GElf_Dyn *start = elf_object__tag(reader->object, tag);
	struct relocation_table table = { .type = type };
	uint64_t rest;

	table.size = elf_object__tag_value(reader->object, size_tag);
	if (!start || !table.size)
		return true;
	if (tag == DT_RELA || tag == DT_REL)
		table.size = without_plt(reader->object, start->d_un.d_ptr, table.size);
	table.offset = elf_object__file_offset(reader->object, start->d_un.d_ptr, &rest);
	if (table.size <= rest && table.size <= TABLE_BYTES_MAX)
		return read_table(reader, &table, reason);
	error__set(reason,
		   table.size <= rest ? "the %llu bytes of relocations at 0x%llx are more than any linker writes"
				      : "the %llu bytes of relocations at 0x%llx lie outside its segments",
		   (unsigned long long)table.size, (unsigned long long)start->d_un.d_ptr);
	return false;
}

static bool read_dynamic(struct reader *reader, char **reason)
{
	bool rel = elf_object__tag_value(reader->object, DT_PLTREL) == DT_REL;

	return read_tagged(reader, DT_RELA, DT_RELASZ, ELF_T_RELA, reason) &&
	       read_tagged(reader, DT_REL, DT_RELSZ, ELF_T_REL, reason) &&
	       read_tagged(reader, DT_RELR, DT_RELRSZ, ELF_T_ADDR, reason) &&
	       read_tagged(reader, DT_JMPREL, DT_PLTRELSZ, rel ? ELF_T_REL : ELF_T_RELA, reason);
}

bool elf_relocations__walk(const struct elf_object *object, elf_rel_fn *each, void *context, char **reason)
{
	struct reader reader = { .object = object, .each = each, .context = context };

	return read_dynamic(&reader, reason);
}

/* The start-up code of a static program relocates what the linker put between two symbols. */
static bool read_sections(struct reader *reader, char **reason)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(reader->object->elf, section))) {
		struct relocation_table table;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    (header.sh_type != SHT_RELA && header.sh_type != SHT_REL))
			continue;
		if (header.sh_size > TABLE_BYTES_MAX) {
			*reason = checked_strdup("it has more relocations than any linker writes");
			return false;
		}
		table = (struct relocation_table){ header.sh_offset, header.sh_size,
					header.sh_type == SHT_RELA ? ELF_T_RELA : ELF_T_REL };
		if (!read_table(reader, &table, reason))
			return false;
	}
	return true;
}

static void find_relro(struct elf_relocations *out, const struct elf_object *object)
{
	const GElf_Phdr *relro = elf_object__segment(object, PT_GNU_RELRO);

	if (!relro || relro->p_memsz > UINT64_MAX - relro->p_vaddr)
		return;
	out->relro_start = relro->p_vaddr;
	out->relro_end = relro->p_vaddr + relro->p_memsz;
}

/* ld.so is loaded first, so it has to relocate itself, all at once. */
static bool is_ldso(const struct elf_object *object)
{
	char *name = elf_object__dynamic_string(object, elf_object__tag_value(object, DT_SONAME));
	bool is = name && (!strncmp(name, "ld-linux", 8) || !strncmp(name, "ld.so.", 6) ||
			   !strncmp(name, "ld64.so.", 8));

	free(name);
	return is && !elf_object__tag(object, DT_NEEDED);
}

static int by_address(const void *left, const void *right)
{
	const struct elf_slot *a = *(const struct elf_slot *const *)left;
	const struct elf_slot *b = *(const struct elf_slot *const *)right;

	return (a->address > b->address) - (a->address < b->address);
}

static void sort_slots(struct elf_relocations *out)
{
	out->by_address = checked_calloc(out->slot_count, sizeof(*out->by_address));
	for (size_t i = 0; i < out->slot_count; i++)
		out->by_address[i] = &out->slots[i];
	qsort(out->by_address, out->slot_count, sizeof(*out->by_address), by_address);
}

static bool read_relocations(struct reader *reader, char **reason)
{
	const struct elf_object *object = reader->object;
	struct elf_relocations *out = reader->out;

	out->word = elf_records__size(object, ELF_T_ADDR);
	if (!elf_dynamic_symbols__find(object, &reader->symbols, &reader->symbol_room))
		reader->symbol_room = 0;
	if (!(object->dynamic_count ? read_dynamic(reader, reason) : read_sections(reader, reason)))
		return false;
	out->lazy = out->counts[RELOC_JUMP_SLOT] && !elf_bind_now__of(object) && !is_ldso(object);
	find_relro(out, object);
	elf_plt__find(out, object);
	sort_slots(out);
	return true;
}

static void release_relocations(void *data)
{
	struct elf_relocations *relocations = data;

	for (size_t i = 0; i < relocations->slot_count; i++)
		free(relocations->slots[i].symbol);
	free(relocations->slots);
	free(relocations->by_address);
	free(relocations);
}

static void make_relocations(struct elf_part *part, const struct elf_object *object)
{
	struct elf_relocations *relocations = checked_calloc(1, sizeof(*relocations));
	struct reader reader = { .object = object, .out = relocations };

	*part = (struct elf_part){ .made = true, .release = release_relocations };
	if (!read_relocations(&reader, &part->reason)) {
		release_relocations(relocations);
		return;
	}
	part->data = relocations;
	part->bytes = relocations->slot_count * (sizeof(struct elf_slot) + sizeof(void *)) + reader.name_bytes;
}

const struct elf_relocations *elf_relocations__of(struct elf_file *file, const char **reason)
{
	struct elf_part *part = &file->parts[ELF_PART_RELOCATIONS];

	if (!part->made && file->opened == ELF_OPENED)
		make_relocations(part, &file->object);
	*reason = part->reason ? part->reason : elf_file__problem(file);
	return part->data;
}

static bool is_below(const void *slots, size_t index, const void *address)
{
	return ((const struct elf_slot *const *)slots)[index]->address < *(const uint64_t *)address;
}

size_t elf_relocations__first_slot(const struct elf_relocations *relocations, uint64_t address)
{
	return bisect(relocations->by_address, relocations->slot_count, is_below, &address);
}
