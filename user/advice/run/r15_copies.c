// SPDX-License-Identifier: GPL-2.0-or-later
/* R15: children, or their parent after the fork, copy thousands of pages that both had. */
#include <math.h>

#include "advice/run/rules_run.h"
#include "analysis/forks/bill_faults.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { COPIES_LEAST = 1000 }; /* for each child */
static const double SHARE_LEAST = 0.05;

struct copies {
	const struct bill_row *row; /* NULL: there are none */
	double by_child, by_parent, ns;
};

static void add_copies(const struct anatomy *anatomy, uint32_t group, struct copies *copies)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group != group || row->class != FAULT_COW_COPY)
			continue;
		if (row->phase == PHASE_PARENT)
			copies->by_parent += anatomy__per_child(anatomy, row);
		else if (row->phase == PHASE_CHILD)
			copies->by_child += anatomy__per_child(anatomy, row);
	}
}

static struct copies copies_of(const struct run_subject *subject, const struct bill_row *row)
{
	const struct run *run = subject->run;
	struct copies most = { 0 };

	for (uint32_t i = 0; i < run->group_count; i++) {
		struct copies copies = { .row = row };

		if (run->groups[i].parent_exe != row->exe || run->groups[i].exec_target != NO_EXE)
			continue;
		add_copies(run->anatomy, i, &copies);
		if (copies.by_child + copies.by_parent > most.by_child + most.by_parent)
			most = copies;
	}
	most.ns = run_subject__wall(subject, row) * bill_faults__share(run, row->exe) -
		  r27_handlers__ns(subject, row->exe);
	return most;
}

bool rule__r15_copies(const struct run_subject *subject, struct advice *advice)
{
	const struct bill *bill = subject->run->bill;
	struct copies most = { 0 };
	autofree char *share = NULL, *by_parent = NULL;

	for (size_t i = 0; subject->run->anatomy && i < bill->count; i++) {
		const struct copies one = bill->rows[i].kind == BILL_FORK ? copies_of(subject, &bill->rows[i]) :
									    (struct copies){ 0 };

		if (one.row && one.by_child + one.by_parent >= COPIES_LEAST && one.ns > most.ns)
			most = one;
	}
	if (!most.row || most.ns < SHARE_LEAST * run_subject__busy(subject))
		return false;
	share = run_subject__share(subject, most.ns);
	by_parent = round(most.by_parent) > 0 ? text__of(", and its parent %.0f because of it", most.by_parent) : NULL;
	advice->evidence = text__of("Each child of %s copies %.0f pages that it inherits and writes to (copy on "
				    "write)%s: these faults take %s.", run_subject__name(subject, most.row->exe),
				    most.by_child, by_parent ? by_parent : "", share);
	advice->action = text__of("%s", most.by_child > most.by_parent ?
		"let children write to less of what they inherit; end them by _exit() if their end frees it" :
		"let the parent write to less while children live, or fork from a small helper process");
	advice->predicted_ns = estimate__at_most(most.ns);
	return true;
}
