// SPDX-License-Identifier: GPL-2.0-or-later
/* S5: python's -S leaves out module site, which looks for packages and what they want to run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advice/start/python.h"
#include "base/text.h"

/* What lies in these directories may be what the script itself imports. */
static bool is_for_site(const struct start_call *call)
{
	static const char *const ends[] = { "/site-packages", "/dist-packages", ".pth", NULL };
	static const char *const custom[] = { "sitecustomize", "usercustomize", NULL };
	const size_t length = call->path ? strlen(call->path) : 0;

	for (size_t i = 0; ends[i]; i++)
		if (length >= strlen(ends[i]) && !strcmp(call->path + length - strlen(ends[i]), ends[i]))
			return true;
	return text__holds_any(call->path, custom);
}

static bool reads_site(const struct start_call *call)
{
	static const char *const parts[] = { "/site.", "/site.cpython", NULL };

	return text__holds_any(call->path, parts);
}

/* In a virtual environment, which has such a file, nothing of it could be imported. */
static bool is_in_environment(const struct start *start)
{
	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		if (call->path && !strcmp(text__file_name(call->path), "pyvenv.cfg") && !start_call__errno(call))
			return true;
	}
	return false;
}

bool rule__s05_site(const struct start_subject *subject, struct advice *advice)
{
	const struct start_cost cost = start_cost__of(subject->start, is_for_site);
	char *modules;

	if (python__has_option(subject, "S") || is_in_environment(subject->start))
		return false;
	/* Since 3.11 site is frozen into python: then only what it looks for shows. */
	if (!python__is(subject) || (!cost.calls && !start_cost__of(subject->start, reads_site).calls))
		return false;
	modules = python__modules(subject->start);
	advice->evidence = text__of("Module site puts directories of installed packages on the path, and "
				    "runs the code that they start with (.pth, "
				    "sitecustomize). Calls for that: %" PRIu64 ", %" PRIu64 " of them failed. %s",
				    cost.calls, cost.failed, modules);
	advice->action = text__of("If a script needs the standard library only, start it with python -S: "
				  "site-packages is not on its path then, and exit() and help() are missing. "
				  "python -X importtime shows which modules take the rest.");
	free(modules);
	return true;
}
