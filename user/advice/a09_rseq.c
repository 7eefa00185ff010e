// SPDX-License-Identifier: GPL-2.0-or-later
/* A9: the kernel writes the CPU number into the rseq area of each child, which copies its page. */
#include "advice/rules.h"
#include "advice/saving.h"
#include "base/quantity.h"

/*
 * The kernel writes the area when it returns to the program; a write during a system call is a
 * result of the call.
 */
static bool is_kernel_tls(const struct subject *subject, const struct anatomy_row *row)
{
	return row->group == subject->index && row->phase != PHASE_EXEC && row->actor == ACTOR_KERNEL && !row->call &&
	       row->place.kind == PLACE_TLS && subject__is_most(subject, row->children);
}

/*
 * In the parent, the kernel writes nothing but the rseq area near the thread pointer after a fork.
 * In the child it stores the thread id first; if that is on the same page, leaving out rseq saves
 * the child nothing.
 */
static const struct anatomy_row *find_parent_row(const struct subject *subject)
{
	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->phase == PHASE_PARENT && is_kernel_tls(subject, row))
			return row;
	}
	return NULL;
}

static const struct anatomy_row *find_child_row(const struct subject *subject, const struct anatomy_row *parent)
{
	const struct anatomy_row *found = NULL;
	bool other_page = false;

	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->phase != PHASE_CHILD || !is_kernel_tls(subject, row))
			continue;
		if (subject__is_same_page(subject, &row->place, &parent->place))
			found = row;
		else
			other_page = true;
	}
	return other_page ? found : NULL;
}

bool rule__a09_rseq(const struct subject *subject, struct advice *advice)
{
	const struct anatomy_row *parent = find_parent_row(subject), *child;
	struct saving saving = { 0 };

	if (!parent)
		return false;
	child = find_child_row(subject, parent);
	saving__add(&saving, subject, parent);
	if (child)
		saving__add(&saving, subject, child);
	if (saving.faults < 0.5)
		return false;
	advice->evidence = text__of(
		"The kernel keeps the CPU number in the rseq area of each thread: %s %s for "
		"a fork on its page, %s of them %s, %s, tracing included. Child and "
		"parent pay. glibc itself uses it only for sched_getcpu.",
		number__rounded(saving.faults).text,
		number__plural(saving.faults, "fault", "faults"),
		number__rounded(saving.copies).text,
		number__plural(saving.copies, "a copy", "copies"),
		quantity__time(saving.measured_ns).text);
	advice->action =
		text__of("Unless the program uses restartable sequences (some allocators do), "
			 "start it with GLIBC_TUNABLES=glibc.pthread.rseq=0 in its environment.");
	/* Child and parent update the area once each, which takes less than a system call. */
	if (subject->anatomy->costs[COST_SYSCALL].known)
		saving__add_range(&saving, 0, 0, 2 * subject->anatomy->costs[COST_SYSCALL].high);
	saving__predict(&saving, advice);
	return true;
}
