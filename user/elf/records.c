// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/records.h"

#include <string.h>

static bool is_64(const struct elf_object *object)
{
	return object->header.e_ident[EI_CLASS] == ELFCLASS64;
}

size_t elf_records__size(const struct elf_object *object, Elf_Type type)
{
	return gelf_fsize(object->elf, type, 1, EV_CURRENT);
}

bool elf_records__read(const struct elf_object *object, uint64_t offset, Elf_Type type, size_t count, void *buffer)
{
	Elf_Data data = {
		.d_buf = buffer,
		.d_type = type,
		.d_size = count * elf_records__size(object, type),
		.d_version = EV_CURRENT,
	};
	Elf_Data same = data;

	return elf_object__read(object, offset, buffer, data.d_size) &&
	       gelf_xlatetom(object->elf, &same, &data, object->header.e_ident[EI_DATA]);
}

GElf_Sym elf_records__sym_at(const struct elf_object *object, const void *buffer, size_t index)
{
	Elf64_Sym wide;
	Elf32_Sym narrow;

	if (is_64(object)) {
		memcpy(&wide, (const char *)buffer + index * sizeof(wide), sizeof(wide));
		return wide;
	}
	memcpy(&narrow, (const char *)buffer + index * sizeof(narrow), sizeof(narrow));
	return (GElf_Sym){
		.st_name = narrow.st_name,
		.st_info = narrow.st_info,
		.st_other = narrow.st_other,
		.st_shndx = narrow.st_shndx,
		.st_value = narrow.st_value,
		.st_size = narrow.st_size,
	};
}

uint64_t elf_records__word_at(const struct elf_object *object, const void *buffer, size_t index)
{
	Elf64_Addr wide;
	Elf32_Addr narrow;

	if (is_64(object)) {
		memcpy(&wide, (const char *)buffer + index * sizeof(wide), sizeof(wide));
		return wide;
	}
	memcpy(&narrow, (const char *)buffer + index * sizeof(narrow), sizeof(narrow));
	return narrow;
}

struct elf_rel elf_records__rel_at(const struct elf_object *object, Elf_Type type, const void *buffer, size_t index)
{
	const char *record = (const char *)buffer + index * elf_records__size(object, type);
	Elf64_Rel wide;
	Elf32_Rel narrow;

	if (is_64(object)) {
		memcpy(&wide, record, sizeof(wide));
		return (struct elf_rel){ wide.r_offset, ELF64_R_TYPE(wide.r_info), ELF64_R_SYM(wide.r_info) };
	}
	memcpy(&narrow, record, sizeof(narrow));
	return (struct elf_rel){ narrow.r_offset, ELF32_R_TYPE(narrow.r_info), ELF32_R_SYM(narrow.r_info) };
}

bool elf_records__each_symbol(const struct elf_object *object, uint64_t offset, uint64_t count, elf_symbol_fn *each,
			      void *context)
{
	enum { CHUNK = 1024 };
	const size_t size = elf_records__size(object, ELF_T_SYM);
	char records[CHUNK * sizeof(Elf64_Sym)];

	if (count > ELF_SYMBOLS_MOST)
		count = ELF_SYMBOLS_MOST;
	for (uint64_t done = 0; done < count; done += CHUNK) {
		const size_t here = count - done < CHUNK ? count - done : CHUNK;

		if (!elf_records__read(object, offset + done * size, ELF_T_SYM, here, records))
			return false;
		for (size_t i = 0; i < here; i++) {
			const GElf_Sym symbol = elf_records__sym_at(object, records, i);

			if (!each(context, &symbol))
				return true;
		}
	}
	return true;
}

bool elf_records__symbol(const struct elf_object *object, uint64_t offset, GElf_Sym *symbol)
{
	Elf64_Sym buffer;

	if (!elf_records__read(object, offset, ELF_T_SYM, 1, &buffer))
		return false;
	*symbol = elf_records__sym_at(object, &buffer, 0);
	return true;
}
