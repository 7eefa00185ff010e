// SPDX-License-Identifier: GPL-2.0-or-later
/* A4: fork for a child that executes something else: vfork and posix_spawn copy nothing. */
#include <stdlib.h>

#include "advice/rules.h"
#include "advice/tally.h"

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

static char *evidence(const struct matter *matter, double pages)
{
	const struct fork_bill *bill = &matter->bill;
	double by_parent = bill->lines[BILL_PARENT].faults;
	double before_exec = (double)matter->sample->child_faults / matter__recorded(matter);
	uint64_t vmas = matter->fork->vmas.median;
	char *mappings = vmas == ABSENT ? text("its mappings")
					: text("%llu mappings", (unsigned long long)vmas);
	char *entries = matter->layout ? text("the entries of %.0f pages and ", pages) : text("%s", "");
	char *result =
		text("%.0f %s forked to execute another program; until then %s took %.*f "
		     "faults, and its parent %.*f because of it. Fork copied %s%s for that, and the "
		     "exec threw it all away. Parent and child pay.",
		     matter->children, matter->children == 1 ? "child was" : "children were",
		     matter->children == 1 ? "it" : "each",
		     COUNT(before_exec), COUNT(by_parent), entries, mappings);

	free(mappings);
	free(entries);
	return result;
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
	advice->evidence = evidence(matter, pages);
	advice->action = text("Start programs with posix_spawn() or vfork() in %s: nothing is copied, "
			      "however large it grows.",
			      matter__object(matter, matter->program));
	tally__predict(&tally, advice);
	return true;
}
