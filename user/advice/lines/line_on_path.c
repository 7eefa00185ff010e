// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/lines/line_on_path.h"

#include <stdlib.h>

#include "base/quantity.h"
#include "base/text.h"

/* Has a program that the line's children execute lines of its own? Then these have the time on the path. */
static bool starts_scripts(const struct line_subject *subject)
{
	const struct script_lines *lines = subject->run->lines;

	for (size_t i = 0; i < subject->row_count; i++) {
		const uint32_t exe = lines->rows[subject->rows[i]].exec_target;

		for (size_t k = 0; exe != NO_EXE && k < lines->count; k++)
			if (lines->rows[k].parent_exe == exe && lines->rows[k].source != SCRIPT_UNKNOWN)
				return true;
	}
	return false;
}

/* Of the processes that the line has created, and of those below them. */
static uint64_t ns_on_path(const struct critical_path *path, const struct script_line *line)
{
	for (size_t i = 0; i < path->line_count; i++) {
		const struct path_line *on_path = &path->lines[i];

		if (on_path->line == line->line && !text__compare(on_path->file, line->file) &&
		    !text__compare(on_path->function, line->function))
			return path__sum(on_path->ns);
	}
	return 0;
}

void line_on_path__weigh(const struct line_subject *subject, struct advice *advice)
{
	const struct critical_path *path = subject->run->critical_path;
	uint64_t ns;

	if (!path || subject->line->source != SCRIPT_FILE || starts_scripts(subject))
		return;
	ns = ns_on_path(path, subject->line);
	if (advice->predicted_ns.known)
		estimate__lower(&advice->predicted_ns, (double)ns);
	if (!advice->evidence)
		return;
	if (!ns)
		text__replace(&advice->evidence,
			      "%s None of its processes is on the critical path: the command does not wait for them.",
			      advice->evidence);
	else
		text__replace(&advice->evidence, "%s Its processes are on the critical path for %s of %s.",
			      advice->evidence, quantity__time((double)ns).text,
			      quantity__time((double)path->wall_ns).text);
}
