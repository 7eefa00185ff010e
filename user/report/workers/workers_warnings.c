// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "base/text.h"
#include "format/wrap.h"
#include "report/workers/workers_report.h"

static void print_warning(char *text, const struct table_output *output)
{
	wrap__paragraph("Warning:", text, output);
}

void workers_report__print_warnings(const struct workers *workers, const struct table_output *output)
{
	const struct workers_cross_check *cross_check = &workers->cross_check;

	if (workers->born || workers->ended)
		print_warning(text__of("While it was read, %" PRIu64 " members were born and %" PRIu64
				       " ended: they are left out.", workers->born, workers->ended),
			      output);
	if (!cross_check->matches && cross_check->counted_bytes != ABSENT &&
	    cross_check->pss_anon_bytes != ABSENT)
		print_warning(text__of("The cross-check does not match after %" PRIu64
				       " readings: the "
				       "pool changed while it was read.",
				       cross_check->readings),
			      output);
	if (workers->unreadable)
		print_warning(text__of("%" PRIu64 " processes that may be members could not be looked "
				       "at: run forktax as root.", workers->unreadable), output);
}
