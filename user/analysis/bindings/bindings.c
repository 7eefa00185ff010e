// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindings/bindings.h"

#include "analysis/bindings/bound_slots.h"
#include "analysis/bindings/got_file.h"
#include "analysis/bindings/got_pages.h"
#include "analysis/bindings/late_got.h"
#include "analysis/bindings/loaded_layout.h"
#include "analysis/bindings/slots.h"
#include "analysis/bindings/unseen.h"
#include "base/memory.h"

_Static_assert((int)ELF_RELOCATION_KINDS == (int)RELOC_KIND_COUNT &&
		       (int)ELF_RELATIVE == (int)RELOC_RELATIVE &&
		       (int)ELF_JUMP_SLOT == (int)RELOC_JUMP_SLOT &&
		       (int)ELF_OTHER == (int)RELOC_OTHER,
	       "kinds of relocations are the same in elf/relocations.h and model/anatomy.h");

/* Words that lead from other objects to one; summed up over all files of a layout. */
struct incoming {
	uint64_t bound, data;
};

/* One layout while the files in it are gone through. */
struct layout_state {
	const struct layout *layout;
	struct incoming *incoming; /* one per object of the anatomy */
	bool incomplete; /* words of some object could not be read */
};

static void count_target(struct layout_state *state, uint32_t user, const struct elf_slot *slot,
			 uint64_t target, uint32_t object_count)
{
	uint32_t object = layout__object_at(state->layout, target);

	if (object == user || object >= object_count)
		return;
	if (slot->kind == ELF_JUMP_SLOT || slot->kind == ELF_GLOB_DAT)
		state->incoming[object].bound++;
	else
		state->incoming[object].data++;
}

/* The third word of DT_PLTGOT is the resolver's address where slots are bound lazily, else 0. */
static bool has_resolver(const struct layout_state *state, const struct linked_file *file,
			 uint64_t bias, bool *has)
{
	const GElf_Dyn *table = elf_object__tag(&file->elf, DT_PLTGOT);
	uint64_t word;

	if (!table || !layout__word(state->layout,
				    (table->d_un.d_ptr + bias +
				     2 * (uint64_t)file->relocations->word) & file->mask,
				    file, &word))
		return false;
	*has = word != 0;
	return true;
}

static void read_slots(struct layout_state *state, struct binding_object *binding,
		       struct loaded *loaded)
{
	struct linked_file *file = loaded->file;
	const struct elf_relocations *relocations = file->relocations;
	uint64_t bias = 0, word, bound = 0, unbound = 0, unread = 0;
	bool known = layout__bias(state->layout, binding->object, &file->elf, &bias), has;

	loaded->bias = bias;
	for (size_t i = 0; known && i < relocations->slot_count; i++) {
		const struct elf_slot *slot = file->slots[i];

		if (!layout__word(state->layout, (slot->address + bias) & file->mask, file,
				  &word)) {
			unread += slot->kind == ELF_JUMP_SLOT;
			state->incomplete = true;
			continue;
		}
		if (linked_file__is_unbound(file, slot, bias, word) ||
		    loaded__bound_late(loaded, slot)) {
			unbound++;
			continue;
		}
		bound += slot->kind == ELF_JUMP_SLOT;
		count_target(state, binding->object, slot, word, loaded->anatomy->object_count);
	}
	state->incomplete |= !known || relocations->slots_left_out;
	if (known && !unread && !relocations->slots_left_out) {
		binding->slots_bound = bound;
		binding->slots_unbound = unbound;
	}
	binding->lazy = relocations->lazy;
	if (binding->lazy && known)
		binding->lazy = has_resolver(state, file, bias, &has) ? has : unbound > 0;
}

static void add_binding(struct run *run, struct layout_state *state, uint32_t layout,
			struct loaded *loaded)
{
	struct anatomy *anatomy = run->anatomy;
	const struct elf_relocations *relocations = loaded->file->relocations;
	struct binding_object *binding;

	anatomy->bindings = checked_grow(anatomy->bindings, anatomy->binding_count,
					 sizeof(*anatomy->bindings));
	binding = &anatomy->bindings[anatomy->binding_count++];
	*binding = (struct binding_object){
		.object = loaded->object,
		.layout = layout,
		.relro_start = relocations->relro_start,
		.relro_end = relocations->relro_end,
		.startup_pages = ldso_writes__startup(loaded->writes, run, state->layout),
		.child_pages = ldso_writes__in_children(loaded->writes, run, state->layout->group),
		.slots_bound = ABSENT,
		.slots_unbound = ABSENT,
	};
	memcpy(binding->relocations, relocations->counts, sizeof(binding->relocations));
	loaded->layout = state->layout;
	read_slots(state, binding, loaded);
}

/* No word can be read of what is loaded, but cannot be looked into. */
static void give_up(struct anatomy *anatomy, struct layout_state *states, uint32_t object)
{
	for (size_t i = 0; i < anatomy->layout_count; i++)
		states[i].incomplete |= layout__loads(states[i].layout, object);
}

static void go_through(struct run *run, struct layout_state *states, uint32_t object)
{
	struct anatomy *anatomy = run->anatomy;
	const struct object *known = &anatomy->objects[object];
	struct ldso_writes writes;
	struct linked_file file;
	struct loaded loaded = {
		.anatomy = anatomy, .object = object, .file = &file, .writes = &writes
	};
	enum linked linked =
		known->path && !known->changed ? linked_file__open(&file, known->path)
					       : LINKED_UNREADABLE;

	if (linked == LINKED_UNREADABLE) {
		give_up(anatomy, states, object);
		bindings_unseen__add(run, object, NULL);
	}
	if (linked != LINKED)
		return;
	ldso_writes__collect(&writes, anatomy, object, &file);
	for (uint32_t i = 0; i < anatomy->layout_count; i++) {
		if (layout__loads(states[i].layout, object))
			add_binding(run, &states[i], i, &loaded);
	}
	binding_symbols__add(run, object, &file);
	binding_slots__name(anatomy, object, &file);
	bindings_unseen__add(run, object, &file);
	ldso_writes__release(&writes);
	linked_file__close(&file);
}

static void take_incoming(struct anatomy *anatomy, const struct layout_state *states)
{
	for (size_t i = 0; i < anatomy->binding_count; i++) {
		struct binding_object *binding = &anatomy->bindings[i];
		const struct layout_state *state = &states[binding->layout];
		const struct incoming *incoming = &state->incoming[binding->object];

		binding->bound_to = state->incomplete ? ABSENT : incoming->bound;
		binding->data_to = state->incomplete ? ABSENT : incoming->data;
	}
}

static int by_layout(const void *left, const void *right)
{
	const struct binding_object *a = left, *b = right;

	if (a->layout != b->layout)
		return a->layout < b->layout ? -1 : 1;
	return (a->object > b->object) - (a->object < b->object);
}

void bindings__find(struct run *run)
{
	struct anatomy *anatomy = run->anatomy;
	struct layout_state *states = checked_calloc(anatomy->layout_count, sizeof(*states));

	for (size_t i = 0; i < anatomy->layout_count; i++) {
		states[i].layout = &anatomy->layouts[i];
		states[i].incoming =
			checked_calloc(anatomy->object_count, sizeof(*states[i].incoming));
	}
	bindings_unseen__begin(anatomy);
	for (uint32_t i = 0; i < anatomy->object_count; i++)
		go_through(run, states, i);
	take_incoming(anatomy, states);
	if (anatomy->binding_count)
		qsort(anatomy->bindings, anatomy->binding_count, sizeof(*anatomy->bindings),
		      by_layout);
	binding_symbols__sort(anatomy);
	for (size_t i = 0; i < anatomy->layout_count; i++)
		free(states[i].incoming);
	free(states);
}
