// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A13: while fork copies the address space, threads that fault wait for it. Only where children execute something:
 * those of a helper do not have the parent's memory, which others may need.
 */
#include "advice/rules.h"
#include "base/quantity.h"

static const double LONG_NS = 1e6;

bool rule__a13_threads(const struct subject *subject, struct advice *advice)
{
	const struct fork_cost *fork = subject->fork;

	if (!fork || subject->group->exec_target == NO_EXE || fork->threads.median == ABSENT ||
	    fork->threads.median < 2 || (double)fork->call.median < LONG_NS || subject->group->birth == BIRTH_VFORK)
		return false;
	advice->evidence =
		text__of("The parent has %llu threads when it forks, and fork() takes %s (median of "
			 "%llu). Meanwhile its other threads wait if they map memory, and may wait if they "
			 "take a page fault; whether they did was not measured. "
			 "The parent pays.",
			 (unsigned long long)fork->threads.median, quantity__time((double)fork->call.median).text,
			 (unsigned long long)fork->call.count);
	advice->action = text__of("Use posix_spawn(), or fork from a small helper process that was started before the "
				  "threads and the memory (a zygote).");
	return true;
}
