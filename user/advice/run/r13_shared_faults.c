// SPDX-License-Identifier: GPL-2.0-or-later
/* R13: each child maps the same shared pages again, one fault after the other, and its end unmaps them. */
#include <inttypes.h>
#include <math.h>

#include "advice/run/rules_run.h"
#include "base/autofree.h"
#include "base/page.h"
#include "base/quantity.h"
#include "base/text.h"

enum { FAULTS_LEAST = 1000 }; /* of a child */
static const double SHARE_LEAST = 0.05;

/* Of all copies of a program that execute nothing. */
struct mapped {
	uint32_t exe;
	double children, faults, ns; /* ns: of faults and ends, at most what the bill has */
};

/* Memory that the parent shares with its children, pages. */
static double shared_pages(const struct run *run, uint32_t group)
{
	const struct layout *layout = run__parent_layout(run, group);
	uint64_t bytes = 0;

	for (size_t i = 0; layout && i < layout->vma_count; i++)
		if (layout->vmas[i].shared && !layout->vmas[i].kept_out)
			bytes += layout->vmas[i].end - layout->vmas[i].start;
	return (double)bytes / (double)run__page_bytes(run);
}

/* How long a fault on shared memory took in these children, ns; 0: not known. */
static double ns_of_fault(const struct anatomy *anatomy, uint32_t group)
{
	uint64_t ns = 0, timed = 0;

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group != group || row->phase != PHASE_CHILD || row->class != FAULT_SHMEM)
			continue;
		ns += row->ns;
		timed += row->timed;
	}
	return timed ? (double)ns / (double)timed : 0;
}

/* The ends of these copies, CPU time, ns. */
static double ns_of_ends(const struct run *run, uint32_t exe)
{
	for (size_t i = 0; run->tree_times && i < run->tree_times->count; i++)
		if (run->tree_times->rows[i].exe == exe && !run->tree_times->rows[i].executed)
			return (double)run->tree_times->rows[i].cpu_ns[TREE_END];
	return 0;
}

static struct mapped mapped_by(const struct run_subject *subject, const struct bill_row *forks)
{
	const struct bill_row *code = run_subject__row(subject, BILL_CODE, forks->exe, false);
	const struct run *run = subject->run;
	struct mapped mapped = { .exe = forks->exe };

	for (uint32_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];
		const double faults = (double)faults__class(&group->inherited, FAULT_SHMEM);
		const double children = (double)group__children(group);

		if (group->parent_exe != forks->exe || group->exec_target != NO_EXE ||
		    faults > 2 * children * shared_pages(run, i))
			continue;
		mapped.children += children;
		mapped.faults += faults;
		mapped.ns += faults * ns_of_fault(run->anatomy, i);
	}
	mapped.ns = fmin((mapped.ns + ns_of_ends(run, forks->exe)) * subject->scale.factor,
			 run_subject__wall(subject, forks) + (code ? run_subject__wall(subject, code) : 0));
	return mapped;
}

bool rule__r13_shared_faults(const struct run_subject *subject, struct advice *advice)
{
	const struct bill *bill = subject->run->bill;
	struct mapped most = { 0 };
	autofree char *share = NULL;

	for (size_t i = 0; subject->run->anatomy && i < bill->count; i++) {
		const struct mapped one = bill->rows[i].kind == BILL_FORK ? mapped_by(subject, &bill->rows[i]) :
									    (struct mapped){ 0 };

		if (one.faults > FAULTS_LEAST * one.children && one.ns > most.ns)
			most = one;
	}
	if (most.ns <= 0 || most.ns < SHARE_LEAST * run_subject__busy(subject))
		return false;
	share = run_subject__share(subject, most.ns);
	advice->evidence = text__of("Each of %.0f children of %s maps the same shared memory again, by %.0f faults: "
				    "they and the ends of the children take %s.",
				    most.children, run_subject__name(subject, most.exe), most.faults / most.children,
				    share);
	advice->action = text__of("%s", "use huge pages for the shared memory (MAP_HUGETLB, MADV_HUGEPAGE, "
				  "huge_pages = on), or fewer children that live longer (a pool of connections)");
	advice->predicted_ns = (struct estimate){ .known = true, .bounded = true, .value = most.ns,
						  .low = most.ns / 2, .high = most.ns };
	return true;
}
