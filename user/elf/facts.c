// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/facts.h"

#include "base/memory.h"
#include "base/untrusted.h"
#include "elf/sections.h"

/* No program has more DT_NEEDED than this. */
enum { NEEDED_MAX = 4096 };

static void set_size(struct elf_facts *facts, const struct stat *stat)
{
	facts->size = stat->st_size;
	facts->blocks = ((uint64_t)stat->st_blocks * 512 + 1023) / 1024;
}

static void read_script(struct elf_facts *facts, const char *path)
{
	facts->interp = untrusted__interpreter(path);
	facts->linkage = facts->interp ? LINKAGE_SCRIPT : LINKAGE_NOT_ELF;
}

static bool read_interp(struct elf_facts *facts, const struct elf_object *object, char **reason)
{
	const GElf_Phdr *segment = elf_object__segment(object, PT_INTERP);

	if (!segment)
		return true;
	facts->interp = elf_object__string(object, segment->p_offset, segment->p_filesz);
	if (!facts->interp)
		*reason = checked_strdup("the name of its interpreter is not terminated");
	return facts->interp;
}

static bool read_needed(struct elf_facts *facts, const struct elf_object *object, char **reason)
{
	for (size_t i = 0; i < object->dynamic_count; i++) {
		const GElf_Dyn *tag = &object->dynamic[i];
		char *name;

		if (tag->d_tag != DT_NEEDED)
			continue;
		name = elf_object__dynamic_string(object, tag->d_un.d_val);
		if (!name || facts->needed_count == NEEDED_MAX) {
			free(name);
			*reason = checked_strdup(name ? "it needs more than 4096 libraries"
						      : "a DT_NEEDED points outside DT_STRTAB");
			return false;
		}
		facts->needed = checked_grow(facts->needed, facts->needed_count, sizeof(*facts->needed));
		facts->needed[facts->needed_count++] = name;
	}
	return true;
}

static enum elf_linkage linkage_of(const struct elf_object *object, const struct elf_facts *facts)
{
	bool marked_pie = elf_object__tag_value(object, DT_FLAGS_1) & DF_1_PIE;

	if (facts->type != ET_EXEC && facts->type != ET_DYN)
		return LINKAGE_OBJECT;
	if (facts->interp)
		return facts->bind_now ? LINKAGE_DYNAMIC_NOW : LINKAGE_DYNAMIC;
	if (facts->type == ET_EXEC)
		return LINKAGE_STATIC;
	/* Old linkers did not mark PIE; then a soname or needs make it a library. */
	if (!marked_pie && (elf_object__tag(object, DT_SONAME) || facts->needed_count))
		return LINKAGE_LIBRARY;
	return marked_pie || elf_object__tag(object, DT_DEBUG) ? LINKAGE_STATIC_PIE : LINKAGE_LIBRARY;
}

static bool is_stripped(const struct elf_object *object)
{
	GElf_Shdr header;

	return !elf_sections__of_type(object, SHT_SYMTAB, &header);
}

static enum elf_relro relro_of(const struct elf_object *object, const struct elf_facts *facts)
{
	if (!elf_object__segment(object, PT_GNU_RELRO))
		return RELRO_NONE;
	return facts->bind_now ? RELRO_FULL : RELRO_PARTIAL;
}

static bool read_object(struct elf_facts *facts, const struct elf_object *object, const char *path, char **reason)
{
	const GElf_Ehdr *header = &object->header;

	facts->bits = header->e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
	facts->type = header->e_type;
	facts->machine = header->e_machine;
	facts->has_sections = header->e_shoff;
	if (!object->segment_count && (facts->type == ET_EXEC || facts->type == ET_DYN)) {
		*reason = checked_strdup("it has no program headers");
		return false;
	}
	if (!read_interp(facts, object, reason) || !read_needed(facts, object, reason))
		return false;
	facts->bind_now = elf_bind_now__of(object);
	facts->relro = relro_of(object, facts);
	facts->linkage = linkage_of(object, facts);
	facts->pie = facts->type == ET_DYN && facts->linkage != LINKAGE_LIBRARY;
	facts->stripped = is_stripped(object);
	facts->libc = elf_libc__of(object, facts);
	elf_closure__resolve(facts, object, path);
	return true;
}

static void release_facts(void *data)
{
	elf_facts__free(data);
}

static void make_facts(struct elf_part *part, const struct elf_file *file)
{
	struct elf_facts *facts = checked_calloc(1, sizeof(*facts));

	*part = (struct elf_part){ .made = true, .release = release_facts };
	set_size(facts, &file->object.stat);
	if (file->opened == ELF_IS_NO_ELF)
		read_script(facts, file->path);
	else if (!read_object(facts, &file->object, file->path, &part->reason)) {
		elf_facts__free(facts);
		return;
	}
	part->data = facts;
}

const struct elf_facts *elf_facts__of(struct elf_file *file, const char **reason)
{
	struct elf_part *part = &file->parts[ELF_PART_FACTS];

	if (!part->made && (file->opened == ELF_OPENED || file->opened == ELF_IS_NO_ELF))
		make_facts(part, file);
	*reason = part->reason ? part->reason : file->reason;
	return part->data;
}

struct elf_facts *elf_facts__read(const char *path, char **reason)
{
	struct elf_file *file = elf_file__open(path);
	struct elf_facts *facts;
	const char *problem;

	elf_facts__of(file, &problem);
	facts = file->parts[ELF_PART_FACTS].data;
	if (facts)
		facts->holders++;
	else
		*reason = checked_strdup(problem);
	elf_file__close(file);
	return facts;
}
