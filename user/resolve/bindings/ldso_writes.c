// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/memory.h"
#include "base/page.h"
#include "elf/mapping.h"
#include "resolve/bindings/bindings_parts.h"

static bool makes_own(enum fault_class class)
{
	return fault_class__copies(class) || class == FAULT_COW_REUSE;
}

static bool is_write(enum fault_class class)
{
	return makes_own(class) || class == FAULT_ZERO_FILL;
}

bool row__makes_own(const struct anatomy_row *row, uint32_t object)
{
	return row->place.object == object && row->place.kind == PLACE_FILE && makes_own(row->class);
}

bool got_pages__hold(const struct anatomy *anatomy, uint32_t object, uint32_t group, uint64_t offset)
{
	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		const struct got_page *page = &anatomy->got_pages[i];

		if (page->object == object && page->group == group && page__is_same(page->offset, offset))
			return true;
	}
	return false;
}

/* A page of the file may be there twice in memory, and each of them is written to. */
static uint64_t page_of(const struct linked_file *file, const struct place *place)
{
	struct elf_bss bss;
	uint64_t address;

	if (place->kind == PLACE_BSS && elf_mapping__bss(file->elf, place->offset, &bss))
		return bss.address / page_bytes;
	if (place->kind != PLACE_BSS && linked_file__written(file, place->offset, &address))
		return address / page_bytes;
	return UINT64_MAX - place->offset / page_bytes; /* of no segment: no such address */
}

void ldso_writes__collect(struct ldso_writes *writes, const struct anatomy *anatomy,
			  uint32_t object, const struct linked_file *file)
{
	*writes = (struct ldso_writes){ 0 };
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->place.object != object || row->actor != ACTOR_LDSO || !is_write(row->class))
			continue;
		writes->rows = checked_grow(writes->rows, writes->count, sizeof(*writes->rows));
		writes->pages = checked_grow(writes->pages, writes->count, sizeof(*writes->pages));
		writes->rows[writes->count] = row;
		writes->pages[writes->count++] = page_of(file, &row->place);
	}
}

void ldso_writes__release(struct ldso_writes *writes)
{
	free(writes->rows);
	free(writes->pages);
	*writes = (struct ldso_writes){ 0 };
}

static int ascending(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static uint64_t distinct(uint64_t *pages, size_t count)
{
	uint64_t different = 0;

	qsort(pages, count, sizeof(*pages), ascending);
	for (size_t i = 0; i < count; i++)
		different += !i || pages[i] != pages[i - 1];
	return different;
}

static bool roots_ran(const struct run *run, uint32_t exe)
{
	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		for (size_t k = 0; process->group == NO_GROUP && k < process->image_count; k++) {
			if (process->images[k].exe == exe && process->images[k].kind == IMAGE_EXEC)
				return true;
		}
	}
	return false;
}

/* May images of this executable be among the exec'd ones that rows of the group tell of? */
static bool group_execs(const struct run *run, uint32_t group, uint32_t exe)
{
	if (group == NO_GROUP)
		return roots_ran(run, exe);
	return group < run->group_count && run->groups[group].exec_target == exe;
}

static bool start_was_recorded(const struct run *run, uint32_t exe)
{
	const struct anatomy *anatomy = run->anatomy;

	for (size_t i = 0; i < anatomy->row_count; i++) {
		if (anatomy->rows[i].phase == PHASE_EXEC && group_execs(run, anatomy->rows[i].group, exe))
			return true;
	}
	return false;
}

/* Whose writes are counted: of starts of an executable, or of children of a group. */
struct written {
	const struct run *run;
	uint32_t exe, group;
};

static bool by_startup(const struct written *written, const struct anatomy_row *row)
{
	return row->phase == PHASE_EXEC && group_execs(written->run, row->group, written->exe);
}

static bool by_children(const struct written *written, const struct anatomy_row *row)
{
	return row->group == written->group && row->phase == PHASE_CHILD && fault_class__copies(row->class);
}

static uint64_t count_pages(const struct ldso_writes *writes,
			    bool (*is_counted)(const struct written *, const struct anatomy_row *),
			    const struct written *written)
{
	uint64_t *pages = checked_calloc(writes->count, sizeof(*pages)), result;
	size_t count = 0;

	for (size_t i = 0; i < writes->count; i++) {
		if (is_counted(written, writes->rows[i]))
			pages[count++] = writes->pages[i];
	}
	result = distinct(pages, count);
	free(pages);
	return result;
}

uint64_t ldso_writes__startup(const struct ldso_writes *writes, const struct run *run, const struct layout *layout)
{
	const struct written written = { run, .exe = layout->exe };

	if (!start_was_recorded(run, layout->exe))
		return ABSENT;
	return count_pages(writes, by_startup, &written);
}

uint64_t ldso_writes__in_children(const struct ldso_writes *writes, const struct run *run, uint32_t group)
{
	const struct sample *sample = anatomy__sample(run->anatomy, group);
	const struct written written = { run, .group = group };

	return sample && sample->children ? count_pages(writes, by_children, &written) : ABSENT;
}
