// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/check/line_reasons.h"

#include <string.h>

#include "analysis/check/finding_lines.h"
#include "analysis/lines/line_sums.h"
#include "base/autofree.h"
#include "base/number.h"
#include "base/quantity.h"

static bool is_line(const struct check_names *names, const struct script_line *line, const char *name)
{
	autofree char *own = check_names__line(names, line);

	return own && !strcmp(own, name);
}

static void say_place(struct check_finding *finding, const struct line_sum *sum)
{
	autofree char *place = script_line__place(sum->line);

	const char *execute = number__plural((double)sum->children, "executes", "execute");

	if (sum->programs)
		check_finding__say(finding, "%s: %s, which %s %s%s", place,
				   quantity__count(sum->children, "fork", "forks").text, execute, sum->programs,
				   sum->program_count > PROGRAMS_NAMED ? " and others" : "");
	else
		check_finding__say(finding, "%s: %s, which never %s a program", place,
				   quantity__count(sum->children, "fork", "forks").text, execute);
}

static void say_places(struct check_finding *finding, const struct check_names *names)
{
	struct line_sums sums = line_sums__of(names->run);

	for (size_t i = 0; i < sums.count; i++)
		if (is_line(names, sums.list[i].line, finding->name))
			say_place(finding, &sums.list[i]);
	line_sums__free(&sums);
}

void line_reasons__add(struct check_finding *finding, const struct check_result *result,
		       const struct check_names *names)
{
	if (names && names->run->lines)
		say_places(finding, names);
	if (check_finding__is_new_line(finding) && finding_lines__gone(result))
		check_finding__say(finding, "lines that are new fork %s, lines that are gone forked %s",
				   quantity__count(finding_lines__new(result), "time", "times").text,
				   quantity__count(finding_lines__gone(result), "time", "times").text);
}
