// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/tree/tree_times_report.h"

#include <inttypes.h>
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

enum { MANY_STARTS = 10, PARTS_NAMED = 4 };

struct share {
	const char *name;
	uint64_t ns;
};

bool report__is_tree(const struct run *run)
{
	return run->tree_times && tree_times__starts(run->tree_times) >= MANY_STARTS;
}

static int by_ns(const void *left, const void *right)
{
	const struct share *a = left, *b = right;

	return (a->ns < b->ns) - (a->ns > b->ns);
}

/* What is no work, the most first. */
static char *largest_parts(const struct tree_times *times)
{
	const struct share work_excluded[] = {
		{ "creating processes", tree_times__part(times, TREE_CREATE) + tree_times__part(times, TREE_BEFORE) },
		{ "exec", tree_times__part(times, TREE_EXEC) },
		{ "ld.so", tree_times__part(times, TREE_LDSO) },
		{ "their constructors", tree_times__part(times, TREE_INIT) },
		{ "ending", tree_times__part(times, TREE_END) },
		{ "waiting", tree_times__part(times, TREE_WAIT) },
	};
	enum { SHARES = sizeof(work_excluded) / sizeof(work_excluded[0]) };
	struct share shares[SHARES];
	char *text = NULL;

	for (int i = 0; i < SHARES; i++)
		shares[i] = work_excluded[i];
	qsort(shares, SHARES, sizeof(*shares), by_ns);
	for (int i = 0; i < PARTS_NAMED; i++)
		text__replace(&text, "%s%s%s %s", text ? text : "", text ? ", " : "", shares[i].name,
			      quantity__share((double)shares[i].ns, times->cpu_ns).text);
	return text;
}

/* How much of the CPU time of a tree its programs' own work is, and what takes the rest, in a paragraph. */
static void print_answer(const struct run *run, const struct table_output *output)
{
	const struct tree_times *times = run->tree_times;
	const uint64_t copies = tree_times__copies(times);
	autofree char *parts = NULL, *text = NULL;

	if (!times->cpu_ns)
		return;
	parts = largest_parts(times);
	text = text__of("The tree took %s of CPU time in %s, as traced: %s of programs",
			quantity__time(times->cpu_ns).text, quantity__time(run->wall_ns).text,
			quantity__count(tree_times__starts(times), "start", "starts").text);
	if (copies)
		text__replace(&text, "%s, and %s that never executed one", text,
			      quantity__count(copies, "process", "processes").text);
	text__replace(&text, "%s. %s of it is their own work; %s.", text,
		      quantity__share((double)tree_times__part(times, TREE_WORK), times->cpu_ns).text, parts);
	if (times->unfinished)
		text__replace(&text, "%s Nothing of this is known of %s that had not ended.", text,
			      quantity__count(times->unfinished, "thread", "threads").text);
	if (times->left_out)
		text__replace(&text, "%s %s of threads or images found no room.", text,
			      quantity__count(times->left_out, "time", "times").text);
	wrap__print(NULL, text, 0, 0, output);
}

/* The times by program: what one start of it costs on average, and what that consists of. */

enum { PROGRAMS_SHOWN = 8 };

struct program_row {
	uint64_t images;
	double cpu_ms;
	struct cell each, create, exec, ldso, init, work, end;
	char *name;
};

static const struct column program_columns[] = {
	{ "CPU ms", NUMBER_OF(struct program_row, cpu_ms), .decimals = 1 },
	{ "starts", COUNT_OF(struct program_row, images) },
	{ "us each", COLUMN_NUMBER, CELL_OF(struct program_row, each) },
	{ "create", COLUMN_NUMBER, CELL_OF(struct program_row, create) },
	{ "exec", COLUMN_NUMBER, CELL_OF(struct program_row, exec) },
	{ "ld.so", COLUMN_NUMBER, CELL_OF(struct program_row, ldso) },
	{ "init", COLUMN_NUMBER, CELL_OF(struct program_row, init) },
	{ "work", COLUMN_NUMBER, CELL_OF(struct program_row, work) },
	{ "end", COLUMN_NUMBER, CELL_OF(struct program_row, end) },
	{ "program", TEXT_OF(struct program_row, name) },
};

static void add_to(struct tree_row *sum, const struct tree_row *row)
{
	sum->images += row->images;
	for (int part = 0; part < TREE_COUNT; part++)
		sum->cpu_ns[part] += row->cpu_ns[part];
}

/* Microseconds of each image. */
static struct cell each(const struct tree_row *row, double ns)
{
	return row->images ? cell__us(ns / row->images) : cell__absent();
}

static void add_program(struct table *table, const struct tree_row *row, char *name)
{
	const uint64_t *ns = row->cpu_ns;
	const double cpu = tree_row__cpu(row);

	table__add(table, &(struct program_row){
		.images = row->images,
		.cpu_ms = cpu / 1e6,
		.each = each(row, cpu),
		.create = each(row, ns[TREE_CREATE] + ns[TREE_BEFORE]),
		.exec = each(row, ns[TREE_EXEC]),
		.ldso = each(row, ns[TREE_LDSO]),
		.init = each(row, ns[TREE_INIT]),
		.work = each(row, ns[TREE_WORK] + ns[TREE_WAIT]),
		.end = each(row, ns[TREE_END]),
		.name = name,
	});
	free(name);
}

static char *name_of(const struct run *run, const struct tree_row *row)
{
	char *name = names__exe(run, row->exe, false);

	if (!row->executed)
		text__replace(&name, "%s, no exec", name);
	return name;
}

static void print_programs(const struct run *run, const struct report_options *options,
			   const struct table_output *output)
{
	const struct tree_times *times = run->tree_times;
	const size_t room = room__of(options, PROGRAMS_SHOWN, SIZE_MAX).rows;
	const size_t shown = times->count > room + 1 ? room : times->count;
	struct tree_row others = {}, all = {};
	struct table *table = table__new("CPU time by program, and of each start: us by part");

	TABLE_COLUMNS(table, program_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < times->count; i++) {
		add_to(&all, &times->rows[i]);
		if (i < shown)
			add_program(table, &times->rows[i], name_of(run, &times->rows[i]));
		else
			add_to(&others, &times->rows[i]);
	}
	if (shown < times->count)
		add_program(table, &others, text__of("(%zu other programs)", times->count - shown));
	table__rule(table);
	add_program(table, &all, text__of("total"));
	table__show(table, output);
}

struct table *report__tree_rows(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Times of the tree by program", run, &tree_times_shape, run->tree_times, "rows");
}

/* By part: together with what is not explained they are the CPU time that the kernel counts. */

struct part_row {
	struct cell share;
	double cpu_ms;
	struct cell elapsed;
	const char *name;
};

static const struct column part_columns[] = {
	{ "% CPU", COLUMN_NUMBER, CELL_OF(struct part_row, share) },
	{ "CPU ms", NUMBER_OF(struct part_row, cpu_ms), .decimals = 1 },
	{ "elapsed ms", COLUMN_NUMBER, CELL_OF(struct part_row, elapsed) },
	{ "part", TEXT_OF(struct part_row, name) },
};

static void add_part(struct table *table, double ns, double whole, struct cell elapsed, const char *name)
{
	table__add(table, &(struct part_row){ cell__percent(ns, whole), ns / 1e6, elapsed, name });
}

static void print_parts(const struct run *run, const struct table_output *output)
{
	const struct tree_times *times = run->tree_times;
	const double whole = times->cpu_ns;
	struct table *table =
		table__new("CPU time of the tree by part, and how long its processes were in it, summed up");

	TABLE_COLUMNS(table, part_columns, NULL);
	table__rule(table);
	for (int part = 0; part < TREE_COUNT; part++)
		add_part(table, tree_times__part(times, part), whole,
			 cell__number(tree_times__wall(times, part) / 1e6, 1), tree_counters[part].header);
	add_part(table, whole - (double)tree_times__cpu(times), whole, cell__blank(), "not explained");
	table__rule(table);
	add_part(table, whole, whole, cell__blank(), "total, by the kernel's count");
	table__show(table, output);
}

bool section__if_tree_times(const struct run *run, const struct report_options *options)
{
	return run->tree_times;
}

void report__print_tree_times(const struct run *run, const struct report_options *options,
			      const struct table_output *output)
{
	putc('\n', output->stream);
	print_answer(run, output);
	print_parts(run, output);
	print_programs(run, options, output);
}
