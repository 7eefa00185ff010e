// SPDX-License-Identifier: GPL-2.0-or-later
/* A11: reference counts and marks of a garbage collector lie among the data: to read is to write. */
#include "advice/interpreters.h"
#include "advice/rules.h"
#include "advice/tally.h"

enum { COPIES_LEAST = 50 };

/* The interpreter whose code that is. */
static const struct interpreter *find_interpreter(const struct matter *matter, uint32_t object)
{
	return object == NO_OBJECT ? NULL : interpreter__named(matter__object(matter, object));
}

static bool is_bookkeeping(const struct matter *matter, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row->class == FAULT_COW_COPY &&
	       (row->place.kind == PLACE_HEAP || row->place.kind == PLACE_ANON) &&
	       find_interpreter(matter, row->code.object);
}

static const struct interpreter *first_interpreter(const struct matter *matter)
{
	for (size_t i = 0; i < matter->anatomy->row_count; i++) {
		const struct anatomy_row *row = &matter->anatomy->rows[i];

		if (row->group == matter->index && is_bookkeeping(matter, row))
			return find_interpreter(matter, row->code.object);
	}
	return NULL;
}

bool rule__a11_interpreter(const struct matter *matter, struct advice *advice)
{
	struct tally tally = { 0 };

	tally__add_all(&tally, matter, is_bookkeeping);
	if (tally.faults < COPIES_LEAST)
		return false;
	advice->evidence =
		text("Code of the interpreter itself copies %.*f pages of its heap in each child: "
		     "%.0f us, tracing included; a fork has %.*f faults in all. The child pays, and "
		     "memory that was shared is so no longer.",
		     COUNT(tally.faults), tally.measured_ns / 1e3, COUNT(matter->bill.faults));
	advice->action = text("%s", first_interpreter(matter)->action);
	/* At most: what the child's own work writes stays; and at most all of its work is bookkeeping. */
	tally.low = 0;
	if (matter->bill.lines[BILL_RUN].known)
		tally.high += matter->bill.lines[BILL_RUN].ns;
	tally__predict(&tally, advice);
	figure__widen(&advice->predicted_faults, 0, advice->predicted_faults.high);
	return true;
}
