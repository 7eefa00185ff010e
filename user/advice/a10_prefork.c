// SPDX-License-Identifier: GPL-2.0-or-later
/* A10: a child for each connection, which does not live much longer than its fork takes. */
#include "advice/rules.h"
#include "advice/saving.h"
#include "base/quantity.h"

enum { CHILDREN_LEAST = 10, SHORT_LIFE = 10 /* times the overhead of a fork */ };

/* Those that succeeded. */
static double calls(const struct syscall_table *table, const char *name)
{
	const struct syscall_row *row = syscall_table__find(table, name, ABI_NATIVE);

	return row ? (double)(syscall_row__sum(row->calls) - syscall_row__sum(row->errors)) : 0;
}

/* Connections that roots have accepted: processes whose birth was not traced. */
static double connections(const struct subject *subject)
{
	const struct syscall_table *roots = &subject->run->root_table;

	return calls(roots, "accept") + calls(roots, "accept4");
}

/* Processes created by the same roots; any of these may have forked them. */
static double created(const struct subject *subject)
{
	double children = 0;

	for (size_t i = 0; i < subject->run->process_count; i++)
		if (!subject->run->processes[i].parent)
			children += subject->run->processes[i].children;
	return children;
}

static bool is_anywhere(const struct subject *subject, const struct anatomy_row *row)
{
	(void)subject;
	return row->phase == PHASE_CHILD || row->phase == PHASE_PARENT;
}

/*
 * The traced overhead includes tracing, and calibrated costs lack the code between the faults: the
 * value is in the middle.
 */
static struct estimate predict(const struct subject *subject)
{
	struct estimate figure = estimate__of(subject->breakdown->overhead);
	struct advice by_costs = { 0 };
	struct saving saving = { 0 };

	saving__add_all(&saving, subject, is_anywhere);
	saving__add_smallest_fork(&saving, subject);
	saving__predict(&saving, &by_costs);
	if (!by_costs.predicted_ns.known)
		return figure;
	figure.value = (subject->breakdown->overhead + by_costs.predicted_ns.value) / 2;
	estimate__widen(&figure, by_costs.predicted_ns.low, by_costs.predicted_ns.high);
	return figure;
}

bool rule__a10_prefork(const struct subject *subject, struct advice *advice)
{
	const struct fork_breakdown *breakdown = subject->breakdown;
	double accepted = connections(subject), life = breakdown->lines[BREAKDOWN_RUN].ns;

	if (subject->group->exec_target != NO_EXE || subject->children < CHILDREN_LEAST ||
	    subject->breakdown->overhead <= 0 || !breakdown->lines[BREAKDOWN_RUN].known)
		return false;
	if (accepted < subject->children / 2 || accepted > subject->children * 2 ||
	    created(subject) < subject->children / 2 || life > SHORT_LIFE * subject->breakdown->overhead)
		return false;
	advice->evidence = text__of(
		"The %s accepted %.0f connections and forked %.0f children; the overhead of each "
		"fork is %s, the child's own work %s. Parent and child pay, while the "
		"client waits.",
		subject->run->attached_count > 1 ? "processes" : "parent", accepted, subject->children,
		quantity__time(subject->breakdown->overhead).text, quantity__time(life).text);
	advice->action = text__of("Fork workers in advance and let each serve many connections.");
	advice->predicted_faults = estimate__of(breakdown->faults);
	advice->predicted_ns = predict(subject);
	return true;
}
