// SPDX-License-Identifier: GPL-2.0-or-later
/* A8: libraries that cost mappings at each fork, and that nothing refers to. */
#include <stdlib.h>

#include "advice/rules.h"
#include "advice/tally.h"

/* What an object's mappings cost a fork. */
static void add_mappings(struct tally *tally, const struct matter *matter, uint32_t object)
{
	for (size_t i = 0; i < matter->layout->vma_count; i++) {
		const struct layout_vma *vma = &matter->layout->vmas[i];

		if (vma->object != object || !vma->anon)
			continue;
		tally__add_cost(tally, matter, COST_VMA, 1);
		for (const char *page = vma->pages ? vma->pages : ""; *page; page++)
			if (*page != '.')
				tally__add_cost(tally, matter, COST_FORK_PAGE, 1);
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
	advice->predicted_faults.known = false; /* it saves no faults */
	free(list);
	return true;
}
