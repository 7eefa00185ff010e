// SPDX-License-Identifier: GPL-2.0-or-later
/* A6: fork copies the entries of pages that no child and no parent touches afterwards. */
#include <math.h>

#include "advice/rules.h"
#include "advice/saving.h"
#include "base/quantity.h"

enum { BYTES_LEAST = 16 << 20, TOUCHED_MOST_PERCENT = 10 };

/* Copies of memory that the program has made itself: the heap, and other anonymous mappings. */
static bool is_copy_of_memory(const struct subject *subject, const struct anatomy_row *row)
{
	return row->phase != PHASE_EXEC && row->class == FAULT_COW_COPY &&
	       (row->place.kind == PLACE_HEAP || row->place.kind == PLACE_ANON);
}

bool rule__a06_unused_memory(const struct subject *subject, struct advice *advice)
{
	struct copied memory = copied__memory(subject);
	const double pages = memory.small + memory.huge * subject__pages_per_table(subject);
	const double bytes = pages * run__page_bytes(subject->run);
	struct saving copies = { 0 }, saving = { 0 };

	/* Children that execute something else are A4's. */
	if (subject->group->exec_target != NO_EXE || subject->group->birth == BIRTH_VFORK)
		return false;
	saving__add_all(&copies, subject, is_copy_of_memory);
	if (bytes < BYTES_LEAST || 100 * copies.faults > TOUCHED_MOST_PERCENT * pages)
		return false;
	memory.small -= fmin(copies.faults, memory.small);
	saving__add_copying(&saving, subject, &memory);
	advice->evidence = text__of(
		"The parent has about %s of memory of its own when it forks; of its %.0f "
		"pages, children and parent together copy %s per fork. fork() copies the "
		"page-table entries of the others, too, for a child that at most reads these pages. The "
		"parent pays, and the child when it ends.",
		quantity__size(bytes).text, pages, number__rounded(copies.faults).text);
	advice->action =
		text__of("Exclude memory that children do not need by "
			 "madvise(MADV_DONTFORK), or fork from a small process that was started "
			 "before the memory was allocated.");
	saving__predict(&saving, advice);
	return true;
}
