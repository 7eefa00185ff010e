// SPDX-License-Identifier: GPL-2.0-or-later
/* A14: each stretch of 16 pages of code that a child runs through is a fault of its own. */
#include <string.h>

#include "advice/rules.h"
#include "advice/saving.h"
#include "base/quantity.h"

enum { WINDOWS_MANY = 4 };

/* Adds fetches of code in one object; those in ld.so are A1's and A2's. */
static double windows_in(const struct subject *subject, uint32_t object, struct saving *saving)
{
	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group == subject->index && row->phase == PHASE_CHILD && row->is_exec &&
		    row->class == FAULT_FILE_MAP && row->place.kind == PLACE_FILE &&
		    row->place.object == object && object != subject->linker)
			saving__add(saving, subject, row);
	}
	return saving->faults;
}

/* Nobody links the C library again for one program. */
static bool is_c_library(const struct subject *subject, uint32_t object)
{
	return !strncmp(subject__object(subject, object), "libc.so", 7);
}

bool rule__a14_text(const struct subject *subject, struct advice *advice)
{
	struct saving worst = { 0 };
	uint32_t object = NO_OBJECT;
	double share;

	for (uint32_t i = 0; i < subject->anatomy->object_count; i++) {
		struct saving saving = { 0 };

		if (is_c_library(subject, i) || windows_in(subject, i, &saving) <= worst.faults)
			continue;
		worst = saving;
		object = i;
	}
	if (worst.faults <= WINDOWS_MANY)
		return false;
	advice->evidence =
		text__of("A child runs code in %s places of %s, and each place takes a page fault of its own: "
			 "%s, tracing included. The child pays.",
			 number__rounded(worst.faults).text, subject__object(subject, object),
			 quantity__time(worst.measured_ns).text);
	advice->action = text__of("Order the functions of %s so that those which children run are "
				  "adjacent (-ffunction-sections and a linker's symbol ordering file, or "
				  "profile-guided layout).",
				  subject__object(subject, object));
	/* At best one place is left. */
	share = (worst.faults - 1) / worst.faults;
	worst.ns *= share;
	worst.high *= share;
	worst.low = 0;
	worst.faults -= 1;
	saving__predict(&worst, advice);
	estimate__widen(&advice->predicted_faults, 0, advice->predicted_faults.high);
	return true;
}
