// SPDX-License-Identifier: GPL-2.0-or-later
/* A8: libraries that cost mappings at each fork, and that nothing refers to. */
#include <math.h>
#include <stdlib.h>

#include "advice/rules.h"
#include "advice/saving.h"

/* Without them the others move, and so a fault maps other neighbouring pages. */
enum { MOVED = 3 };

/* Adds what the mappings of an object cost a fork. */
static void add_mappings(struct saving *saving, const struct subject *subject, uint32_t object)
{
	for (size_t i = 0; i < subject->layout->vma_count; i++) {
		const struct layout_vma *vma = &subject->layout->vmas[i];

		struct copied copied = copied__of(subject->run, vma);

		if (vma->object != object)
			continue;
		if (!vma->anon) {
			if (subject->anatomy->costs[COST_MAPPING].known)
				saving__add_cost(saving, subject, COST_MAPPING, 1);
			continue;
		}
		saving__add_copying(saving, subject, &copied);
	}
}

/* Adds an object's faults: ld.so searches each library for symbols, and each has destructors. */
static void add_faults(struct saving *saving, const struct subject *subject, uint32_t object)
{
	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group == subject->index && row->phase == PHASE_CHILD &&
		    place__has_object(&row->place) && row->place.object == object)
			saving__add(saving, subject, row);
	}
}

static bool is_unused(const struct subject *subject, const struct binding_object *binding)
{
	return subject__has(subject, binding) && binding->bound_to == 0 && binding->data_to == 0 && !binding->awaited &&
	       !binding->opened && binding->object != subject->program && binding->object != subject->linker;
}

bool rule__a08_libraries(const struct subject *subject, struct advice *advice)
{
	struct name_list names = { .most = NAMES_MOST };
	struct saving saving = { 0 };
	char *list;

	for (size_t i = 0; subject->layout && i < subject->anatomy->binding_count; i++) {
		const struct binding_object *binding = &subject->anatomy->bindings[i];

		if (!is_unused(subject, binding))
			continue;
		name_list__add(&names, subject__object(subject, binding->object));
		add_mappings(&saving, subject, binding->object);
		add_faults(&saving, subject, binding->object);
	}
	if (!names.count)
		return false;
	list = name_list__finish(&names);
	advice->evidence =
		text__of("No symbol of any other object is bound to %zu of the loaded libraries, or waits for its "
			 "first call to one: %s. Their "
			 "mappings are copied at every fork. (Uses through dlsym, thread-local variables or "
			 "copied variables are not seen.) The parent pays, and the child when it ends.",
			 names.count, list);
	advice->action = text__of("Link without them (-Wl,--as-needed leaves out what nothing is bound to), "
				  "unless the program needs what their constructors do.");
	saving__predict(&saving, advice);
	if (saving.faults > 0)
		estimate__widen(&advice->predicted_faults, fmax(0, saving.faults - MOVED), saving.faults + MOVED);
	free(list);
	return true;
}
