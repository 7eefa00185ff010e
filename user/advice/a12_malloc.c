// SPDX-License-Identifier: GPL-2.0-or-later
/* A12: a child that frees or allocates writes to the heap's bookkeeping, which lies all over it. */
#include <string.h>

#include "advice/rules.h"
#include "advice/tally.h"

static bool is_malloc(const char *symbol)
{
	static const char *const names[] = {
		"malloc",	"free",		  "calloc",	  "realloc",	   "cfree",
		"_int_malloc",	"_int_free",	  "_int_realloc", "_int_memalign", "malloc_consolidate",
		"unlink_chunk", "sysmalloc",	  "systrim",	  "__libc_malloc", "__libc_free",
		"__libc_calloc", "__libc_realloc", "tcache_init", "tcache_get",	   "tcache_put",
		"ptmalloc_init", "arena_get2",
	};

	for (size_t i = 0; symbol && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(symbol, names[i]))
			return true;
	return false;
}

static bool is_bookkeeping(const struct matter *matter, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row->class == FAULT_COW_COPY &&
	       is_malloc(row->code.symbol) &&
	       (row->place.kind == PLACE_HEAP || row->place.kind == PLACE_ANON);
}

static bool has_threads(const struct matter *matter)
{
	const struct fork_cost *fork = matter->fork;

	return fork && fork->threads.max != ABSENT && fork->threads.max > 1;
}

bool rule__a12_malloc(const struct matter *matter, struct advice *advice)
{
	struct tally tally = { 0 };

	tally__add_all(&tally, matter, is_bookkeeping);
	if (tally.faults < 1)
		return false;
	advice->evidence = text("malloc, free and what they call copy %.*f %s of the heap in each "
				"child: %.1f us, tracing included. The child pays.",
				COUNT(tally.faults), noun_for(tally.faults, "page", "pages"),
				tally.measured_ns / 1e3);
	advice->action =
		text("Call malloc_trim(0) before forking%s, and let children leave with _exit() "
		     "instead of freeing what they have inherited.",
		     has_threads(matter) ? ", keep to one arena (GLIBC_TUNABLES=glibc.malloc.arena_max"
					   "=1)"
					 : "");
	if (!has_threads(matter))
		advice->tried = text("no: with one thread there is one arena, and trimming needs a change "
				     "of the program");
	tally.low = 0; /* at most: what a child allocates itself has to be somewhere */
	tally__predict(&tally, advice);
	advice->predicted_faults.bounded = true;
	advice->predicted_faults.low = 0;
	return true;
}
