// SPDX-License-Identifier: GPL-2.0-or-later
/* R9: a line of a script, or several with the same program, starts many programs that do little but start. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "advice/run/run_executions.h"
#include "advice/run/rules_run.h"
#include "analysis/lines/line_sums.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { CHILDREN_LEAST = 10, LINES_MOST = 64, ROWS_LEAST = 5 };
static const double SHARE_LEAST = 0.1, LINE_SHARE_LEAST = 0.02, STARTS_LEAST = 0.5;

/* The sum of the line that is on the path; NULL: it has no children of its own. */
static const struct line_sum *sum_of(const struct line_sums *sums, const struct path_line *line)
{
	for (size_t i = 0; i < sums->count; i++)
		if (line_sum__is_known(&sums->list[i]) && path_line__is(line, sums->list[i].line))
			return &sums->list[i];
	return NULL;
}

static bool is_at(const struct script_line *line, const struct line_sum *sum)
{
	return line->line == sum->line->line && !text__compare(line->file, sum->line->file);
}

/* Does the line start that program, or one that starts it? */
static bool starts_program(const struct run *run, const struct line_sum *sum, uint32_t exe, bool executed)
{
	for (size_t i = 0; i < run->lines->count; i++) {
		const struct script_line *line = &run->lines->rows[i];

		if (!is_at(line, sum))
			continue;
		if (exe == line->exec_target || (exe == line->parent_exe && !executed))
			return true;
		for (size_t k = 0; run->executions && k < run->executions->count; k++)
			if (run->executions->rows[k].exe == exe &&
			    run->executions->rows[k].parent_exe == line->exec_target)
				return true;
	}
	return false;
}

/* What its programs take to start, of all that they take: that of others of the same name, too. */
static double starts_of(const struct run_subject *subject, const struct line_sum *sum)
{
	const struct run *run = subject->run;
	double starts = 0, all = 0;

	for (size_t i = 0; i < run->bill->count; i++) {
		const struct bill_row *row = &run->bill->rows[i];

		if (row->exe == NO_EXE || !starts_program(run, sum, row->exe, row->executed))
			continue;
		all += run_subject__wall(subject, row);
		starts += row->kind == BILL_START ? run_subject__wall(subject, row) : 0;
	}
	return all > 0 ? starts / all : 0;
}

/*
 * What they have in common, of all that they take, whatever their arguments: as much as the cheapest one takes.
 * 0: not known.
 */
static double common_of(const struct run *run, const struct line_sum *sum)
{
	double least = INFINITY, all = 0, count = 0;
	size_t rows = 0;

	for (size_t i = 0; run->executions && i < run->executions->count; i++) {
		const struct execution *row = &run->executions->rows[i];

		if (row->line == NO_LINE || !is_at(&run->lines->rows[row->line], sum))
			continue;
		least = fmin(least, (double)row->cpu_ns / (double)row->count);
		all += (double)row->cpu_ns;
		count += (double)row->count;
		rows++;
	}
	return rows >= ROWS_LEAST && least < HEAVY_NS_LEAST && all > 0 ? count * least / all : 0;
}

/* Lines of one file that start the same program, and nothing else; or one line of any programs. */
struct dear_lines {
	const struct line_sum *dearest; /* NULL: there are none */
	uint64_t lines, children;
	uint64_t ns; /* of the path */
};

/* What the line starts; NULL: few programs, or some that do more than start, or that R10 speaks of. */
static const struct line_sum *starting(const struct run_subject *subject, const struct line_sums *sums,
				       const struct path_line *line)
{
	const struct line_sum *sum = line->language == LANGUAGE_MAKE ? NULL : sum_of(sums, line);

	if (!sum || sum->children < CHILDREN_LEAST ||
	    fmax(starts_of(subject, sum), common_of(subject->run, sum)) < STARTS_LEAST ||
	    r10_replaced__says(subject, line, sum->children))
		return NULL;
	return sum;
}

static bool has_one_program(const struct line_sum *sum)
{
	return sum->program_count == 1 && !sum->no_exec;
}

static bool goes_with(const struct line_sum *sum, const struct line_sum *other)
{
	return has_one_program(sum) && has_one_program(other) && !strcmp(sum->programs, other->programs) &&
	       !text__compare(sum->line->file, other->line->file);
}

/* Those that take most, if that is much. A line that takes little of the path is not looked at. */
static struct dear_lines find_lines(const struct run_subject *subject, const struct line_sums *sums)
{
	const struct critical_path *path = subject->path;
	struct dear_lines found[LINES_MOST] = { 0 }, most = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < path->line_count && count < LINES_MOST; i++) {
		const uint64_t ns = path__sum(path->lines[i].ns);
		const struct line_sum *sum;
		size_t k = 0;

		if ((double)ns < LINE_SHARE_LEAST * (double)path->wall_ns)
			break;
		sum = starting(subject, sums, &path->lines[i]);
		if (!sum)
			continue;
		while (k < count && !goes_with(sum, found[k].dearest))
			k++;
		count += k == count;
		if (!found[k].dearest)
			found[k].dearest = sum;
		found[k].lines++;
		found[k].children += sum->children;
		found[k].ns += ns;
		if (found[k].ns > most.ns)
			most = found[k];
	}
	return (double)most.ns < SHARE_LEAST * (double)path->wall_ns ? (struct dear_lines){ 0 } : most;
}

/* "sed 359 times", "359 processes (sed, tr, no exec)"; to be freed. */
static char *children_of(const struct dear_lines *lines)
{
	const struct line_sum *sum = lines->dearest;

	if (has_one_program(sum))
		return text__of("%s %" PRIu64 " times", sum->programs, lines->children);
	return text__of("%" PRIu64 " processes%s%s%s", sum->children, sum->programs ? " (" : "",
			sum->programs ? sum->programs : "", sum->programs ? ")" : "");
}

/* "hook:7 and 3 more lines"; to be freed. */
static char *place_of(const struct dear_lines *lines)
{
	autofree char *place = script_line__place(lines->dearest->line);

	return lines->lines == 1 ? text__copy(place) : text__of("%s and %s", place,
			quantity__count(lines->lines - 1, "more line", "more lines").text);
}

bool rule__r09_line(const struct run_subject *subject, struct advice *advice)
{
	autofree char *place = NULL, *children = NULL, *share = NULL;
	struct dear_lines lines;
	struct line_sums sums;
	bool one;
	double ns;

	if (!subject->path || !subject->run->lines)
		return false;
	sums = line_sums__of(subject->run);
	lines = find_lines(subject, &sums);
	if (lines.dearest) {
		one = lines.lines == 1;
		ns = run_subject__path(subject, (double)lines.ns);
		place = place_of(&lines);
		children = children_of(&lines);
		share = run_subject__share(subject, ns);
		advice->evidence = text__of("%s %s %s: %s %s, %s each.", place, one ? "takes" : "take", share,
					    one ? "it starts" : "they start", children,
					    quantity__time(ns / (double)lines.children).text);
		advice->action = text__of("start fewer programs in %s: one for all, or none where the language itself "
					  "can do it", place);
		advice->predicted_ns = estimate__at_most(ns);
	}
	line_sums__free(&sums);
	return lines.dearest;
}
