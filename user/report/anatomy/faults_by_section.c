// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Faults summed up by section. Page by page they would be hundreds of rows: so many pages a program
 * touches between its exec and its first fork, and some children touch as many.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forks/phase_totals.h"
#include "analysis/forks/row_selection.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

/* Faults of one actor in one section. */
struct part {
	const struct anatomy_row *first;
	double ns, faults, copies, fills, maps;
};

struct parts {
	struct part *parts;
	size_t count;
};

static const char *section_of(const struct place *place)
{
	return place->section ? place->section : "";
}

static int compare_places(const void *left, const void *right)
{
	const struct anatomy_row *a = ((const struct selected_row *)left)->row;
	const struct anatomy_row *b = ((const struct selected_row *)right)->row;

	if (a->actor != b->actor)
		return (int)a->actor - (int)b->actor;
	if (a->place.kind != b->place.kind)
		return (int)a->place.kind - (int)b->place.kind;
	if (a->place.object != b->place.object)
		return a->place.object < b->place.object ? -1 : 1;
	return strcmp(section_of(&a->place), section_of(&b->place));
}

static int by_time(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->faults != b->faults)
		return a->faults > b->faults ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static void add_to(struct part *part, const struct anatomy_row *row)
{
	part->ns += anatomy_row__all_ns(row);
	part->faults += row->faults;
	switch (row->class) {
	case FAULT_COW_COPY:
	case FAULT_FILE_COW:
		part->copies += row->faults;
		break;
	case FAULT_ZERO_FILL:
		part->fills += row->faults;
		break;
	case FAULT_FILE_MAP:
		part->maps += row->faults;
		break;
	default:
		break;
	}
}

static struct parts parts_of(struct row_selection *selection)
{
	struct parts parts = { .parts = checked_calloc(selection->count, sizeof(*parts.parts)) };

	if (selection->count)
		qsort(selection->rows, selection->count, sizeof(*selection->rows), compare_places);
	for (size_t i = 0; i < selection->count; i++) {
		if (!i || compare_places(&selection->rows[i - 1], &selection->rows[i]) != 0)
			parts.parts[parts.count++].first = selection->rows[i].row;
		add_to(&parts.parts[parts.count - 1], selection->rows[i].row);
	}
	qsort(parts.parts, parts.count, sizeof(*parts.parts), by_time);
	return parts;
}

static char *target_text(const struct run *run, const struct place *place)
{
	const char *kind = place_counters[place->kind].header;
	autofree char *object = NULL;

	if (place->object == NO_OBJECT)
		return text__of("%s", kind);
	object = names__object(run, place->object, false);
	if (!place->section && place->kind == PLACE_FILE) /* a data file, or one without names */
		return checked_strdup(object);
	return text__of("%s %s", object, place->section ? place->section : kind);
}

/* What the table is about. */
struct part_table {
	const struct run *run;
	double children; /* all figures are divided by them */
};

/* Without `part.first`: a sum called `name`. */
struct part_line {
	struct part part;
	const char *name;
};

static struct cell part_time(const void *subject, const void *row, int index)
{
	double ns = ((const struct part_line *)row)->part.ns;

	return ns > 0 ? cell__us(ns / ((const struct part_table *)subject)->children) : cell__blank();
}

/* Faults at that offset of the part, per child. */
static struct cell part_faults(const void *subject, const void *row, int offset)
{
	const double faults = *(const double *)((const char *)row + offset);
	const double children = ((const struct part_table *)subject)->children;

	return faults == 0 ? cell__blank() : cell__number(faults / children, DECIMALS_UNLESS_WHOLE);
}

static struct cell part_actor(const void *subject, const void *row, int index)
{
	const struct anatomy_row *first = ((const struct part_line *)row)->part.first;

	return first ? cell__text(actor_counters[first->actor].header) : cell__blank();
}

static struct cell part_target(const void *subject, const void *row, int index)
{
	const struct part_line *line = row;

	if (!line->part.first)
		return cell__text(line->name);
	return cell__own(target_text(((const struct part_table *)subject)->run, &line->part.first->place));
}

#define FAULTS_OF(field) COLUMN_NUMBER, .cell = part_faults, \
			 .index = offsetof(struct part_line, part.field)

static const struct column part_columns[] = {
	{ "us", COLUMN_NUMBER, .cell = part_time, IF_ANY },
	{ "faults", FAULTS_OF(faults) },
	{ "copies", FAULTS_OF(copies) },
	{ "fills", FAULTS_OF(fills) },
	{ "maps", FAULTS_OF(maps) },
	{ "who", COLUMN_TEXT, .cell = part_actor },
	{ "target", COLUMN_TEXT, .cell = part_target },
};

static void add_sum(struct table *table, struct part part, const char *name)
{
	part.first = NULL;
	if (part.faults != 0)
		table__add(table, &(struct part_line){ part, name });
}

static void add_faults(struct table *table, double faults, const char *name)
{
	add_sum(table, (struct part){ .faults = faults }, name);
}

static void add_to_total(struct part *sum, const struct part *part)
{
	sum->ns += part->ns;
	sum->faults += part->faults;
	sum->copies += part->copies;
	sum->fills += part->fills;
	sum->maps += part->maps;
}

/* `rest` names what is in no row. */
static void add_parts(struct table *table, const struct parts *parts,
		      const struct phase_totals *totals, struct room room, const char *rest)
{
	size_t shown = table__most(parts->count, room.rows);
	struct part others = { 0 }, total = { 0 };
	autofree char *more = text__of("(%zu more%s)", parts->count - shown, room.others);

	for (size_t i = 0; i < parts->count; i++) {
		add_to_total(&total, &parts->parts[i]);
		if (i >= shown)
			add_to_total(&others, &parts->parts[i]);
		else
			table__add(table, &(struct part_line){ parts->parts[i], NULL });
	}
	add_sum(table, others, more);
	add_faults(table, totals->unattributed, "unattributed: faults without an event");
	add_faults(table, totals->missed, words__why_missed);
	add_faults(table, totals->beyond, words__why_beyond);
	add_faults(table, totals->unsampled, words__why_unsampled);
	add_faults(table, phase_totals__rest(totals, total.faults), rest);
	table__rule(table);
	total.faults = totals->total;
	add_sum(table, total, "total, the kernel's own count");
}

struct table *report__parts_by_section(const struct run *run, uint32_t group, enum phase phase, struct room room)
{
	const struct phase_totals totals = phase_totals__of(run, group, phase);
	const struct part_table about = { run, totals.children };
	bool is_child = phase == PHASE_CHILD;
	struct row_selection selection;
	struct parts parts;
	struct table *table;
	char *title;

	if (!totals.children || !(totals.total > 0))
		return NULL;
	selection = row_selection__of(run->anatomy, group, phase, ROWS_BY_OCCURRENCE, SIZE_MAX);
	parts = parts_of(&selection);
	title = names__group(run, group, false);
	text__replace(&title, "%s: %s", is_child ? "The same by section, per child"
						 : "Faults after exec, per process", title);
	table = table__titled(title, NULL);
	TABLE_COLUMNS(table, part_columns, &about);
	table__rule(table);
	add_parts(table, &parts, &totals, room,
		  is_child ? "not explained" : "after forks: in the tables of the children");
	free(parts.parts);
	row_selection__free(&selection);
	return table;
}
