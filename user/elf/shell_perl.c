// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/shell_layouts.h"
#include "elf/wanted_symbols.h"

/* perl 5.36 with threads: intrpvar.h, cop.h. The size of its struct interpreter depends on how it was configured. */
enum { REVISION = 5, VERSION = 36, INTERPRETER_SIZE = 3768, STATEMENT = 208, LINE = 36, FILE_NAME = 48 };

static bool read_constant(const struct elf_object *object, uint64_t address, void *value, size_t size)
{
	uint64_t rest, offset = elf_object__file_offset(object, address, &rest);

	return rest >= size && elf_object__read(object, offset, value, size);
}

/* Of the executable's own thread-local memory, which ends where pthread_self() is. */
static bool from_thread(const struct elf_object *object, uint64_t offset, __u64 *distance)
{
	const GElf_Phdr *segment = elf_object__segment(object, PT_TLS);
	const uint64_t align = segment && segment->p_align ? segment->p_align : 1;

	if (!segment)
		return false;
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

	/* The place of thread-local memory is that of x86-64. */
	if (object->header.e_machine != EM_X86_64 ||
	    !wanted_symbols__find(object, 0, wanted, sizeof(wanted) / sizeof(wanted[0])) ||
	    !read_constant(object, size_at, &size, sizeof(size)) ||
	    !read_constant(object, revision_at, &revision, sizeof(revision)) ||
	    !read_constant(object, version_at, &version, sizeof(version)) || revision != REVISION ||
	    version != VERSION || size != INTERPRETER_SIZE)
		return false;
	found->perl.statement = STATEMENT;
	found->perl.line = LINE;
	found->perl.file = FILE_NAME;
	return from_thread(object, context, &found->perl.context);
}
