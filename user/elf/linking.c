// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/linking.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "elf/dynamic.h"
#include "elf/relocations.h"

/* No file has more; one that claims more is wrong. */
enum { SYMBOLS_MOST = 1 << 20, STRINGS_MOST = 1 << 26, VERSIONS_MOST = 1 << 15 };
/* Of an entry of DT_VERSYM. */
enum { VERSION_MASK = 0x7fff, VERSION_HIDDEN = 0x8000 };

enum use { USE_CALL = 1, USE_DATA = 2, USE_COPY = 4 };

struct reader {
	const struct elf_object *object;
	struct elf_linking *out;
	uint64_t symbols, room; /* DT_SYMTAB, and how many may be there */
	unsigned char *uses; /* of each symbol, enum use */
	uint64_t use_count;
	const char **versions; /* by index, as DT_VERSYM has it */
	uint64_t versym; /* offset of DT_VERSYM; 0: none */
};

static void note_use(void *context, const struct elf_rel *rel)
{
	const unsigned int machine = ((struct reader *)context)->object->header.e_machine;
	const enum relocation_kind kind = elf_relocation__kind(machine, rel->type);
	struct reader *reader = context;

	if (!rel->symbol || rel->symbol >= reader->room || rel->symbol >= SYMBOLS_MOST)
		return;
	while (reader->use_count <= rel->symbol) {
		reader->uses = checked_grow(reader->uses, reader->use_count, sizeof(*reader->uses));
		reader->uses[reader->use_count++] = 0;
	}
	reader->uses[rel->symbol] |= kind == RELOC_JUMP_SLOT ? USE_CALL : kind == RELOC_COPY ? USE_COPY : USE_DATA;
}

static const char *string_at(const struct reader *reader, uint64_t index)
{
	return index < reader->object->strings_size ? reader->out->strings + index : "";
}

/* Of a verdef or verneed entry; both are the same in files of either class. */
static void set_version(struct reader *reader, unsigned int index, uint32_t name)
{
	index &= VERSION_MASK;
	if (index < VERSIONS_MOST)
		reader->versions[index] = string_at(reader, name);
}

static void read_needs(struct reader *reader, uint64_t offset, uint64_t count)
{
	unsigned int left = VERSIONS_MOST; /* of entries, whose links may form a circle */

	for (uint64_t i = 0; i < count; i++) {
		Elf64_Verneed need;
		Elf64_Vernaux aux;
		uint64_t at;

		if (!left || !--left || !elf_object__read(reader->object, offset, &need, sizeof(need)))
			return;
		at = offset + need.vn_aux;
		for (unsigned int k = 0; k < need.vn_cnt; k++) {
			if (!left || !--left || !elf_object__read(reader->object, at, &aux, sizeof(aux)))
				return;
			set_version(reader, aux.vna_other, aux.vna_name);
			at += aux.vna_next;
		}
		offset += need.vn_next;
	}
}

static void read_offers(struct reader *reader, uint64_t offset, uint64_t count)
{
	for (uint64_t i = 0; i < count && i < VERSIONS_MOST; i++) {
		Elf64_Verdef offer;
		Elf64_Verdaux aux;

		if (!elf_object__read(reader->object, offset, &offer, sizeof(offer)) ||
		    !elf_object__read(reader->object, offset + offer.vd_aux, &aux, sizeof(aux)))
			return;
		/* The first names the file itself. */
		if (!(offer.vd_flags & VER_FLG_BASE))
			set_version(reader, offer.vd_ndx, aux.vda_name);
		offset += offer.vd_next;
	}
}

static uint64_t offset_of(const struct reader *reader, int64_t tag)
{
	const GElf_Dyn *entry = elf_object__tag(reader->object, tag);
	uint64_t rest;

	return entry ? elf_object__file_offset(reader->object, entry->d_un.d_ptr, &rest) : 0;
}

static void read_versions(struct reader *reader)
{
	const struct elf_object *object = reader->object;
	const uint64_t needs = offset_of(reader, DT_VERNEED), offers = offset_of(reader, DT_VERDEF);

	reader->versions = checked_calloc(VERSIONS_MOST, sizeof(*reader->versions));
	reader->versym = offset_of(reader, DT_VERSYM);
	if (needs)
		read_needs(reader, needs, elf_object__tag_value(object, DT_VERNEEDNUM));
	if (offers)
		read_offers(reader, offers, elf_object__tag_value(object, DT_VERDEFNUM));
}

static bool binds_elsewhere(const GElf_Sym *symbol)
{
	return GELF_ST_BIND(symbol->st_info) != STB_LOCAL && GELF_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT;
}

/* Can the symbol be looked up? The value 0 is no address, but a valid offset in thread-local storage. */
static bool can_be_found(const GElf_Sym *symbol)
{
	const int type = GELF_ST_TYPE(symbol->st_info);
	const int visibility = GELF_ST_VISIBILITY(symbol->st_other);

	return GELF_ST_BIND(symbol->st_info) != STB_LOCAL && type != STT_SECTION && type != STT_FILE &&
	       visibility != STV_HIDDEN && visibility != STV_INTERNAL &&
	       (symbol->st_value || symbol->st_shndx == SHN_ABS || (type == STT_TLS && symbol->st_shndx != SHN_UNDEF));
}

static void add_symbol(struct reader *reader, uint64_t index, const GElf_Sym *symbol, uint16_t version)
{
	const char *name = string_at(reader, symbol->st_name);
	const char *named = reader->versions[version & VERSION_MASK];
	const unsigned char use = index < reader->use_count ? reader->uses[index] : 0;
	struct elf_linking *out = reader->out;

	if (can_be_found(symbol)) {
		out->definitions = checked_grow(out->definitions, out->definition_count, sizeof(*out->definitions));
		out->definitions[out->definition_count++] = (struct elf_definition){
			.name = name,
			.version = named,
			.is_hidden = version & VERSION_HIDDEN,
			.is_stub = symbol->st_shndx == SHN_UNDEF,
		};
	}
	if (use && binds_elsewhere(symbol)) {
		out->references = checked_grow(out->references, out->reference_count, sizeof(*out->references));
		out->references[out->reference_count++] = (struct elf_reference){
			.name = name,
			.version = named,
			.calls = use & USE_CALL,
			.takes = use & ~USE_CALL,
			.copies = use & USE_COPY,
		};
	}
}

/* The two tables run in parallel. */
static bool read_symbols(struct reader *reader)
{
	const struct elf_object *object = reader->object;
	const uint64_t known = elf_dynamic_symbols__count(object);
	const uint64_t count = known > reader->use_count ? known : reader->use_count;
	uint16_t *versions;
	void *symbols;
	bool good;

	if (count > SYMBOLS_MOST || count > reader->room)
		return false;
	symbols = checked_calloc(count, elf_records__size(object, ELF_T_SYM));
	versions = checked_calloc(count, sizeof(*versions));
	good = elf_records__read(object, reader->symbols, ELF_T_SYM, count, symbols) &&
	       (!reader->versym || elf_object__read(object, reader->versym, versions, count * sizeof(*versions)));
	for (uint64_t i = 1; good && i < count; i++) {
		const GElf_Sym symbol = elf_records__sym_at(object, symbols, i);

		add_symbol(reader, i, &symbol, versions[i]);
	}
	free(symbols);
	free(versions);
	return good;
}

static void read_tags(struct reader *reader)
{
	const struct elf_object *object = reader->object;
	struct elf_linking *out = reader->out;
	size_t count = 0;

	out->needed = checked_calloc(object->dynamic_count + 1, sizeof(*out->needed));
	for (size_t i = 0; i < object->dynamic_count; i++) {
		const GElf_Dyn *entry = &object->dynamic[i];
		char *name = entry->d_tag == DT_NEEDED ? elf_object__dynamic_string(object, entry->d_un.d_val) : NULL;

		if (name)
			out->needed[count++] = name;
	}
	if (elf_object__tag(object, DT_SONAME))
		out->soname = elf_object__dynamic_string(object, elf_object__tag_value(object, DT_SONAME));
	out->is_symbolic =
		elf_object__tag(object, DT_SYMBOLIC) || elf_object__tag_value(object, DT_FLAGS) & DF_SYMBOLIC;
}

/* One byte more than the table, so that its last name has an end. */
static bool read_strings(struct reader *reader)
{
	const struct elf_object *object = reader->object;

	if (object->strings_size > STRINGS_MOST)
		return false;
	reader->out->strings = checked_calloc(object->strings_size + 1, 1);
	return elf_object__read(object, object->strings, reader->out->strings, object->strings_size);
}

static bool read_all(struct reader *reader, char **reason)
{
	const GElf_Ehdr *header = &reader->object->header;
	const bool is_ours = header->e_ident[EI_DATA] == ELFDATA2LSB && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	read_tags(reader);
	if (!elf_dynamic_symbols__find(reader->object, &reader->symbols, &reader->room))
		return true; /* it has none */
	if (!elf_relocations__walk(reader->object, note_use, reader, reason))
		return false;
	if (is_ours && read_strings(reader)) {
		read_versions(reader);
		if (read_symbols(reader))
			return true;
	}
	*reason = checked_strdup("its dynamic symbols cannot be read");
	return false;
}

struct elf_linking *elf_linking__read(const struct elf_object *object, char **reason)
{
	struct elf_linking *linking = checked_calloc(1, sizeof(*linking));
	struct reader reader = { .object = object, .out = linking };
	const bool good = read_all(&reader, reason);

	free(reader.uses);
	free(reader.versions);
	if (good)
		return linking;
	elf_linking__free(linking);
	return NULL;
}

void elf_linking__free(struct elf_linking *linking)
{
	if (!linking)
		return;
	text__free_list(linking->needed);
	free(linking->definitions);
	free(linking->references);
	free(linking->soname);
	free(linking->strings);
	free(linking);
}

bool elf_definition__meets(const struct elf_definition *definition, const struct elf_reference *reference, bool call)
{
	if (definition->is_stub && call)
		return false;
	if (!reference->version)
		return !definition->is_hidden;
	return !definition->version || !strcmp(definition->version, reference->version);
}
