// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls by strace's classes. A call may be in several, so nothing here adds up, and nothing is added. */

#include "base/text.h"
#include "format/column.h"
#include "report/cells.h"
#include "report/run/run_report.h"
#include "report/run/syscall_classes.h"

/* Sums over the calls of a class; or over those of no class. */
struct class_sum {
	const struct syscall_class *class; /* NULL: calls of no class */
	uint64_t calls, errors, denied, time_ns;
	struct syscall_row failed; /* errors by errno */
};

struct class_table {
	bool timed, errors;
};

struct class_line {
	uint64_t calls, errors, denied;
	double seconds;
	struct cell name, errnos;
};

static const struct column class_columns[] = {
	{ "seconds", NUMBER_OF(struct class_line, seconds), .decimals = 6,
	  WHEN(struct class_table, timed) },
	{ "calls", COUNT_OF(struct class_line, calls) },
	{ "errors", COUNT_OF(struct class_line, errors), .unless_zero = true,
	  WHEN(struct class_table, errors) },
	{ "denied", COUNT_OF(struct class_line, denied), .unless_zero = true, IF_ANY },
	{ "class", COLUMN_TEXT, CELL_OF(struct class_line, name) },
	{ "errnos", COLUMN_TEXT, CELL_OF(struct class_line, errnos), IF_ANY },
};

static bool is_in(const struct class_sum *sum, const struct syscall_row *row)
{
	return sum->class ? syscall_class__has(sum->class, row->name)
			  : !syscall_classes__know(row->name);
}

static void sum_up(struct class_sum *sum, const struct call_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct syscall_row *row = list->rows[i];

		if (!is_in(sum, row))
			continue;
		sum->calls += syscall_row__sum(row->calls);
		sum->errors += syscall_row__sum(row->errors);
		sum->denied += syscall_row__sum(row->denied);
		sum->time_ns += syscall_row__sum(row->time_ns);
		syscall_row__add_errnos(&sum->failed, row);
	}
	syscall_row__sort_errnos(&sum->failed);
}

static struct class_line line_of(const struct class_sum *sum)
{
	return (struct class_line){
		.calls = sum->calls,
		.errors = sum->errors,
		.denied = sum->denied,
		.seconds = sum->time_ns / 1e9,
		.name = sum->class ? cell__own(text__of("%%%s", sum->class->name))
				   : cell__text("none of these"),
		.errnos = cell__errnos(&sum->failed, SIZE_MAX),
	};
}

static void add_class(struct table *table, const struct call_list *list,
		      const struct syscall_class *class)
{
	struct class_sum sum = { .class = class };
	struct class_line line;

	sum_up(&sum, list);
	if (sum.calls || sum.denied) {
		line = line_of(&sum);
		table__add(table, &line);
	}
	syscall_row__release_errnos(&sum.failed);
}

struct table *report__classes(const struct run *run, const struct report_options *options)
{
	struct call_list list = call_list__of(&run->table, run->timed, options);
	const struct class_table about = {
		.timed = list.timed,
		.errors = run__has(run, HAS_ERRORS),
	};
	struct table *table = table__new("Classes of system calls (a call may be in several)");

	TABLE_COLUMNS(table, class_columns, &about);
	table__rule(table);
	for (size_t i = 0; i < syscall_class_count; i++)
		add_class(table, &list, &syscall_classes[i]);
	add_class(table, &list, NULL);
	call_list__free(&list);
	return table;
}
