// SPDX-License-Identifier: GPL-2.0-or-later
/* S5: python's -S leaves out module site, which looks for packages and what they want to run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advice/start/python.h"
#include "base/text.h"

/* What lies in these directories may be what the script itself imports. */
static bool is_for_site(const char *path)
{
	static const char *const ends[] = { "/site-packages", "/dist-packages", ".pth", NULL };
	const size_t length = strlen(path);

	for (size_t i = 0; ends[i]; i++)
		if (length >= strlen(ends[i]) &&
		    !strcmp(path + length - strlen(ends[i]), ends[i]))
			return true;
	return strstr(path, "sitecustomize") || strstr(path, "usercustomize");
}

static struct start_cost cost_of_site(const struct start *start)
{
	struct start_cost cost = { 0 };

	for (size_t i = 0; i < start->call_count; i++)
		if (start->calls[i].path && is_for_site(start->calls[i].path))
			start_cost__add(&cost, &start->calls[i]);
	return cost;
}

bool rule__s05_site(const struct start_subject *subject, struct advice *advice)
{
	static const char *const site[] = { "/site.", "/site.cpython", NULL };
	const struct start_cost cost = cost_of_site(subject->start);
	char *modules;

	/* Since 3.11 site is frozen into python: then only what it looks for shows. */
	if (!python__is(subject) || (!cost.calls && !python__calls(subject->start, site).calls))
		return false;
	modules = python__modules(subject->start);
	advice->evidence = text__of("Module site looks for installed packages, and for code that "
				    "they want to run at every start (.pth, sitecustomize). Calls for "
				    "that: %" PRIu64 ", %" PRIu64 " of them failed. %s",
				    cost.calls, cost.failed, modules);
	advice->action = text__of(
		"If a script needs the standard library only, start it by python -S: "
		"site-packages is not on its path then, and exit() and help() are missing. "
		"python -X importtime shows which modules take the rest.");
	free(modules);
	return true;
}
