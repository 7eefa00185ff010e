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

/* Not only of the heap: of what malloc keeps in the C library, and its code. */
static bool is_of_malloc(const struct matter *matter, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row->actor != ACTOR_KERNEL && is_malloc(row->code.symbol);
}

/* At most: what a child allocates itself has to be somewhere; and all of its work may be to free. */
static void predict(const struct tally *copies, const struct matter *matter, struct advice *advice)
{
	struct tally most = { 0 };

	tally__add_all(&most, matter, is_of_malloc);
	if (matter->bill.lines[BILL_RUN].known)
		tally__add_range(&most, 0, 0, matter->bill.lines[BILL_RUN].ns);
	tally__predict(copies, advice);
	figure__widen(&advice->predicted_faults, 0, most.faults);
	if (advice->predicted_ns.known)
		figure__widen(&advice->predicted_ns, 0, most.high);
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
	predict(&tally, matter, advice);
	return true;
}
