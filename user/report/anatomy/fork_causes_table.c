// SPDX-License-Identifier: GPL-2.0-or-later
/* The causes of a fork's overhead, the most expensive first. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/forks/fork_causes.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/shown.h"

enum { ROWS = 5, SYMBOLS_NAMED = 2 };

struct cause_view {
	bool timed, shares;
};

struct cause_line {
	struct cell us, share, faults, cause;
};

static const struct column cause_columns[] = {
	{ "us", COLUMN_NUMBER, CELL_OF(struct cause_line, us), WHEN(struct cause_view, timed) },
	{ "%", COLUMN_NUMBER, CELL_OF(struct cause_line, share), WHEN(struct cause_view, shares) },
	{ "faults", COLUMN_NUMBER, CELL_OF(struct cause_line, faults) },
	{ "cause", COLUMN_TEXT, CELL_OF(struct cause_line, cause) },
};

/* "ld.so binds _exit, dup2 and 3 more symbols again"; to be freed. */
static char *words_of_binding(const struct anatomy *anatomy, uint32_t group)
{
	struct name_list list = { .most = SYMBOLS_NAMED };
	char *names, *text;

	for (size_t i = 0; i < anatomy->symbol_count; i++)
		if (anatomy->symbols[i].group == group && anatomy->symbols[i].symbol)
			name_list__add(&list, anatomy->symbols[i].symbol);
	names = name_list__finish(&list);
	text = text__of("ld.so binds %s again", names ? names : "symbols");
	free(names);
	return text;
}

/* What the call copied, as far as it is known; to be freed. */
static char *words_of_call(const struct run *run, uint32_t group)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);
	char *text;

	if (group < run->group_count && run->groups[group].birth != BIRTH_FORK)
		return text__of("the %s call itself",
				birth_counters[run->groups[group].birth].key);
	if (!cost || cost->vmas.median == ABSENT)
		return text__of("fork copies the parent's mappings and page tables");
	text = text__of("fork copies the parent's %" PRIu64 " mappings", cost->vmas.median);
	if (cost->page_table_bytes.median != ABSENT)
		text__replace(&text, "%s and %s of page tables", text,
			      quantity__size(cost->page_table_bytes.median).text);
	return text;
}

static char *words_of_object(const struct run *run, const struct fork_cause *cause, const char *words)
{
	autofree char *object = cause->object == NO_OBJECT ? text__of("other files")
						  : names__object(run, cause->object, false);
	char *text = text__of(words, object);

	return text;
}

static char *words_of(const struct run *run, uint32_t group, const struct fork_cause *cause)
{
	switch (cause->kind) {
	case CAUSE_PAGE_TABLES:
		return words_of_call(run, group);
	case CAUSE_BINDING:
		return words_of_binding(run->anatomy, group);
	case CAUSE_KERNEL:
		return cause->call ? text__of("the kernel uses memory of the child in %s", cause->call)
				   : text__of("the kernel uses memory of the new child");
	case CAUSE_HEAP:
		return text__of("the child writes to malloc's heap (copy on write)");
	case CAUSE_STACK:
		return text__of("the child writes to its stack (copy on write)");
	case CAUSE_TLS:
		return text__of("the child writes to thread-local data (copy on write)");
	case CAUSE_DATA:
		return words_of_object(run, cause, "the child writes to data of %s (copy on write)");
	case CAUSE_ANONYMOUS:
		return text__of("the child writes to other memory (copy on write)");
	case CAUSE_CODE:
		return words_of_object(run, cause, "code and constants of %s are mapped again");
	case CAUSE_PARENT:
		return text__of("the parent writes after the fork (copy on write)");
	}
	return text__of("?");
}

static void add_line(struct table *table, const struct fork_breakdown *breakdown, double ns,
		     bool timed, double faults, char *words)
{
	const struct cause_line line = {
		.us = timed ? cell__us(ns) : cell__absent(),
		.share = timed ? cell__number(100 * ns / breakdown->overhead, 1) : cell__absent(),
		.faults = faults > 0 ? cell__number(faults, faults == rint(faults) ? 0 : 2) :
				       cell__blank(),
		.cause = cell__own(words),
	};

	table__add(table, &line);
}

/* Those that there is no room for, in one line. */
static void add_others(struct table *table, const struct fork_breakdown *breakdown,
		       const struct fork_causes *causes, size_t first)
{
	struct fork_cause sum = { 0 };

	for (size_t i = first; i < causes->count; i++) {
		sum.ns += causes->list[i].ns;
		sum.faults += causes->list[i].faults;
		sum.timed |= causes->list[i].timed;
	}
	if (first < causes->count)
		add_line(table, breakdown, sum.ns, sum.timed, sum.faults,
			 text__of("(%zu other causes)", causes->count - first));
}

static struct cause_view view_of(const struct fork_breakdown *breakdown,
				 const struct fork_causes *causes)
{
	struct cause_view view = { false, breakdown->overhead > 0 };

	for (size_t i = 0; i < causes->count; i++)
		view.timed |= causes->list[i].timed;
	view.shares &= view.timed;
	return view;
}

void fork_causes__print(const struct run *run, const struct report_options *options,
			const struct fork_breakdown *breakdown, const struct table_output *output)
{
	struct fork_causes causes = fork_causes__of(run, breakdown);
	const struct cause_view view = view_of(breakdown, &causes);
	size_t most = report__rows(ROWS, options, output), shown;
	autofree char *group = names__group(run, breakdown->group, false);
	struct table *table = table__titled(text__of("Causes of the overhead: %s", group), NULL);

	/* A line for a single other one would be as long as that one. */
	shown = causes.count <= most + (most < SIZE_MAX) ? causes.count : most;
	TABLE_COLUMNS(table, cause_columns, &view);
	table__rule(table);
	for (size_t i = 0; i < shown; i++)
		add_line(table, breakdown, causes.list[i].ns, causes.list[i].timed, causes.list[i].faults,
			 words_of(run, breakdown->group, &causes.list[i]));
	add_others(table, breakdown, &causes, shown);
	table__show(table, output);
	fork_causes__free(&causes);
}
