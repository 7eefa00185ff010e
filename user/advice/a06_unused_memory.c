// SPDX-License-Identifier: GPL-2.0-or-later
/* A6: fork copies the entries of pages that no child and no parent touches afterwards. */
#include "advice/rules.h"
#include "advice/tally.h"

enum { PAGES_LEAST = 4096 /* 16 MiB */, TOUCHED_MOST_PERCENT = 10 };

/* Copies of memory that the program has made itself: the heap, and other anonymous mappings. */
static bool is_copy_of_memory(const struct matter *matter, const struct anatomy_row *row)
{
	return row->phase != PHASE_EXEC && row->class == FAULT_COW_COPY &&
	       (row->place.kind == PLACE_HEAP || row->place.kind == PLACE_ANON);
}

/* Present pages of such mappings in the parent; what was too large to be read by its size. */
static double memory_pages(const struct matter *matter)
{
	const struct fork_cost *fork = matter->fork;
	double pages = 0;

	for (size_t i = 0; matter->layout && i < matter->layout->vma_count; i++) {
		const struct layout_vma *vma = &matter->layout->vmas[i];

		if (vma->shared || (vma->kind != PLACE_HEAP && vma->kind != PLACE_ANON))
			continue;
		if (!vma->pages) /* so large that nearly all of the resident memory is in it */
			return fork && fork->rss_bytes != ABSENT ? (double)(fork->rss_bytes / GOT_PAGE)
								 : 0;
		for (const char *page = vma->pages; *page; page++)
			pages += *page == 'a';
	}
	return pages;
}

bool rule__a06_unused_memory(const struct matter *matter, struct advice *advice)
{
	double pages = memory_pages(matter), unused;
	struct tally copies = { 0 }, tally = { 0 };

	/* Children that execute something need none of it: A4 says so. */
	if (matter->group->fate_exe != NO_EXE || matter->group->birth == BIRTH_VFORK)
		return false;
	tally__add_all(&copies, matter, is_copy_of_memory);
	unused = pages - copies.faults;
	if (pages < PAGES_LEAST || 100 * copies.faults > TOUCHED_MOST_PERCENT * pages)
		return false;
	tally__add_cost(&tally, matter, COST_FORK_PAGE, unused);
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
