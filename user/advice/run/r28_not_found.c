// SPDX-License-Identifier: GPL-2.0-or-later
/* R28: bash starts a program for each command that it does not find. */
#include <inttypes.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/text.h"

enum { STARTS_LEAST = 3 };
static const double SHARE_LEAST = 0.1;

/* bash(1), COMMAND EXECUTION: it calls this function instead of saying that there is no such command. */
static bool is_by_handler(const struct run_subject *subject, const struct execution *row)
{
	const struct script_lines *lines = row->line == NO_LINE ? NULL : subject->run->lines;

	return lines && !text__compare(lines->rows[row->line].function, "command_not_found_handle");
}

bool rule__r28_not_found(const struct run_subject *subject, struct advice *advice)
{
	const struct wanted_rows starts = executions__wanted(subject, is_by_handler);
	autofree char *share = NULL, *place = NULL;

	if (starts.spared.count < STARTS_LEAST || !spared__reaches(&starts.spared, subject, SHARE_LEAST))
		return false;
	share = run_subject__share(subject, spared__predict(&starts.spared, subject, advice));
	place = execution__place(subject, starts.first);
	advice->evidence = text__of("Commands that do not exist are called, and bash starts %s for them %" PRIu64
				    " times, at %s: that takes %s.", run_subject__name(subject, starts.first->exe),
				    starts.spared.count, place, share);
	advice->action = text__of("define command_not_found_handle after all that only looks whether a program is "
				  "there (completions, start files), or leave it out; \"type -P NAME\" looks without "
				  "it");
	return true;
}
