// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/elf_machine.h"
#include "elf/shell_layouts.h"
#include "elf/wanted_symbols.h"

/* perl 5.36 with threads: intrpvar.h, cop.h. */
enum { REVISION = 5, VERSION = 36, STATEMENT = 208, LINE = 36, FILE_NAME = 48 };

/* The size of its struct interpreter depends on how it was configured, and on the C library's types; 0: not known. */
static uint16_t interpreter_size(const struct elf_object *object)
{
	switch (object->header.e_machine) {
	case EM_X86_64:
		return 3768;
	case EM_AARCH64:
		return 3864;
	default:
		return 0;
	}
}

/* From the thread pointer to the executable's own thread-local memory. */
static bool from_thread(const struct elf_object *object, uint64_t offset, __u64 *distance)
{
	const struct elf_machine *machine = elf_machine__of(object->header.e_machine);
	const GElf_Phdr *segment = elf_object__segment(object, PT_TLS);
	const uint64_t align = segment && segment->p_align ? segment->p_align : 1;

	if (!segment || !machine)
		return false;
	if (machine->tls_head)
		*distance = (machine->tls_head + align - 1) / align * align + offset;
	else
		*distance = offset - (segment->p_memsz + align - 1) / align * align;
	return true;
}

bool perl_layout__find(struct elf_file *file, struct shell_value *found)
{
	const struct elf_object *object = &file->object;
	__u64 context, size_at, revision_at, version_at;
	uint8_t revision, version;
	uint16_t size;
	struct wanted_symbol wanted[] = {
		{ .name = "PL_current_context", .value = &context },
		{ .name = "PL_interp_size", .value = &size_at },
		{ .name = "PL_revision", .value = &revision_at },
		{ .name = "PL_version", .value = &version_at },
	};

	if (!wanted_symbols__find(object, 0, wanted, sizeof(wanted) / sizeof(wanted[0])) ||
	    !elf_object__read_at(object, size_at, &size, sizeof(size)) ||
	    !elf_object__read_at(object, revision_at, &revision, sizeof(revision)) ||
	    !elf_object__read_at(object, version_at, &version, sizeof(version)) || revision != REVISION ||
	    version != VERSION || size != interpreter_size(object))
		return false;
	found->perl.statement = STATEMENT;
	found->perl.line = LINE;
	found->perl.file = FILE_NAME;
	return from_thread(object, context, &found->perl.context);
}
