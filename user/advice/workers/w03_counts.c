// SPDX-License-Identifier: GPL-2.0-or-later
/* W3: what is left when the collector is kept away. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

/* Of the copies, to say that freezing was (not) what they needed. */
static const double MOST = 0.5;

bool rule__w03_counts(const struct pool_subject *subject, struct advice *advice)
{
	const double extra = subject->state->extra_bytes, saved = subject->freeze.value;

	if (!subject->python || !subject->freeze.known || extra < subject->worth || saved > MOST * extra)
		return false;
	advice->evidence = text__of(
		"Copies cost %s, and gc.freeze() before each fork saved %s: the "
		"collector does not cause most of them. What remains are reference counts, which "
		"CPython writes whenever it uses an object, and writes of the program itself; "
		"which of them is unknown.",
		quantity__size(extra).text, quantity__size(saved > 0 ? saved : 0).text);
	advice->action = text__of(
		"Keep large data in few objects: bytes, array, numpy or a mapped file, not "
		"lists of dictionaries. Or let the kernel merge the copies.");
	return true;
}
