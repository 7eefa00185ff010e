// SPDX-License-Identifier: GPL-2.0-or-later
/* What the dynamic linker did to one object, in each layout that loads it. */
#include "base/memory.h"
#include "resolve/bindings/bindings_parts.h"
#include "resolve/bindings/loaded_layout.h"

/* An object in a layout. */
struct loaded {
	const struct anatomy *anatomy;
	struct layout_state *state;
	uint32_t object;
	struct linked_file *file;
	uint64_t bias;
	const struct ldso_writes *writes; /* of the object */
};

static bool waited_in_a_child(const struct loaded *loaded, const struct elf_slot *slot)
{
	const struct anatomy *anatomy = loaded->anatomy;
	struct linked_file *file = loaded->file;
	uint64_t address = (slot->address + loaded->bias) & file->mask;

	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		const struct got_page *page = &anatomy->got_pages[i];
		uint64_t inner = address - page->address;

		if (page->object == loaded->object && page->group == loaded->state->layout->group &&
		    inner <= GOT_PIECE - file->relocations->word &&
		    linked_file__is_unbound(file, slot, loaded->bias, linked_file__load(file, page->before + inner)))
			return true;
	}
	return false;
}

static bool was_written_by_the_parent(const struct loaded *loaded, const struct elf_slot *slot)
{
	uint64_t address;

	for (size_t i = 0; i < loaded->writes->count; i++) {
		const struct anatomy_row *row = loaded->writes->rows[i];

		if (row->phase == PHASE_PARENT && row->group == loaded->state->layout->group &&
		    linked_file__written(loaded->file, row->place.offset, &address) &&
		    address - slot->address < loaded->file->relocations->word)
			return true;
	}
	return false;
}

/*
 * The slot is bound in the layout, which is read a moment after the fork. Was it bound between the two? It was, if
 * a child inherited it unbound (got_pages), or if ld.so's first fault on its page in the parent after the fork was
 * at this slot.
 */
static bool was_bound_late(const struct loaded *loaded, const struct elf_slot *slot)
{
	return slot->kind == RELOC_JUMP_SLOT &&
	       (waited_in_a_child(loaded, slot) || was_written_by_the_parent(loaded, slot));
}

static void count_target(const struct loaded *loaded, const struct elf_slot *slot, uint64_t target)
{
	struct layout_state *state = loaded->state;
	uint32_t object = layout__object_at(state->layout, target);

	if (object == loaded->object || object >= loaded->anatomy->object_count)
		return;
	if (slot->kind == RELOC_JUMP_SLOT || slot->kind == RELOC_GLOB_DAT)
		state->incoming[object].bound++;
	else
		state->incoming[object].data++;
}

static bool read_word(const struct loaded *loaded, uint64_t address, uint64_t *word)
{
	return layout__word(loaded->state->layout, (address + loaded->bias) & loaded->file->mask, loaded->file, word);
}

/* The third word of DT_PLTGOT is the resolver's address where slots are bound lazily, else 0. */
static bool is_lazy(const struct loaded *loaded, uint64_t unbound)
{
	const GElf_Dyn *table = elf_object__tag(loaded->file->elf, DT_PLTGOT);
	uint64_t size = loaded->file->relocations->word, word;

	if (!table || !read_word(loaded, table->d_un.d_ptr + 2 * size, &word))
		return unbound > 0;
	return word != 0;
}

/* JUMP_SLOTs of an object in a layout. */
struct slot_counts {
	uint64_t bound, unbound, unread;
};

static void count_slot(const struct loaded *loaded, const struct elf_slot *slot, struct slot_counts *counts)
{
	uint64_t word;

	if (!read_word(loaded, slot->address, &word)) {
		counts->unread += slot->kind == RELOC_JUMP_SLOT;
		loaded->state->incomplete = true;
	} else if (linked_file__is_unbound(loaded->file, slot, loaded->bias, word) || was_bound_late(loaded, slot)) {
		counts->unbound++;
		awaited__add(&loaded->state->awaited, loaded->object, slot->symbol);
	} else {
		counts->bound += slot->kind == RELOC_JUMP_SLOT;
		count_target(loaded, slot, word);
	}
}

static void read_slots(struct loaded *loaded, struct binding_object *binding)
{
	const struct elf_relocations *relocations = loaded->file->relocations;
	bool known = layout__bias(loaded->state->layout, loaded->object, loaded->file->elf, &loaded->bias);
	struct slot_counts counts = { 0 };

	for (size_t i = 0; known && i < relocations->slot_count; i++)
		count_slot(loaded, relocations->by_address[i], &counts);
	loaded->state->incomplete |= !known || relocations->slots_left_out;
	if (known && !counts.unread && !relocations->slots_left_out) {
		binding->slots_bound = counts.bound;
		binding->slots_unbound = counts.unbound;
	}
	binding->lazy = relocations->lazy && (!known || is_lazy(loaded, counts.unbound));
}

static void add_binding(struct run *run, struct loaded *loaded, uint32_t index)
{
	struct anatomy *anatomy = run->anatomy;
	const struct elf_relocations *relocations = loaded->file->relocations;
	const struct layout *layout = loaded->state->layout;
	struct binding_object *binding;

	anatomy->bindings = checked_grow(anatomy->bindings, anatomy->binding_count, sizeof(*anatomy->bindings));
	binding = &anatomy->bindings[anatomy->binding_count++];
	*binding = (struct binding_object){
		.object = loaded->object,
		.layout = index,
		.relro_start = relocations->relro_start,
		.relro_end = relocations->relro_end,
		.startup_pages = ldso_writes__startup(loaded->writes, run, layout),
		.child_pages = ldso_writes__in_children(loaded->writes, run, layout->group),
		.slots_bound = ABSENT,
		.slots_unbound = ABSENT,
	};
	memcpy(binding->relocations, relocations->counts, sizeof(binding->relocations));
	read_slots(loaded, binding);
}

void object_bindings__add(struct run *run, struct layout_state *states, uint32_t object, struct linked_file *file)
{
	struct anatomy *anatomy = run->anatomy;
	struct ldso_writes writes;
	struct loaded loaded = { .anatomy = anatomy, .object = object, .file = file, .writes = &writes };

	ldso_writes__collect(&writes, anatomy, object, file);
	for (uint32_t i = 0; i < anatomy->layout_count; i++) {
		loaded.state = &states[i];
		if (layout__loads(loaded.state->layout, object))
			add_binding(run, &loaded, i);
	}
	ldso_writes__release(&writes);
}
