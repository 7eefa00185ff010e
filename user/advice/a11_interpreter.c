// SPDX-License-Identifier: GPL-2.0-or-later
/* A11: reference counts and marks of garbage collectors lie among the data: reading it writes. */
#include "advice/interpreters.h"
#include "advice/rules.h"
#include "advice/saving.h"
#include "base/quantity.h"

enum { COPIES_LEAST = 50 };

/* The interpreter that this object is, or NULL. */
static const struct interpreter *find_interpreter(const struct subject *subject, uint32_t object)
{
	return object == NO_OBJECT ? NULL : interpreter__named(subject__object(subject, object));
}

static bool is_bookkeeping(const struct subject *subject, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row->class == FAULT_COW_COPY &&
	       (row->place.kind == PLACE_HEAP || row->place.kind == PLACE_ANON) &&
	       find_interpreter(subject, row->code.object);
}

static const struct interpreter *first_interpreter(const struct subject *subject)
{
	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group == subject->index && is_bookkeeping(subject, row))
			return find_interpreter(subject, row->code.object);
	}
	return NULL;
}

bool rule__a11_interpreter(const struct subject *subject, struct advice *advice)
{
	struct saving saving = { 0 };

	saving__add_all(&saving, subject, is_bookkeeping);
	if (saving.faults < COPIES_LEAST)
		return false;
	advice->evidence = text__of(
		"The interpreter's own code copies %s pages of its heap in each child, for its "
		"bookkeeping or for what the program changes: %s, tracing included. A fork has %s faults in all. "
		"The child pays, and these pages are no longer shared.",
		number__rounded(saving.faults).text, quantity__time(saving.measured_ns).text,
		number__rounded(subject->breakdown->faults).text);
	advice->action = text__of("%s", first_interpreter(subject)->action);
	/* At least nothing: the child's own writes stay. At most all of its work is bookkeeping. */
	saving.low = 0;
	if (subject->breakdown->lines[BREAKDOWN_RUN].known)
		saving.high += subject->breakdown->lines[BREAKDOWN_RUN].ns;
	saving__predict(&saving, advice);
	estimate__widen(&advice->predicted_faults, 0, advice->predicted_faults.high);
	return true;
}
