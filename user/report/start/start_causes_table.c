// SPDX-License-Identifier: GPL-2.0-or-later
/* The causes of a start's time, the most expensive first. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/start/start_causes.h"
#include "base/autofree.h"
#include "base/number.h"
#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/shown.h"
#include "report/start/start_report.h"

enum { ROWS = 5 };

struct cause_view {
	bool timed, shares, faults;
};

struct cause_line {
	struct cell us, share;
	uint64_t calls, faults;
	struct cell cause;
};

static const struct column cause_columns[] = {
	{ "us", COLUMN_NUMBER, CELL_OF(struct cause_line, us), WHEN(struct cause_view, timed) },
	{ "%", COLUMN_NUMBER, CELL_OF(struct cause_line, share), WHEN(struct cause_view, shares) },
	{ "calls", COUNT_OF(struct cause_line, calls), .unless_zero = true },
	{ "faults", COUNT_OF(struct cause_line, faults), .unless_zero = true,
	  WHEN(struct cause_view, faults) },
	{ "cause", COLUMN_TEXT, CELL_OF(struct cause_line, cause) },
};

static uint64_t libraries_of(const struct start *start)
{
	uint64_t count = 0;

	for (size_t i = 0; i < start->object_count; i++)
		count += start->objects[i].role == START_IS_LIBRARY;
	return count;
}

static char *words_of_libraries(const struct start *start)
{
	const uint64_t count = libraries_of(start);

	return count ? text__of("ld.so finds and maps %" PRIu64 " %s", count,
				number__plural((double)count, "library", "libraries"))
		     : text__of("ld.so finds and maps libraries");
}

static char *words_of_files(const struct start_cause *cause)
{
	if (!cause->named)
		return text__of("calls for files");
	if (cause->count == 1)
		return text__of("calls for the file %s", cause->named);
	return text__of("calls for %" PRIu64 " files, such as %s", cause->count, cause->named);
}

static char *words_of_object(const struct run *run, const struct start_cause *cause, const char *words)
{
	autofree char *object = cause->object == NO_OBJECT ? text__of("other files")
						  : names__object(run, cause->object, false);
	char *text = text__of(words, object);

	return text;
}

static char *words_of(const struct run *run, const struct start_cause *cause)
{
	static const char *const words[] = {
		[START_BY_EXEC] = "the kernel executes the program",
		[START_BY_LOCALE] = "locales and character sets are read",
		[START_BY_NAMES] = "users, groups or hosts are looked up",
		[START_BY_MEMORY] = "memory is requested and given back",
		[START_BY_SIGNALS] = "signal actions are set",
		[START_BY_CHILDREN] = "processes or threads are created and waited for",
		[START_BY_CALLS] = "other system calls",
		[START_BY_LDSO] = "faults of ld.so: it links the libraries",
		[START_BY_FILLS] = "first use of new memory (filled with zeros)",
		[START_BY_FAULTS] = "other page faults",
	};

	switch (cause->kind) {
	case START_BY_LIBRARIES:
		return words_of_libraries(run->start);
	case START_BY_FILES:
		return words_of_files(cause);
	case START_BY_COPIES:
		return words_of_object(run, cause, "writes to data of %s (pages are copied)");
	case START_BY_MAPS:
		return words_of_object(run, cause, "code and constants of %s are mapped");
	default:
		return text__of("%s", words[cause->kind]);
	}
}

static void add_line(struct table *table, const struct start *start, double ns, double calls,
		     double faults, char *words)
{
	const struct cause_line line = {
		.us = cell__us(ns),
		.share = start->marks.end == ABSENT ? cell__absent()
						    : cell__number(100 * ns / (double)start->marks.end, 1),
		.calls = (uint64_t)calls,
		.faults = (uint64_t)faults,
		.cause = cell__own(words),
	};

	table__add(table, &line);
}

static void add_others(struct table *table, const struct start *start,
		       const struct start_causes *causes, size_t first)
{
	struct start_cause sum = { 0 };

	for (size_t i = first; i < causes->count; i++) {
		sum.ns += causes->list[i].ns;
		sum.calls += causes->list[i].calls;
		sum.faults += causes->list[i].faults;
	}
	if (first < causes->count)
		add_line(table, start, sum.ns, sum.calls, sum.faults,
			 text__of("(%zu other causes)", causes->count - first));
}

/* A log may have no times. The most expensive cause has one, if any has. */
static struct cause_view view_of(const struct run *run, const struct start_causes *causes)
{
	const bool timed = causes->count && causes->list[0].ns > 0;

	return (struct cause_view){ timed, timed && run->start->marks.end != ABSENT, run->anatomy };
}

void report__print_start_causes(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	struct start_causes causes = start_causes__of(run);
	const struct cause_view view = view_of(run, &causes);
	const size_t most = report__rows(ROWS, options, output);
	const size_t shown = causes.count <= most || causes.count == most + 1 ? causes.count : most;
	struct table *table = table__new("Causes of the start's time, as traced");

	TABLE_COLUMNS(table, cause_columns, &view);
	table__rule(table);
	for (size_t i = 0; i < shown; i++)
		add_line(table, run->start, causes.list[i].ns, causes.list[i].calls,
			 causes.list[i].faults, words_of(run, &causes.list[i]));
	add_others(table, run->start, &causes, shown);
	table__show(table, output);
	start_causes__free(&causes);
}
