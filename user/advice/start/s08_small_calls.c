// SPDX-License-Identifier: GPL-2.0-or-later
/* S8: reads of a single byte, and seeks that change nothing. */
#include <inttypes.h>
#include <stdlib.h>

#include "advice/start/start_cost.h"
#include "analysis/start/start_findings.h"
#include "base/quantity.h"
#include "base/text.h"

bool rule__s08_small_calls(const struct start_subject *subject, struct advice *advice)
{
	struct start_findings findings = start_findings__of(subject->start);
	const struct start_odd bytes = findings.one_byte, seeks = findings.seeks;
	const struct start_cost cost = { .calls = bytes.calls + seeks.calls, .ns = bytes.ns + seeks.ns };

	start_findings__free(&findings);
	if (!cost.calls)
		return false;
	advice->evidence =
		text__of("Reads of a single byte, right after another: %" PRIu64 "; seeks that change nothing: "
			 "%" PRIu64 "; %s as traced.",
			 bytes.calls, seeks.calls, quantity__time(cost.ns).text);
	advice->action = text__of("Read into a buffer, and remember the position. A shell reads a "
				  "script from a pipe byte by byte, because its commands may read the "
				  "rest: give it a file.");
	start_cost__predict(&cost, subject, advice);
	/* The bytes still have to be read: at most all is saved. */
	estimate__widen(&advice->predicted_ns, 0, 0);
	return true;
}
