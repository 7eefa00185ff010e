// SPDX-License-Identifier: GPL-2.0-or-later
/* A15: what a child touches and fork has not copied needs a page table, for each 2 MiB with pages of 4 KiB. */
#include <math.h>

#include "advice/rules.h"
#include "advice/saving.h"
#include "base/quantity.h"

/* The program's text and its libraries are in two places at least. */
enum { TABLES_USUAL = 2 };

bool rule__a15_page_tables(const struct subject *subject, struct advice *advice)
{
	const struct estimate *cost = &subject->anatomy->costs[COST_PAGE_TABLE];
	struct saving faults = { 0 };
	double tables = 0, new_pages = 0, more;

	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group != subject->index || row->phase != PHASE_CHILD || !row->table_pages)
			continue;
		tables += (double)row->table_pages / subject__recorded(subject);
		saving__add(&faults, subject, row);
		if (row->class == FAULT_ZERO_FILL)
			new_pages += anatomy__per_child(subject->anatomy, row);
	}
	/* Those of new memory that fills them lie side by side already. */
	more = tables - TABLES_USUAL - floor(new_pages / copied__pages_per_table(subject->run));
	if (more <= 0.5)
		return false;
	advice->evidence =
		text__of("Faults of a child allocate %s page-table pages, for address ranges "
			 "(of %s or more); fork() copied none of these tables. The child pays.",
			 number__rounded(tables).text, quantity__size(copied__huge_bytes(subject->run)).text);
	advice->action = text__of("Map less, and map it side by side: fewer libraries, "
				  "fewer large mappings of their own.");
	/* At most all these faults go: side by side, pages of files are mapped with each other. */
	advice->predicted_faults = (struct estimate){ .known = true, .bounded = true, .high = faults.faults };
	if (!cost->known)
		return true;
	advice->predicted_ns = (struct estimate){
		.known = true,
		.bounded = true,
		.value = more * cost->value,
		.low = 0,
		.high = fmax(more * cost->high, faults.unknown ? 0 : faults.high),
	};
	return true;
}
