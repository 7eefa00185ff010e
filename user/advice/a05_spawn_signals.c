// SPDX-License-Identifier: GPL-2.0-or-later
/* A5: posix_spawn of glibc before 2.38 resets each signal by a call of its own; so do others, after vfork(). */
#include <math.h>
#include <stdlib.h>

#include "advice/rules.h"
#include "advice/saving.h"
#include "base/autofree.h"
#include "base/quantity.h"

/* More than programs set themselves; the loop of posix_spawn makes about 120 calls. */
enum { SIGNAL_CALLS = 60 };

/* Calls by name are not recorded for each image: the number follows from the sums. */
static char *evidence(double calls, const struct first_calls *first, double ns)
{
	const double least = fmin(calls, first->before) - first->after;
	autofree char *which = least > 0 ? text__of(", the first one at least %.0f of them before its execve", least)
					 : text__of(", before its execve or after it; before it %.0f calls of any kind",
						    first->before);

	return text__of("Each child makes %.0f rt_sigaction calls%s: %s at the price of a "
			"system call on this machine. The child pays, and its parent waits for it.",
			calls, which, quantity__time(ns).text);
}

/* posix_spawn, system and popen of glibc call clone. */
static bool is_by_vfork(const struct subject *subject)
{
	const struct syscall_row *row = syscall_table__find(&subject->run->table, "vfork", ABI_NATIVE);

	return row && (double)syscall_row__sum(row->calls) >= subject->children;
}

/* vfork() saves the child's own stack as well: all that posix_spawn() does beyond it. */
static void add_rest_of_spawn(struct saving *saving, const struct subject *subject)
{
	const struct estimate *spawn = &subject->anatomy->costs[COST_SPAWN];

	if (spawn->known && spawn->high > saving->high)
		saving->high = spawn->high;
}

bool rule__a05_spawn_signals(const struct subject *subject, struct advice *advice)
{
	double calls = subject__calls(subject, "rt_sigaction");
	const struct first_calls first = subject__first_calls(subject);
	struct saving saving = { 0 };

	if (subject->group->exec_target == NO_EXE || subject->group->birth == BIRTH_FORK ||
	    calls < SIGNAL_CALLS || first.before < SIGNAL_CALLS)
		return false;
	saving__add_cost(&saving, subject, COST_SYSCALL, calls); /* after the exec, too */
	advice->evidence = evidence(calls, &first, saving.ns);
	advice->action = text__of(
		"%s", is_by_vfork(subject) ?
		"If the program resets the signals itself in its vfork() child, as Python's subprocess does, use "
		"posix_spawn() of glibc 2.38 or later: it needs no calls, because clone3() resets the signals." :
		"If posix_spawn() makes them, use glibc 2.38 or later, where clone3() resets the signals; "
		"or use vfork() and execve() in a helper that leaves signals alone.");
	add_rest_of_spawn(&saving, subject);
	saving__predict(&saving, advice);
	advice->predicted_faults = (struct estimate){ .known = true, .bounded = true, .high = 1 };
	return true;
}
