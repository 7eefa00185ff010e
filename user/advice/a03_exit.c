// SPDX-License-Identifier: GPL-2.0-or-later
/* A3: exit() in children that never execute anything: handlers, destructors, flushed streams. */
#include <math.h>

#include "advice/at_exit.h"
#include "advice/interpreters.h"
#include "advice/rules.h"
#include "advice/saving.h"
#include "base/quantity.h"

enum { SYMBOL_TABLES = 3 }; /* of names, of hashes, of symbols */

/* An interpreter runs code of its own before exit(), with names that do not show it. */
static bool is_interpreted(const struct subject *subject)
{
	return subject->program != NO_OBJECT && interpreter__named(subject__object(subject, subject->program));
}

static bool is_at_exit(const struct subject *subject, const struct anatomy_row *row, const struct anatomy_row *begin)
{
	return at_exit__is(subject, row) || at_exit__is_after(subject, row, begin);
}

/*
 * A fault that not every child takes exactly once, and that comes late: mean times do not show for
 * sure whether exit() had begun.
 */
static bool may_be_at_exit(const struct subject *subject, const struct anatomy_row *row,
			   const struct anatomy_row *begin)
{
	if (row->group != subject->index || row->phase != PHASE_CHILD)
		return false;
	return is_interpreted(subject) || is_at_exit(subject, row, begin) ||
	       (begin && row->faults && anatomy_row__since(row) > anatomy_row__since(begin));
}

/* `code`: what `saving` has of what children compute. */
static void widen(const struct subject *subject, const struct saving *saving, double code,
		  const struct anatomy_row *begin, struct advice *advice)
{
	const struct estimate *map = &subject->anatomy->costs[COST_MAP_AROUND];
	/* It will bind _exit() instead, whose entries in these tables may lie on other pages. */
	double doubtful = at_exit__binds(subject) ? fmin(SYMBOL_TABLES, saving->faults) : 0;
	struct saving most = { 0 };

	for (size_t i = 0; i < subject->anatomy->row_count; i++)
		if (may_be_at_exit(subject, &subject->anatomy->rows[i], begin))
			saving__add(&most, subject, &subject->anatomy->rows[i]);
	if (is_interpreted(subject))
		code = at_exit__code(subject, 0, &most);
	estimate__widen(&advice->predicted_faults, saving->faults - doubtful, most.faults + doubtful);
	if (advice->predicted_ns.known && !most.unknown && map->known)
		estimate__widen(&advice->predicted_ns, saving->low - doubtful * map->high,
				most.high + code + doubtful * map->high);
}

/* What else runs such code goes on to do other things. */
static char *evidence(const struct subject *subject, const struct saving *saving, bool sure)
{
	return text__of("%s take %s of the %s faults of a fork; %s of them %s: %s, tracing included. "
			"The child pays.%s",
			sure ? "Exit handlers, destructors and the flushing of streams, or what follows them,"
			     : "Destructors or the flushing of streams",
			number__rounded(saving->faults).text, number__rounded(subject->breakdown->faults).text,
			number__rounded(saving->copies).text, number__plural(saving->copies, "a copy", "copies"),
			quantity__time(saving->measured_ns).text,
			sure ? "" : " That is likely exit(); but dlclose(), fflush(NULL) and the end of a thread "
				    "run the same code.");
}

bool rule__a03_exit(const struct subject *subject, struct advice *advice)
{
	const struct anatomy *anatomy = subject->anatomy;
	const bool sure = at_exit__is_sure(subject);
	const struct anatomy_row *first = at_exit__begin(subject), *begin = sure ? first : NULL;
	struct saving saving = { 0 };
	double code;

	if (subject->group->exec_target != NO_EXE)
		return false;
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (is_at_exit(subject, row, begin))
			saving__add(&saving, subject, row);
	}
	if (saving.faults < 0.5)
		return false;
	if (!sure)
		advice->title = text__of("children likely run exit handlers");
	advice->evidence = evidence(subject, &saving, sure);
	advice->action = text__of("Let forked children that execute no other program end by "
				  "_exit(), after they flush what they have written themselves.");
	code = sure ? at_exit__code(subject, at_exit__since(subject, begin), &saving) : 0;
	saving__add_range(&saving, 0, code / 2, code);
	if (!sure)
		saving.low = 0;
	saving__predict(&saving, advice);
	widen(subject, &saving, code, first, advice);
	if (!sure)
		estimate__widen(&advice->predicted_faults, 0, saving.faults);
	return true;
}
