// SPDX-License-Identifier: GPL-2.0-or-later
/* L9: one line that starts a program again and again, where one start may do. */
#include <inttypes.h>
#include <string.h>

#include "advice/lines/rules_lines.h"
#include "analysis/lines/line_sums.h"
#include "base/autofree.h"

/* Fewer starts than this are not worth changing a loop. */
enum { STARTS_LEAST = 20 };

/* They take any number of operands, or lines of input, at once. */
static const char *const takers[] = { "rm", "mkdir", "touch", "chmod", "chown", "cat", "grep", "sed", "awk", "cut",
				      "tr", "basename", "dirname", "stat", "file", "readlink", "realpath", "sha256sum",
				      "md5sum", "wc", "gzip", "printf", "echo", NULL };

static bool is_taker(struct shell_span name)
{
	autofree char *text = shell_span__copy(name);

	return text__is_any(text__file_name(text), takers);
}

/* The first or last line is another one if all files are read at once: sed '$a\', awk 'NR == 1'. */
static bool counts_lines(struct shell_span name, const char *line)
{
	static const char *const counting[] = {
		"'$", "'0", "'1", "'2", "\"1", "\"2", " 1", " 2", "NR", "END", "BEGIN"
	};
	autofree char *text = shell_span__copy(name);
	bool counts = false;

	for (size_t i = 0; i < sizeof(counting) / sizeof(*counting); i++)
		counts |= strstr(line, counting[i]) != NULL;
	return counts && (!strcmp(text__file_name(text), "sed") || !strcmp(text__file_name(text), "awk"));
}

bool rule__l09_started_often(const struct line_subject *subject, struct advice *advice)
{
	if (*subject->advised > subject->advised_before)
		return false; /* it is known what to write instead */
	for (size_t i = 0; i < subject->each.program_count; i++) {
		const struct shell_program *program = &subject->each.programs[i];
		const uint64_t starts = line_subject__children_of(subject, program->name);
		autofree char *name = shell_span__copy(program->name);

		if (subject->executions < STARTS_LEAST || !is_taker(program->name) ||
		    counts_lines(program->name, subject->text->line))
			continue;
		advice->evidence = text__of("It starts %s %" PRIu64 " times, in %" PRIu64 " executions: %s",
					    name, starts, subject->executions, subject->text->line);
		advice->place = script_line__place(subject->line);
		advice->action =
			text__of("If the executions do not need each other's results, start %s once for all of "
				 "them, behind the loop or before it: with all operands (xargs), or with all lines "
				 "as its input.",
				 name);
		line_saving__at_most(subject, program->name, (double)(starts - 1), advice);
		return true;
	}
	return false;
}
