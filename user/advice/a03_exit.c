// SPDX-License-Identifier: GPL-2.0-or-later
/* A3: exit() in children that never execute anything: handlers, destructors, flushed streams. */
#include <string.h>

#include "advice/rules.h"
#include "advice/tally.h"

/*
 * By names of glibc, of the compiler's start files, and of the handler that most often takes long;
 * without symbols nothing is known.
 */
static bool is_exit_code(const char *symbol)
{
	static const char *const names[] = {
		"exit",	     "__run_exit_handlers", "__exit_funcs",	"_dl_fini",
		"_dl_call_fini", "_dl_sort_maps",   "_dl_sort_maps_dfs", "_IO_cleanup",
		"_IO_flush_all", "_IO_unbuffer_all", "_IO_flush_all_lockp", "__cxa_finalize",
		"__do_global_dtors_aux", "_fini",   "__libc_atexit",	 "__call_tls_dtors",
		"deregister_tm_clones", "__libc_exit_fini", "OPENSSL_cleanup",
	};

	for (size_t i = 0; symbol && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(symbol, names[i]))
			return true;
	return false;
}

static bool is_at_exit(const struct matter *matter, const struct anatomy_row *row)
{
	return row->group == matter->index && row->phase == PHASE_CHILD && row->faults &&
	       is_exit_code(row->code.symbol);
}

static double since(const struct anatomy_row *row)
{
	return (double)row->since_ns / (double)row->faults;
}

/* The first fault of exit code that every child takes; NULL. */
static const struct anatomy_row *find_begin(const struct matter *matter)
{
	const struct anatomy_row *begin = NULL;

	for (size_t i = 0; i < matter->anatomy->row_count; i++) {
		const struct anatomy_row *row = &matter->anatomy->rows[i];

		if (is_at_exit(matter, row) && row->children == matter->sample->children &&
		    (!begin || since(row) < since(begin)))
			begin = row;
	}
	return begin;
}

/* Nobody returns from exit(). Means of times compare if they are over the same children. */
static bool comes_after(const struct matter *matter, const struct anatomy_row *row,
			const struct anatomy_row *begin)
{
	return begin && row->group == matter->index && row->phase == PHASE_CHILD && row->faults &&
	       row->actor != ACTOR_KERNEL && row->children == begin->children &&
	       since(row) > since(begin);
}

bool rule__a03_exit(const struct matter *matter, struct advice *advice)
{
	const struct anatomy *anatomy = matter->anatomy;
	const struct anatomy_row *begin = find_begin(matter);
	struct tally tally = { 0 };

	if (matter->group->fate_exe != NO_EXE)
		return false;
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (is_at_exit(matter, row) || comes_after(matter, row, begin))
			tally__add(&tally, matter, row);
	}
	if (tally.faults < 0.5)
		return false;
	advice->evidence =
		text("%.*f of the %.*f faults of a fork are taken by exit handlers, destructors and "
		     "the flushing of streams, and by what these call; %.*f of them %s: %.1f us, "
		     "tracing included. The child pays.",
		     COUNT(tally.faults), COUNT(matter->bill.faults), COUNT(tally.copies),
		     noun_for(tally.copies, "a copy", "copies"),
		     tally.measured_ns / 1e3);
	advice->action = text("Let children that were forked and execute nothing leave with "
			      "_exit(), after flushing what they have written themselves.");
	tally__predict(&tally, advice);
	return true;
}
