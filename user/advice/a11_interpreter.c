// SPDX-License-Identifier: GPL-2.0-or-later
/* A11: reference counts and marks of a garbage collector lie among the data: to read is to write. */
#include <string.h>

#include "advice/rules.h"
#include "advice/tally.h"

enum { COPIES_LEAST = 50 };

struct interpreter {
	const char *name; /* of the program or library, without "lib" */
	const char *action;
};

static const struct interpreter interpreters[] = {
	{ "python", "Keep what children only read in few large objects (bytes, array, mmap): to "
		    "use an object is to write its reference count, and each lies in front of its "
		    "data. If they collect garbage, gc.freeze() before forking, or gc.disable(). "
		    "Python 3.12 no longer counts references to constants." },
	{ "ruby", "Call Process.warmup (Ruby 3.3) before the first fork." },
	{ "perl", "Load and compile everything before the first fork, and keep numbers and strings "
		  "apart: a value that is used as the other is written to. Let children leave by "
		  "POSIX::_exit: exit frees what they have inherited." },
	{ "php", "Preload code with opcache before forking workers." },
};

/* The interpreter whose code that is. */
static const struct interpreter *find_interpreter(const struct matter *matter, uint32_t object)
{
	const char *name;

	if (object == NO_OBJECT)
		return NULL;
	name = matter__object(matter, object);
	name += strncmp(name, "lib", 3) ? 0 : 3;
	for (size_t i = 0; i < sizeof(interpreters) / sizeof(interpreters[0]); i++)
		if (!strncmp(name, interpreters[i].name, strlen(interpreters[i].name)))
			return &interpreters[i];
	return NULL;
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
	/* At most: what the child's own work writes stays. */
	tally.low = 0;
	tally__predict(&tally, advice);
	advice->predicted_faults.bounded = true;
	advice->predicted_faults.low = 0;
	return true;
}
