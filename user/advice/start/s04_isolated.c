// SPDX-License-Identifier: GPL-2.0-or-later
/* S4: python's -I leaves out the user's directory of packages, and variables of the environment. */
#include <inttypes.h>
#include <string.h>

#include "advice/start/python.h"
#include "base/text.h"

/* -I leaves them out even if they are there; with it, python does not look. */
static bool is_for_user(const struct start_call *call)
{
	return call->path && strstr(call->path, "/.local/lib/python");
}

bool rule__s04_isolated(const struct start_subject *subject, struct advice *advice)
{
	const struct start_cost cost = start_cost__of(subject->start, is_for_user);

	if (!python__is(subject) || !cost.calls || python__has_option(subject, "Is"))
		return false;
	advice->evidence = text__of("Calls by which python searches packages of the user "
				    "(~/.local): %" PRIu64 ", %" PRIu64 " of them failed.", cost.calls, cost.failed);
	advice->action = text__of(
		"If a script needs neither these, nor PYTHONPATH and other PYTHON... variables, "
		"nor modules beside itself, start it with python -I.");
	return true;
}
