// SPDX-License-Identifier: GPL-2.0-or-later
/* A6: fork copies the entries of pages that no child and no parent touches afterwards. */
#include <math.h>

#include "advice/rules.h"
#include "advice/tally.h"

enum { PAGES_LEAST = 4096 /* 16 MiB */, HUGE_PAGES = 512, TOUCHED_MOST_PERCENT = 10 };

/* Copies of memory that the program has made itself: the heap, and other anonymous mappings. */
static bool is_copy_of_memory(const struct matter *matter, const struct anatomy_row *row)
{
	return row->phase != PHASE_EXEC && row->class == FAULT_COW_COPY &&
	       (row->place.kind == PLACE_HEAP || row->place.kind == PLACE_ANON);
}

bool rule__a06_unused_memory(const struct matter *matter, struct advice *advice)
{
	struct copied memory = copied__memory(matter);
	double pages = memory.small + memory.huge * HUGE_PAGES;
	struct tally copies = { 0 }, tally = { 0 };

	/* Children that execute something need none of it: A4 says so. */
	if (matter->group->fate_exe != NO_EXE || matter->group->birth == BIRTH_VFORK)
		return false;
	tally__add_all(&copies, matter, is_copy_of_memory);
	if (pages < PAGES_LEAST || 100 * copies.faults > TOUCHED_MOST_PERCENT * pages)
		return false;
	memory.small -= fmin(copies.faults, memory.small);
	tally__add_copying(&tally, matter, &memory);
	advice->evidence =
		text("The parent has about %.0f MiB of memory of its own when it forks; of its %.0f "
		     "pages, children and parent together copy %.*f per fork. The others' "
		     "page-table entries are copied and thrown away. The parent pays, and the "
		     "child's end.",
		     pages * GOT_PAGE / 1048576, pages, COUNT(copies.faults));
	advice->action = text("Keep what children do not need out of them by "
			      "madvise(MADV_DONTFORK), or fork from a small process that was started "
			      "before the memory was needed.");
	tally__predict(&tally, advice);
	return true;
}
