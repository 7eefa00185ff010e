// SPDX-License-Identifier: GPL-2.0-or-later
/* S3: files of the locale and of character sets. */
#include <inttypes.h>
#include <stdlib.h>

#include "advice/start/start_cost.h"
#include "analysis/start/start_avoided.h"
#include "base/quantity.h"
#include "base/text.h"

bool rule__s03_locale(const struct start_subject *subject, struct advice *advice)
{
	const struct start_cost cost = start_cost__of(subject->start, start_call__is_for_locale);

	if (!cost.calls)
		return false;
	advice->evidence = text__of("Calls for files of the locale or of character sets: %" PRIu64
				    " (%" PRIu64 " failed), %s as traced, without the page faults "
				    "on what they map.", cost.calls, cost.failed,
				    quantity__time(cost.ns).text);
	advice->action = text__of(
		"If nobody reads its messages, start it with LC_ALL=C. That changes the language, the "
		"sort order and the character set: bytes above 127 are no letters then. C.UTF-8 keeps "
		"the character set. A locale in locale-archive takes fewer calls than one in "
		"files of its own.");
	return true;
}
