// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/object.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/untrusted.h"

/* The kernel refuses program headers above 64 KiB; no linker writes a dynamic section of 1 MiB. */
enum { SEGMENT_BYTES_MAX = 65536, DYNAMIC_BYTES_MAX = 1 << 20 };

__attribute__((format(printf, 2, 3))) static enum elf_opened corrupt(char **reason, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	*reason = text__of_list(format, arguments);
	va_end(arguments);
	return ELF_CORRUPT;
}

bool elf_object__read(const struct elf_object *object, uint64_t offset, void *buffer, size_t size)
{
	char *next = buffer;

	if (offset > INT64_MAX - size)
		return false;
	while (size) {
		ssize_t got = pread(object->fd, next, size, offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		next += got;
		offset += got;
		size -= got;
	}
	return true;
}

char *elf_object__string(const struct elf_object *object, uint64_t offset, uint64_t limit)
{
	char text[ELF_STRING_MAX];
	uint64_t size = (uint64_t)object->stat.st_size, first;

	if (offset >= size)
		return NULL;
	if (limit > size - offset)
		limit = size - offset;
	if (limit > sizeof(text))
		limit = sizeof(text);
	/* Nearly all strings are short, and libraries have tens of thousands. */
	first = limit < 128 ? limit : 128;
	if (!elf_object__read(object, offset, text, first))
		return NULL;
	if (!memchr(text, '\0', first) &&
	    (!elf_object__read(object, offset, text, limit) || !memchr(text, '\0', limit)))
		return NULL;
	return checked_strdup(text);
}

char *elf_object__dynamic_string(const struct elf_object *object, uint64_t index)
{
	if (index >= object->strings_size)
		return NULL;
	return elf_object__string(object, object->strings + index, object->strings_size - index);
}

bool elf_object__read_at(const struct elf_object *object, uint64_t address, void *buffer, size_t size)
{
	uint64_t rest, offset = elf_object__file_offset(object, address, &rest);

	return rest >= size && elf_object__read(object, offset, buffer, size);
}

const GElf_Phdr *elf_object__segment(const struct elf_object *object, uint32_t type)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		if (object->segments[i].p_type == type)
			return &object->segments[i];
	}
	return NULL;
}

const GElf_Dyn *elf_object__tag(const struct elf_object *object, int64_t tag)
{
	for (size_t i = 0; i < object->dynamic_count; i++) {
		if (object->dynamic[i].d_tag == tag)
			return &object->dynamic[i];
	}
	return NULL;
}

uint64_t elf_object__tag_value(const struct elf_object *object, int64_t tag)
{
	const GElf_Dyn *entry = elf_object__tag(object, tag);

	return entry ? entry->d_un.d_val : 0;
}

static bool inside(const struct elf_object *object, uint64_t offset, uint64_t size)
{
	uint64_t all = (uint64_t)object->stat.st_size;

	return offset <= all && size <= all - offset;
}

/*
 * Decodes the ELF header alone, before libelf sees the file: libelf allocates as many sections
 * as the file claims to have, and with extended numbering a file of some bytes can claim 2^32.
 */
static enum elf_opened check_header(struct elf_object *object, char **reason)
{
	char start[sizeof(Elf64_Ehdr)] = "";
	uint64_t all = object->stat.st_size;
	size_t size = all < sizeof(start) ? all : sizeof(start);
	const GElf_Ehdr *header = &object->header;
	Elf *elf;
	bool decoded;

	if (!elf_object__read(object, 0, start, size) || memcmp(start, ELFMAG, SELFMAG))
		return ELF_IS_NO_ELF;
	elf = elf_memory(start, size);
	decoded = elf && gelf_getehdr(elf, &object->header);
	elf_end(elf);
	if (!decoded)
		return corrupt(reason, "its ELF header is cut off or invalid");
	if ((uint32_t)header->e_phnum * header->e_phentsize > SEGMENT_BYTES_MAX)
		return corrupt(reason, "it claims %u program headers, more than the kernel accepts", header->e_phnum);
	if (!inside(object, header->e_phoff, (uint64_t)header->e_phnum * header->e_phentsize))
		return corrupt(reason, "its program headers lie outside the file: truncated?");
	if (header->e_shoff && !header->e_shnum)
		return corrupt(reason, "it claims 65280 sections or more, or a section table without sections");
	if (header->e_shoff && !inside(object, header->e_shoff, (uint64_t)header->e_shnum * header->e_shentsize))
		return corrupt(reason, "its section headers lie outside the file: truncated?");
	return ELF_OPENED;
}

static enum elf_opened read_segments(struct elf_object *object, char **reason)
{
	bool dynamic = false;

	object->segments = checked_calloc(object->header.e_phnum, sizeof(*object->segments));
	for (int i = 0; i < object->header.e_phnum; i++) {
		GElf_Phdr *segment = &object->segments[object->segment_count];

		if (!gelf_getphdr(object->elf, i, segment))
			return corrupt(reason, "its program header %d is invalid", i);
		object->segment_count++;
		if (segment->p_type == PT_DYNAMIC && dynamic)
			return corrupt(reason, "it has two dynamic segments");
		dynamic |= segment->p_type == PT_DYNAMIC;
		if (segment->p_type != PT_LOAD && segment->p_type != PT_DYNAMIC && segment->p_type != PT_INTERP)
			continue;
		if (!inside(object, segment->p_offset, segment->p_filesz))
			return corrupt(reason, "its segment %d ends outside the file: truncated?", i);
		if (segment->p_type == PT_LOAD && segment->p_filesz > segment->p_memsz)
			return corrupt(reason, "its segment %d is larger in the file than in memory", i);
	}
	return ELF_OPENED;
}

uint64_t elf_object__file_offset(const struct elf_object *object, uint64_t address, uint64_t *rest)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];
		uint64_t inner = address - segment->p_vaddr;

		if (segment->p_type != PT_LOAD || address < segment->p_vaddr || inner >= segment->p_filesz)
			continue;
		*rest = segment->p_filesz - inner;
		return segment->p_offset + inner;
	}
	*rest = 0;
	return 0;
}

static enum elf_opened find_strings(struct elf_object *object, char **reason)
{
	const GElf_Dyn *table = elf_object__tag(object, DT_STRTAB);
	const GElf_Dyn *size = elf_object__tag(object, DT_STRSZ);
	uint64_t rest;

	if (!table)
		return ELF_OPENED;
	object->strings = elf_object__file_offset(object, table->d_un.d_ptr, &rest);
	if (!rest)
		return corrupt(reason, "DT_STRTAB points outside its segments");
	if (size && size->d_un.d_val > rest)
		return corrupt(reason, "DT_STRSZ ends outside its segment");
	object->strings_size = size ? size->d_un.d_val : rest;
	return ELF_OPENED;
}

static enum elf_opened read_dynamic(struct elf_object *object, char **reason)
{
	const GElf_Phdr *segment = elf_object__segment(object, PT_DYNAMIC);
	size_t entry = gelf_fsize(object->elf, ELF_T_DYN, 1, EV_CURRENT);
	Elf_Data *data;

	if (!segment || !segment->p_filesz)
		return ELF_OPENED;
	if (segment->p_filesz > DYNAMIC_BYTES_MAX)
		return corrupt(reason, "its dynamic segment is larger than 1 MiB");
	data = elf_getdata_rawchunk(object->elf, segment->p_offset,
				    segment->p_filesz - segment->p_filesz % entry, ELF_T_DYN);
	if (!data)
		return corrupt(reason, "its dynamic segment cannot be read: %s", elf_errmsg(-1));
	object->dynamic = checked_calloc(segment->p_filesz / entry, sizeof(*object->dynamic));
	for (size_t i = 0; i < segment->p_filesz / entry; i++) {
		GElf_Dyn *tag = &object->dynamic[i];

		if (!gelf_getdyn(data, i, tag) || tag->d_tag == DT_NULL)
			break;
		object->dynamic_count++;
	}
	return find_strings(object, reason);
}

static enum elf_opened begin(struct elf_object *object, char **reason)
{
	enum elf_opened opened = check_header(object, reason);

	if (opened != ELF_OPENED)
		return opened;
	object->elf = elf_begin(object->fd, ELF_C_READ, NULL);
	if (!object->elf || elf_kind(object->elf) != ELF_K_ELF)
		return corrupt(reason, "it is not valid ELF: %s", elf_errmsg(-1));
	return ELF_OPENED;
}

static enum elf_opened open_file(struct elf_object *object, const char *path, char **reason)
{
	elf_version(EV_CURRENT);
	*object = (struct elf_object){ 0 };
	object->fd = untrusted__open(path, 0, &object->stat);
	if (object->fd >= 0)
		return begin(object, reason);
	corrupt(reason, "%s", errno == EINVAL ? "it is not a regular file" : strerror(errno));
	return ELF_UNREADABLE;
}

enum elf_opened elf_object__open(struct elf_object *object, const char *path, char **reason)
{
	enum elf_opened opened = open_file(object, path, reason);

	if (opened == ELF_OPENED)
		opened = read_segments(object, reason);
	if (opened == ELF_OPENED)
		opened = read_dynamic(object, reason);
	if (opened != ELF_OPENED)
		elf_object__close(object);
	return opened;
}

enum elf_opened elf_object__open_headers(struct elf_object *object, const char *path, char **reason)
{
	enum elf_opened opened = open_file(object, path, reason);

	if (opened != ELF_OPENED)
		elf_object__close(object);
	return opened;
}

void elf_object__close(struct elf_object *object)
{
	elf_end(object->elf);
	if (object->fd >= 0)
		close(object->fd);
	free(object->segments);
	free(object->dynamic);
	object->elf = NULL;
	object->fd = -1;
	object->segments = NULL;
	object->dynamic = NULL;
	object->segment_count = object->dynamic_count = 0;
}
