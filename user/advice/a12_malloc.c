// SPDX-License-Identifier: GPL-2.0-or-later
/* A12: a child that frees or allocates writes to the heap's bookkeeping, all over the heap. */
#include <string.h>

#include "advice/rules.h"
#include "advice/saving.h"
#include "base/quantity.h"

static bool is_malloc(const char *symbol)
{
	static const char *const names[] = {
		"malloc",
		"free",
		"calloc",
		"realloc",
		"cfree",
		"_int_malloc",
		"_int_free",
		"_int_realloc",
		"_int_memalign",
		"malloc_consolidate",
		"unlink_chunk",
		"sysmalloc",
		"systrim",
		"__libc_malloc",
		"__libc_free",
		"__libc_calloc",
		"__libc_realloc",
		"tcache_init",
		"tcache_get",
		"tcache_put",
		"ptmalloc_init",
		"arena_get2",
		NULL,
	};

	return text__is_any(symbol, names);
}

static bool frees(const char *symbol)
{
	static const char *const names[] = {
		"free", "cfree", "_int_free", "_int_free_maybe_consolidate", "__libc_free", "malloc_consolidate",
		"systrim", "tcache_put", "unlink_chunk", "realloc", "_int_realloc", NULL,
	};

	return text__is_any(symbol, names);
}

static bool is_bookkeeping(const struct subject *subject, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row->class == FAULT_COW_COPY && is_malloc(row->code.symbol) &&
	       (row->place.kind == PLACE_HEAP || row->place.kind == PLACE_ANON);
}

static bool is_by_free(const struct subject *subject, const struct anatomy_row *row)
{
	return is_bookkeeping(subject, row) && frees(row->code.symbol);
}

/* glibc's: others have these names, too, but no such settings. */
static bool is_of_glibc(const struct subject *subject)
{
	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group == subject->index && is_bookkeeping(subject, row) &&
		    row->code.object != subject->program &&
		    strcmp(subject__object(subject, row->code.object), "libc.so.6") != 0)
			return false;
	}
	return true;
}

/* Any fault of malloc: of the heap, of its data in the C library, of its code. */
static bool is_of_malloc(const struct subject *subject, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row->actor != ACTOR_KERNEL && is_malloc(row->code.symbol);
}

/* Upper bounds: a child needs some memory for what it allocates, and all of its work may be freeing. */
static void predict(const struct saving *copies, const struct subject *subject, struct advice *advice)
{
	struct saving most = { 0 };

	saving__add_all(&most, subject, is_of_malloc);
	if (subject->breakdown->lines[BREAKDOWN_RUN].known)
		saving__add_range(&most, 0, 0, subject->breakdown->lines[BREAKDOWN_RUN].ns);
	saving__predict(copies, advice);
	estimate__widen(&advice->predicted_faults, 0, most.faults);
	if (advice->predicted_ns.known)
		estimate__widen(&advice->predicted_ns, 0, most.high);
}

static bool has_threads(const struct subject *subject)
{
	const struct fork_cost *fork = subject->fork;

	return fork && fork->threads.max != ABSENT && fork->threads.max > 1;
}

/* malloc_trim() did not change a fault of a child that takes free blocks of 3,000 bytes: no page is all free there. */
static char *action(const struct subject *subject, bool glibc, bool by_free)
{
	return text__of("%s.%s%s",
			by_free ? "Let children end by _exit(), after they flush what they have written, instead of "
				  "freeing what they inherited"
				: "Allocate before the fork what children need",
			glibc && has_threads(subject) ?
				" Keep to one arena (GLIBC_TUNABLES=glibc.malloc.arena_max=1)." : "",
			glibc ? " malloc_trim(0) before the fork helps only where whole pages are free." : "");
}

bool rule__a12_malloc(const struct subject *subject, struct advice *advice)
{
	struct saving saving = { 0 }, freed = { 0 };
	bool glibc;

	saving__add_all(&saving, subject, is_bookkeeping);
	if (saving.faults < 1)
		return false;
	advice->evidence = text__of("malloc, free and what they call copy %s %s of the heap in each "
				    "child: %s, tracing included. The child pays.",
				    number__rounded(saving.faults).text, number__plural(saving.faults, "page", "pages"),
				    quantity__time(saving.measured_ns).text);
	glibc = is_of_glibc(subject);
	saving__add_all(&freed, subject, is_by_free);
	advice->action = action(subject, glibc, freed.faults >= 0.5);
	if (!glibc)
		advice->tried = text__of("no: this malloc is not glibc's, which has the setting");
	else if (!has_threads(subject))
		advice->tried = text__of("no: with one thread there is one arena, and trimming needs a change "
					 "of the program");
	predict(&saving, subject, advice);
	return true;
}
