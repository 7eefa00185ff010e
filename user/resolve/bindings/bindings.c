// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/bindings/bindings.h"

#include "base/memory.h"
#include "elf/facts.h"
#include "resolve/bindings/bindings_parts.h"
#include "resolve/bindings/loaded_layout.h"
#include "resolve/names/file_identity.h"

/* The object is loaded, but its words cannot be read. */
static void give_up(struct anatomy *anatomy, struct layout_state *states, uint32_t object)
{
	for (size_t i = 0; i < anatomy->layout_count; i++)
		states[i].incomplete |= layout__loads(states[i].layout, object);
}

static void add_object(struct run *run, struct layout_state *states, uint32_t object)
{
	struct anatomy *anatomy = run->anatomy;
	const struct object *known = &anatomy->objects[object];
	struct linked_file file;
	enum linked linked = known->path && !known->changed ? linked_file__open(&file, known->path) : LINKED_UNREADABLE;

	if (linked == LINKED_UNREADABLE) {
		give_up(anatomy, states, object);
		unseen_pages__add(run, object, NULL);
	}
	if (linked != LINKED)
		return;
	object_bindings__add(run, states, object, &file);
	bound_symbols__add(run, object, &file);
	bound_symbols__name_rows(anatomy, object, &file);
	unseen_pages__add(run, object, &file);
	linked_file__close(&file);
}

static void take_incoming(struct anatomy *anatomy, struct layout_state *states)
{
	for (size_t i = 0; i < anatomy->layout_count; i++)
		awaited__sort(&states[i].awaited);
	for (size_t i = 0; i < anatomy->binding_count; i++) {
		struct binding_object *binding = &anatomy->bindings[i];
		const struct layout_state *state = &states[binding->layout];
		const struct incoming *incoming = &state->incoming[binding->object];

		binding->bound_to = state->incomplete ? ABSENT : incoming->bound;
		binding->data_to = state->incomplete ? ABSENT : incoming->data;
		binding->awaited = !state->incomplete && !incoming->bound && !incoming->data &&
				   awaited__has(&state->awaited, anatomy, binding->object);
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
		states[i].incoming = checked_calloc(anatomy->object_count, sizeof(*states[i].incoming));
	}
	unseen_pages__begin(anatomy);
	for (uint32_t i = 0; i < anatomy->object_count; i++)
		add_object(run, states, i);
	take_incoming(anatomy, states);
	if (anatomy->binding_count)
		qsort(anatomy->bindings, anatomy->binding_count, sizeof(*anatomy->bindings), by_layout);
	bound_symbols__sort(anatomy);
	for (size_t i = 0; i < anatomy->layout_count; i++) {
		awaited__release(&states[i].awaited);
		free(states[i].incoming);
	}
	free(states);
}

static bool is_file(const struct object *object, const char *path)
{
	return path && file_identity__of(path, object->dev, object->ino) != FILE_HAS_CHANGED;
}

static bool is_asked_for(const struct elf_facts *facts, const char *program, const struct object *object)
{
	if (is_file(object, program) || is_file(object, facts->interp))
		return true;
	for (size_t i = 0; i < facts->library_count; i++)
		if (is_file(object, facts->libraries[i].path))
			return true;
	return false;
}

static void look_at(struct anatomy *anatomy, uint32_t layout, const struct elf_facts *facts, const char *program)
{
	for (size_t i = 0; i < anatomy->binding_count; i++) {
		struct binding_object *binding = &anatomy->bindings[i];

		if (binding->layout == layout)
			binding->opened = !is_asked_for(facts, program, &anatomy->objects[binding->object]);
	}
}

void bindings__find_opened(struct run *run)
{
	struct anatomy *anatomy = run->anatomy;

	for (uint32_t i = 0; i < anatomy->layout_count; i++) {
		uint32_t index = anatomy->layouts[i].exe;
		const struct exe *exe = index < run->exe_count ? &run->exes[index] : NULL;
		const char *path = exe ? exe__file(exe) : NULL, *reason;
		const struct elf_facts *facts;
		struct elf_file *file;

		if (!exe || file_identity__of(path, exe->dev, exe->ino) == FILE_HAS_CHANGED)
			continue;
		file = elf_file__open(path);
		facts = elf_facts__of(file, &reason);
		if (facts && facts->libraries_known && !elf_facts__missing(facts))
			look_at(anatomy, i, facts, path);
		elf_file__close(file);
	}
}
