// SPDX-License-Identifier: GPL-2.0-or-later
/* A9: the kernel writes the CPU number into the rseq area of each child, which copies its page. */
#include <string.h>

#include "advice/rules.h"
#include "advice/tally.h"

static bool is_rseq(const struct matter *matter, const struct anatomy_row *row)
{
	return row->phase != PHASE_EXEC && row->actor == ACTOR_KERNEL &&
	       row->place.kind == PLACE_TLS && row->place.symbol &&
	       !strcmp(row->place.symbol, "rseq");
}

bool rule__a09_rseq(const struct matter *matter, struct advice *advice)
{
	struct tally tally = { 0 };

	tally__add_all(&tally, matter, is_rseq);
	if (tally.faults < 0.5)
		return false;
	advice->evidence =
		text("The kernel keeps the CPU number in the rseq area of each thread: %.3g faults for "
		     "a fork on its page, %.2g of them copies, %.1f us, tracing included. Child and "
		     "parent pay. glibc itself uses it for sched_getcpu only.",
		     tally.faults, tally.copies, tally.measured_ns / 1e3);
	advice->action = text("Unless the program uses restartable sequences (some allocators do), "
			      "start it with GLIBC_TUNABLES=glibc.pthread.rseq=0 in its environment.");
	tally__predict(&tally, advice);
	return true;
}
