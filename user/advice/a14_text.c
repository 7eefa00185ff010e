// SPDX-License-Identifier: GPL-2.0-or-later
/* A14: each stretch of 16 pages of code that a child runs through is a fault of its own. */
#include <string.h>

#include "advice/rules.h"
#include "advice/tally.h"

enum { WINDOWS_MANY = 4 };

/* Fetches of code in one object, by the program; those of ld.so are A1's and A2's. */
static double windows_in(const struct matter *matter, uint32_t object, struct tally *tally)
{
	for (size_t i = 0; i < matter->anatomy->row_count; i++) {
		const struct anatomy_row *row = &matter->anatomy->rows[i];

		if (row->group == matter->index && row->phase == PHASE_CHILD && row->is_exec &&
		    row->class == FAULT_FILE_MAP && row->place.kind == PLACE_FILE &&
		    row->place.object == object && object != matter->linker)
			tally__add(tally, matter, row);
	}
	return tally->faults;
}

/* Nobody links the C library again for one program. */
static bool is_c_library(const struct matter *matter, uint32_t object)
{
	return !strncmp(matter__object(matter, object), "libc.so", 7);
}

bool rule__a14_text(const struct matter *matter, struct advice *advice)
{
	struct tally worst = { 0 };
	uint32_t object = NO_OBJECT;
	double share;

	for (uint32_t i = 0; i < matter->anatomy->object_count; i++) {
		struct tally tally = { 0 };

		if (is_c_library(matter, i) || windows_in(matter, i, &tally) <= worst.faults)
			continue;
		worst = tally;
		object = i;
	}
	if (worst.faults <= WINDOWS_MANY)
		return false;
	advice->evidence =
		text("A child fetches code from %.*f places of %s, each too far from the others to be "
		     "mapped with them: %.1f us, tracing included. The child pays.",
		     COUNT(worst.faults), matter__object(matter, object), worst.measured_ns / 1e3);
	advice->action = text("Order the functions of %s so that those which children run lie "
			      "together (-ffunction-sections and a linker's symbol ordering file, or "
			      "profile-guided layout).",
			      matter__object(matter, object));
	/* At best one place is left. */
	share = (worst.faults - 1) / worst.faults;
	worst.ns *= share;
	worst.high *= share;
	worst.low = 0;
	worst.faults -= 1;
	tally__predict(&worst, advice);
	figure__widen(&advice->predicted_faults, 0, advice->predicted_faults.high);
	return true;
}
