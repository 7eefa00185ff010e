// SPDX-License-Identifier: GPL-2.0-or-later
/* A4: fork for a child that executes something else: vfork and posix_spawn copy nothing. */
#include "advice/rules.h"
#include "advice/tally.h"

enum { PAGE = 4096 };

/* A borrowed address space takes no copies, and what it touches the parent has mapped. */
static bool is_by_copy(const struct matter *matter, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD || row->phase == PHASE_PARENT;
}

/* What fork copies before the child runs, and the child's exec throws away. */
static void add_copying(struct tally *tally, const struct matter *matter)
{
	const struct fork_cost *fork = matter->fork;

	tally__add_cost(tally, matter, COST_FORK, 1);
	tally__add_cost(tally, matter, COST_VFORK, -1);
	if (fork->vmas_anon != ABSENT)
		tally__add_cost(tally, matter, COST_VMA, (double)fork->vmas_anon);
}

/* Pages of mappings whose page tables fork copies, in the parent's memory. */
static double copied_pages(const struct matter *matter)
{
	double pages = 0;

	for (size_t i = 0; matter->layout && i < matter->layout->vma_count; i++) {
		const struct layout_vma *vma = &matter->layout->vmas[i];

		for (const char *page = vma->anon && vma->pages ? vma->pages : ""; *page; page++)
			pages += *page != '.';
	}
	return pages;
}

bool rule__a04_fork_exec(const struct matter *matter, struct advice *advice)
{
	double pages = copied_pages(matter);
	struct tally tally = { 0 };

	if (matter->group->fate_exe == NO_EXE || matter->group->birth == BIRTH_VFORK || !matter->fork)
		return false;
	tally__add_all(&tally, matter, is_by_copy);
	if (!tally.faults)
		return false;
	add_copying(&tally, matter);
	tally__add_cost(&tally, matter, COST_FORK_PAGE, pages);
	advice->evidence =
		text("%.0f children were forked to execute another program; until then each took %.3g "
		     "faults, and its parent %.3g because of it. Fork copied %s%.0f pages' entries and "
		     "%.0f mappings for that, and each exec threw the copy away. Parent and child pay.",
		     matter->children,
		     matter->bill.faults - matter->bill.lines[BILL_EXECD].faults -
			     matter->bill.lines[BILL_PARENT].faults,
		     matter->bill.lines[BILL_PARENT].faults, pages ? "" : "an unknown number, at least ",
		     pages, matter->fork->vmas.median == ABSENT ? 0 : (double)matter->fork->vmas.median);
	advice->action = text("Start programs with posix_spawn() or vfork() in %s: nothing is copied, "
			      "however large it grows.",
			      matter__object(matter, matter->program));
	tally__predict(&tally, advice);
	return true;
}
