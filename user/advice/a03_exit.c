// SPDX-License-Identifier: GPL-2.0-or-later
/* A3: exit() in children that never execute anything: handlers, destructors, flushed streams. */
#include <math.h>
#include <string.h>

#include "advice/at_exit.h"
#include "advice/interpreters.h"
#include "advice/rules.h"
#include "advice/tally.h"

enum { SYMBOL_TABLES = 3 }; /* of names, of hashes, of symbols */

/*
 * If each child binds exit() anew, it will bind _exit() instead, whose name and version lie elsewhere:
 * in each of these tables that can be another page, or the same.
 */
static bool binds_exit(const struct matter *matter)
{
	for (size_t i = 0; i < matter->anatomy->symbol_count; i++) {
		const struct binding_symbol *symbol = &matter->anatomy->symbols[i];

		if (symbol->group == matter->index && symbol->symbol &&
		    !strcmp(symbol->symbol, "exit") && 2 * symbol->children > matter->sample->children)
			return true;
	}
	return false;
}

/*
 * A fault that not all children take, or not once, and most of them late: the means of its times do not
 * tell for sure on which side of the begin it belongs.
 */
static bool may_be_after(const struct matter *matter, const struct anatomy_row *row,
			 const struct anatomy_row *begin)
{
	/* Before exit() an interpreter goes back through its own code, which has no such name. */
	if (matter->program != NO_OBJECT &&
	    interpreter__named(matter__object(matter, matter->program)))
		return row->group == matter->index && row->phase == PHASE_CHILD &&
		       !at_exit__is(matter, row) && !at_exit__is_after(matter, row, begin);
	return begin && row->group == matter->index && row->phase == PHASE_CHILD && row->faults &&
	       !at_exit__is(matter, row) && !at_exit__is_after(matter, row, begin) &&
	       row->since_ns / row->faults > begin->since_ns / begin->faults;
}

static void widen(const struct matter *matter, const struct tally *tally,
		  const struct anatomy_row *begin, struct advice *advice)
{
	const struct figure *map = &matter->anatomy->costs[COST_MAP_AROUND];
	double doubtful = binds_exit(matter) ? fmin(SYMBOL_TABLES, tally->faults) : 0;
	struct tally more = { 0 };

	for (size_t i = 0; i < matter->anatomy->row_count; i++)
		if (may_be_after(matter, &matter->anatomy->rows[i], begin))
			tally__add(&more, matter, &matter->anatomy->rows[i]);
	figure__widen(&advice->predicted_faults, tally->faults - doubtful,
		      tally->faults + doubtful + more.faults);
	if (advice->predicted_ns.known && !more.unknown && map->known)
		figure__widen(&advice->predicted_ns, tally->low - doubtful * map->high,
			      tally->high + doubtful * map->high + more.high);
}

bool rule__a03_exit(const struct matter *matter, struct advice *advice)
{
	const struct anatomy *anatomy = matter->anatomy;
	const struct anatomy_row *begin = at_exit__begin(matter);
	struct tally tally = { 0 };
	double code;

	if (matter->group->fate_exe != NO_EXE)
		return false;
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (at_exit__is(matter, row) || at_exit__is_after(matter, row, begin))
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
	code = at_exit__code(matter, begin, tally.faults, tally.measured_ns);
	tally__add_range(&tally, 0, code / 2, code);
	tally__predict(&tally, advice);
	widen(matter, &tally, begin, advice);
	return true;
}
