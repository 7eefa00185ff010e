// SPDX-License-Identifier: GPL-2.0-or-later
/* The critical path: by program, by line of a script, and its steps. */
#include "report/tree/critical_path_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "model/words/names.h"
#include "report/cells.h"
#include "report/report_sections.h"
#include "report/saved_table.h"

enum { NAMED_IN_ANSWER = 3, PROGRAMS_SHOWN = 8, LINES_SHOWN = 6 };

bool section__if_path(const struct run *run, const struct report_options *options)
{
	return run->critical_path;
}

/* In explain: it is recorded always, and asked for by name. */
bool section__if_path_of_many(const struct run *run, const struct report_options *options)
{
	return run->critical_path && (section__if_many_programs(run, options) || options->show[SHOW_CRITICAL_PATH]);
}

char *report__path_program(const struct run *run, uint32_t exe, bool executed)
{
	char *name = names__exe(run, exe, false);

	if (!executed)
		text__replace(&name, "%s, no exec", name);
	return name;
}

char *report__path_place(const struct path_line *line)
{
	const char *file = line->file ? text__file_name(line->file) : NULL;

	return script_place__named(line->language, file, line->line, line->function);
}

static char *programs_in_words(const struct run *run)
{
	const struct critical_path *path = run->critical_path;
	char *text = NULL;

	for (size_t i = 0; i < path->program_count && i < NAMED_IN_ANSWER; i++) {
		const struct path_program *program = &path->programs[i];
		const double share = (double)path__sum(program->ns) / path->wall_ns;

		if (i && share < 0.01)
			break;
		autofree char *name = report__path_program(run, program->exe, program->executed);

		text__replace(&text, "%s%s%s %s", text ? text : "", text ? "; " : "", name,
			      quantity__percent(share).text);
	}
	return text;
}

/* What is no time on a CPU, where it is at least a hundredth. */
static void add_waits(const struct critical_path *path, char **text)
{
	for (int part = PATH_PART_READY; part < PATH_PARTS; part++) {
		const double share = (double)critical_path__part(path, part) / path->wall_ns;

		if (share >= 0.01)
			text__replace(text, "%s, %s %s", *text, path_part_words[part], quantity__percent(share).text);
	}
}

void report__print_path_answer(const struct run *run, const struct table_output *output)
{
	const struct critical_path *path = run->critical_path;
	autofree char *programs = NULL, *text = NULL;
	uint64_t cpu;

	if (!path || !path->wall_ns)
		return;
	cpu = critical_path__part(path, PATH_PART_CPU);
	programs = programs_in_words(run);
	text = text__of("Critical path: %s. On a CPU %s", programs,
			quantity__percent((double)cpu / path->wall_ns).text);
	add_waits(path, &text);
	text__replace(&text, "%s.", text);
	wrap__print(NULL, text, 0, 0, output);
}

struct path_table_row {
	struct cell share;
	double ms, cpu_ms, ready_ms, asleep_ms;
	uint64_t steps;
	char *name;
};

#define PATH_COLUMNS(last)                                                                         \
	{                                                                                          \
		{ "% path", COLUMN_NUMBER, CELL_OF(struct path_table_row, share) },                \
		{ "ms", NUMBER_OF(struct path_table_row, ms), .decimals = 1 },                     \
		{ "on CPU", NUMBER_OF(struct path_table_row, cpu_ms), .decimals = 1 },             \
		{ "no CPU", NUMBER_OF(struct path_table_row, ready_ms), .decimals = 1 },           \
		{ "asleep", NUMBER_OF(struct path_table_row, asleep_ms), .decimals = 1 },          \
		{ "steps", COUNT_OF(struct path_table_row, steps) },                               \
		{ last, TEXT_OF(struct path_table_row, name) },                                    \
	}
static const struct column program_columns[] = PATH_COLUMNS("program");
static const struct column line_columns[] = PATH_COLUMNS("line");

/* Takes ownership of `name`. */
static void add_row(struct table *table, const uint64_t ns[PATH_PARTS], uint64_t steps, double whole, char *name)
{
	const uint64_t asleep = ns[PATH_PART_DEVICE] + ns[PATH_PART_OTHERS] + ns[PATH_PART_UNKNOWN];

	table__add(table, &(struct path_table_row){
		.share = cell__percent(path__sum(ns), whole),
		.ms = path__sum(ns) / 1e6,
		.cpu_ms = ns[PATH_PART_CPU] / 1e6,
		.ready_ms = ns[PATH_PART_READY] / 1e6,
		.asleep_ms = asleep / 1e6,
		.steps = steps,
		.name = name,
	});
	free(name);
}

struct path_sum {
	uint64_t ns[PATH_PARTS];
	uint64_t steps;
};

static void add_to(struct path_sum *sum, const uint64_t ns[PATH_PARTS], uint64_t steps)
{
	for (int part = 0; part < PATH_PARTS; part++)
		sum->ns[part] += ns[part];
	sum->steps += steps;
}

static void print_programs(const struct run *run, const struct report_options *options,
			   const struct table_output *output)
{
	const struct critical_path *path = run->critical_path;
	const size_t room = room__of(options, PROGRAMS_SHOWN, SIZE_MAX).rows;
	const size_t shown = path->program_count > room + 1 ? room : path->program_count;
	struct table *table = table__new("Critical path by program: ms, and what it did");
	struct path_sum others = {}, all = {};

	TABLE_COLUMNS(table, program_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < path->program_count; i++) {
		const struct path_program *program = &path->programs[i];

		add_to(&all, program->ns, program->steps);
		if (i < shown)
			add_row(table, program->ns, program->steps, path->wall_ns,
				report__path_program(run, program->exe, program->executed));
		else
			add_to(&others, program->ns, program->steps);
	}
	if (shown < path->program_count)
		add_row(table, others.ns, others.steps, path->wall_ns,
			text__of("(%zu other programs)", path->program_count - shown));
	table__rule(table);
	add_row(table, all.ns, all.steps, path->wall_ns, text__of("total"));
	table__show(table, output);
}

static void print_lines(const struct run *run, const struct report_options *options,
			const struct table_output *output)
{
	const struct critical_path *path = run->critical_path;
	const struct room room = room__of(options, LINES_SHOWN, SIZE_MAX);
	autofree char *title = room__title(&room, "Critical path by line of a script, with all that it started",
					   path->line_count);
	struct table *table;

	if (!path->line_count)
		return;
	table = table__new(title);
	TABLE_COLUMNS(table, line_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < path->line_count && i < room.rows; i++)
		add_row(table, path->lines[i].ns, path->lines[i].steps, path->wall_ns,
			report__path_place(&path->lines[i]));
	table__show(table, output);
}

void report__print_path_tables(const struct run *run, const struct report_options *options,
			       const struct table_output *output)
{
	print_programs(run, options, output);
	print_lines(run, options, output);
}

void report__print_critical_path(const struct run *run, const struct report_options *options,
				 const struct table_output *output)
{
	putc('\n', output->stream);
	report__print_path_answer(run, output);
	report__print_path_tables(run, options, output);
}

struct table *report__path_programs(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Critical path by program", run, &critical_path_shape, run->critical_path, "programs");
}

struct table *report__path_lines(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Critical path by line", run, &critical_path_shape, run->critical_path, "lines");
}

struct table *report__path_steps(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Steps of the critical path", run, &critical_path_shape, run->critical_path, "steps");
}
