// SPDX-License-Identifier: GPL-2.0-or-later
/* A8: libraries that cost mappings at each fork, and that nothing refers to. */
#include <math.h>
#include <stdlib.h>

#include "advice/rules.h"
#include "advice/tally.h"

/* Without them the others lie elsewhere, and which pages come with which fault depends on that. */
enum { MOVED = 3 };

/* What an object's mappings cost a fork. */
static void add_mappings(struct tally *tally, const struct matter *matter, uint32_t object)
{
	for (size_t i = 0; i < matter->layout->vma_count; i++) {
		const struct layout_vma *vma = &matter->layout->vmas[i];

		struct copied copied = copied__of(vma);

		if (vma->object != object)
			continue;
		if (!vma->anon) {
			if (matter->anatomy->costs[COST_MAPPING].known)
				tally__add_cost(tally, matter, COST_MAPPING, 1);
			continue;
		}
		tally__add_copying(tally, matter, &copied);
	}
}

/* Where ld.so looks for symbols, it looks into each library; and at exit each has destructors. */
static void add_faults(struct tally *tally, const struct matter *matter, uint32_t object)
{
	for (size_t i = 0; i < matter->anatomy->row_count; i++) {
		const struct anatomy_row *row = &matter->anatomy->rows[i];
		bool has_object = row->place.kind == PLACE_FILE || row->place.kind == PLACE_BSS;

		if (row->group == matter->index && row->phase == PHASE_CHILD && has_object &&
		    row->place.object == object)
			tally__add(tally, matter, row);
	}
}

static bool is_unused(const struct matter *matter, const struct binding_object *binding)
{
	return &matter->anatomy->layouts[binding->layout] == matter->layout &&
	       binding->bound_to == 0 && binding->data_to == 0 && !binding->opened &&
	       binding->object != matter->program && binding->object != matter->linker;
}

bool rule__a08_libraries(const struct matter *matter, struct advice *advice)
{
	struct names names = { 0 };
	struct tally tally = { 0 };
	char *list;

	for (size_t i = 0; matter->layout && i < matter->anatomy->binding_count; i++) {
		const struct binding_object *binding = &matter->anatomy->bindings[i];

		if (!is_unused(matter, binding))
			continue;
		names__add(&names, matter__object(matter, binding->object));
		add_mappings(&tally, matter, binding->object);
		add_faults(&tally, matter, binding->object);
	}
	if (!names.count) {
		free(names.list);
		return false;
	}
	list = names__finish(&names);
	advice->evidence =
		text("No symbol of any other object is bound to %zu of the loaded libraries: %s. Their "
		     "mappings are copied at every fork. (Use through dlsym, thread-local variables or "
		     "copied variables does not show.) The parent pays, and the child's end.",
		     names.count, list);
	advice->action = text("Link without them; -Wl,--as-needed leaves out what is not used.");
	tally__predict(&tally, advice);
	if (tally.faults > 0)
		figure__widen(&advice->predicted_faults, fmax(0, tally.faults - MOVED),
			      tally.faults + MOVED);
	free(list);
	return true;
}
