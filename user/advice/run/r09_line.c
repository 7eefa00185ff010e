// SPDX-License-Identifier: GPL-2.0-or-later
/* R9: a line of a script starts many programs that do little but start. */
#include <inttypes.h>

#include "advice/run/r10_replaced.h"
#include "advice/run/rules_run.h"
#include "analysis/lines/line_sums.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { CHILDREN_LEAST = 10 };
static const double SHARE_LEAST = 0.1, STARTS_LEAST = 0.5;

/* The sum of the line that is on the path; NULL: it has no children of its own. */
static const struct line_sum *sum_of(const struct line_sums *sums, const struct path_line *line)
{
	for (size_t i = 0; i < sums->count; i++)
		if (line_sum__is_known(&sums->list[i]) && path_line__is(line, sums->list[i].line))
			return &sums->list[i];
	return NULL;
}

/* What its programs take to start, of all that they take: that of others of the same name, too. */
static double starts_of(const struct run_subject *subject, const struct line_sum *sum)
{
	const struct run *run = subject->run;
	double starts = 0, all = 0;

	for (size_t i = 0; i < run->bill->count; i++) {
		const struct bill_row *row = &run->bill->rows[i];
		bool is_of_line = false;

		for (size_t k = 0; k < run->lines->count && !is_of_line; k++) {
			const struct script_line *line = &run->lines->rows[k];

			is_of_line = line->line == sum->line->line && !text__compare(line->file, sum->line->file) &&
				     (row->exe == line->exec_target ||
				      (row->exe == line->parent_exe && !row->executed));
		}
		if (!is_of_line || row->exe == NO_EXE)
			continue;
		all += run_subject__wall(subject, row);
		starts += row->kind == BILL_START ? run_subject__wall(subject, row) : 0;
	}
	return all > 0 ? starts / all : 0;
}

/* The dearest line whose programs mostly start; NULL: none. */
static const struct path_line *find_line(const struct run_subject *subject, const struct line_sums *sums,
					 const struct line_sum **found)
{
	const struct critical_path *path = subject->path;

	for (size_t i = 0; i < path->line_count; i++) {
		const struct path_line *line = &path->lines[i];
		const struct line_sum *sum = sum_of(sums, line);

		if ((double)path__sum(line->ns) < SHARE_LEAST * (double)path->wall_ns)
			break;
		if (!sum || sum->children < CHILDREN_LEAST || line->language == LANGUAGE_MAKE ||
		    starts_of(subject, sum) < STARTS_LEAST || r10_replaced__says(subject, line, sum->children))
			continue;
		*found = sum;
		return line;
	}
	return NULL;
}

/* "sed 359 times", "359 processes (sed, tr, no exec)"; to be freed. */
static char *children_of(const struct line_sum *sum)
{
	if (sum->programs && sum->program_count == 1 && !sum->no_exec)
		return text__of("%s %" PRIu64 " times", sum->programs, sum->children);
	return text__of("%" PRIu64 " processes%s%s%s", sum->children, sum->programs ? " (" : "",
			sum->programs ? sum->programs : "", sum->programs ? ")" : "");
}

bool rule__r09_line(const struct run_subject *subject, struct advice *advice)
{
	autofree char *place = NULL, *children = NULL, *share = NULL;
	const struct line_sum *sum = NULL;
	const struct path_line *line;
	struct line_sums sums;
	double ns;

	if (!subject->path || !subject->run->lines)
		return false;
	sums = line_sums__of(subject->run);
	line = find_line(subject, &sums, &sum);
	if (line) {
		ns = run_subject__path(subject, (double)path__sum(line->ns));
		place = script_line__place(sum->line);
		children = children_of(sum);
		share = run_subject__share(subject, ns);
		advice->evidence = text__of("%s takes %s: it starts %s, %s each.", place, share, children,
					    quantity__time(ns / (double)sum->children).text);
		advice->action = text__of("start fewer programs in %s: one for all, or none where the language itself "
					  "can do it", place);
		advice->predicted_ns = estimate__at_most(ns);
	}
	line_sums__free(&sums);
	return line;
}
