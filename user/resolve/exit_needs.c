// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/exit_needs.h"

#include <string.h>

#include "base/page.h"
#include "base/text.h"
#include "elf/mapping.h"
#include "elf/symbols.h"

/* By default the kernel maps so much of a file around an address at once (fault_around_bytes). */
enum { WINDOW = 65536, STEP = 16 /* bytes: how functions are aligned */ };

static const struct layout_vma *find_vma(const struct layout *layout, const struct anatomy_row *row)
{
	for (size_t i = 0; layout && i < layout->vma_count; i++) {
		const struct layout_vma *vma = &layout->vmas[i];

		if (vma->kind == PLACE_FILE && vma->object == row->place.object && row->place.offset >= vma->offset &&
		    row->place.offset - vma->offset < vma->end - vma->start && (row->is_exec ? vma->exec : vma->write))
			return vma;
	}
	return NULL;
}

/* .bss begins on the last page of writable data that the file has. */
static enum exit_needs needs_data(const struct layout_vma *vma, uint64_t offset)
{
	uint64_t last = vma->offset + (vma->end - vma->start) - page_bytes;

	return page__is_same(offset, last) ? EXIT_NEEDS : EXIT_NEEDS_NOT;
}

/* Code of the linker that every exit() runs. */
static bool is_at_exit(const char *symbol)
{
	static const char *const names[] = { "_dl_fini", "_dl_call_fini", "_dl_audit_activity_nsid", NULL };

	return text__is_any(symbol, names);
}

/* Looks at each function in a part of the file; *named: at least one has a name of the linker's. */
static bool has_exit_code(struct elf_file *file, uint64_t begin, uint64_t end, bool *named)
{
	const struct elf_symbols *symbols = elf_symbols__of(file);

	for (uint64_t offset = begin; offset < end; offset += STEP) {
		uint64_t address, distance;
		const char *name;

		if (!elf_mapping__address(&file->object, offset, ELF_READ | ELF_EXEC, &address))
			continue;
		name = elf_symbols__symbol(symbols, address, &distance);
		*named |= name && (!strncmp(name, "_dl_fixup", 9) || !strncmp(name, "_dl_runtime", 11) ||
				   !strcmp(name, "do_lookup_x") || !strcmp(name, "_dl_map_object"));
		if (is_at_exit(name))
			return true;
	}
	return false;
}

static enum exit_needs needs_code(const struct object *object, const struct layout_vma *vma, uint64_t offset)
{
	uint64_t address = vma->start + (offset - vma->offset);
	uint64_t begin = address / WINDOW * WINDOW, end = begin + WINDOW;
	struct elf_file *file;
	bool found, named = false;

	if (!object->path || object->changed)
		return EXIT_MAY_NEED;
	file = elf_file__open(object->path);
	if (file->opened != ELF_OPENED) {
		elf_file__close(file);
		return EXIT_MAY_NEED;
	}
	begin = begin < vma->start ? vma->start : begin;
	end = end > vma->end ? vma->end : end;
	found = has_exit_code(file, begin - vma->start + vma->offset, end - vma->start + vma->offset, &named);
	if (!found && !named) /* perhaps the file has no names at all */
		has_exit_code(file, vma->offset, vma->offset + (vma->end - vma->start), &named);
	elf_file__close(file);
	return found ? EXIT_NEEDS : named ? EXIT_NEEDS_NOT : EXIT_MAY_NEED;
}

static enum exit_needs needs_of(const struct anatomy *anatomy, const struct layout *layout,
				const struct anatomy_row *row)
{
	bool copy = fault_class__copies(row->class);
	const struct layout_vma *vma;

	if (row->place.kind == PLACE_STACK)
		return EXIT_MAY_NEED; /* a page already copied hides how deep exit() goes */
	if (row->place.kind != PLACE_FILE || row->place.object >= anatomy->object_count || !(copy || row->is_exec))
		return EXIT_NEEDS_NOT;
	vma = find_vma(layout, row);
	if (!vma)
		return EXIT_MAY_NEED;
	return row->is_exec ? needs_code(&anatomy->objects[row->place.object], vma, row->place.offset)
			    : needs_data(vma, row->place.offset);
}

void exit_needs__find(struct run *run)
{
	struct anatomy *anatomy = run->anatomy;

	for (size_t i = 0; i < anatomy->row_count; i++) {
		struct anatomy_row *row = &anatomy->rows[i];

		if (row->group < run->group_count && row->phase == PHASE_CHILD && row->actor == ACTOR_LDSO)
			row->exit_needs = needs_of(anatomy, run__parent_layout(run, row->group), row);
	}
}
