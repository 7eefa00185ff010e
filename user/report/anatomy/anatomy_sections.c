// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a program does between its exec and its first fork is hundreds of pages, and so is what some
 * children do: summed up.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/anatomy/anatomy_tables.h"
#include "analysis/forks/phase_totals.h"
#include "analysis/forks/row_selection.h"
#include "report/anatomy/words_anatomy.h"
#include "report/words.h"

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

static char *target_of(const struct run *run, const struct place *place)
{
	const char *kind = place_counters[place->kind].header;
	char *object, *text;

	if (place->object == NO_OBJECT)
		return words("%s", kind);
	object = words__object(run, place->object, false);
	if (!place->section && place->kind == PLACE_FILE) /* a data file, or one without names */
		return object;
	text = words("%s %s", object, place->section ? place->section : kind);
	free(object);
	return text;
}

static void add_columns(struct table *table, bool timed)
{
	if (timed)
		table__column(table, "us", ALIGN_RIGHT);
	table__column(table, "faults", ALIGN_RIGHT);
	table__column(table, "copies", ALIGN_RIGHT);
	table__column(table, "fills", ALIGN_RIGHT);
	table__column(table, "maps", ALIGN_RIGHT);
	table__column(table, "who", ALIGN_LEFT);
	table__column(table, "target", ALIGN_LEFT);
	table__rule(table);
}

static void per_child(struct table *table, double faults, double children)
{
	double value = faults / children;

	if (faults == 0)
		table__text(table, "");
	else
		table__format(table, value == rint(value) ? "%.0f" : "%.2f", value);
}

static void add_line(struct table *table, bool timed, const struct part *part, double children)
{
	char *us = words__us(part->ns / children);

	table__row(table);
	if (timed)
		table__text(table, part->ns > 0 ? us : "");
	per_child(table, part->faults, children);
	per_child(table, part->copies, children);
	per_child(table, part->fills, children);
	per_child(table, part->maps, children);
	free(us);
}

static void add_named(struct table *table, bool timed, const struct part *part, double children,
		      const char *text)
{
	if (part->faults == 0)
		return;
	add_line(table, timed, part, children);
	table__text(table, "");
	table__text(table, text);
}

static void add_to_total(struct part *sum, const struct part *part)
{
	sum->ns += part->ns;
	sum->faults += part->faults;
	sum->copies += part->copies;
	sum->fills += part->fills;
	sum->maps += part->maps;
}

/* `rest`: what it is that no row has. */
static void add_parts(struct table *table, const struct run *run, const struct parts *parts,
		      const struct phase_totals *totals, size_t most, const char *rest)
{
	size_t shown = parts->count > most + 1 ? most : parts->count;
	bool timed = run->anatomy->durations;
	struct part others = { 0 }, total = { 0 };
	char *text = words("(%zu more: --json or --csv)", parts->count - shown);

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->parts[i];
		char *target = target_of(run, &part->first->place);

		add_to_total(&total, part);
		if (i >= shown) {
			add_to_total(&others, part);
		} else {
			add_line(table, timed, part, totals->children);
			table__text(table, actor_counters[part->first->actor].header);
			table__text(table, target);
		}
		free(target);
	}
	add_named(table, timed, &others, totals->children, text);
	free(text);
	add_named(table, timed, &(struct part){ .faults = totals->unattributed }, totals->children,
		  "unattributed: faults without an event");
	add_named(table, timed, &(struct part){ .faults = totals->missed }, totals->children,
		  words__why_missed);
	add_named(table, timed, &(struct part){ .faults = totals->beyond }, totals->children,
		  words__why_beyond);
	add_named(table, timed, &(struct part){ .faults = totals->unsampled }, totals->children,
		  words__why_unsampled);
	add_named(table, timed,
		  &(struct part){ .faults = phase_totals__rest(totals, total.faults) },
		  totals->children, rest);
	table__rule(table);
	total.faults = totals->total;
	add_named(table, timed, &total, totals->children, "total, the kernel's own count");
}

struct table *report__sections(const struct run *run, uint32_t group, enum phase phase,
			       size_t most)
{
	struct phase_totals totals = phase_totals__of(run, group, phase);
	bool is_child = phase == PHASE_CHILD;
	struct row_selection selection;
	struct parts parts;
	struct table *table;
	char *whose, *title;

	if (!totals.children || !(totals.total > 0))
		return NULL;
	selection = row_selection__of(run->anatomy, group, phase, ROWS_BY_OCCURRENCE, SIZE_MAX);
	parts = parts_of(&selection);
	whose = words__group(run, group, false);
	title = words(is_child ? "The same by section, per child: %s"
			       : "Faults after exec, per process: %s",
		      whose);
	table = table__new(title);
	add_columns(table, run->anatomy->durations);
	add_parts(table, run, &parts, &totals, most,
		  is_child ? "not explained" : "after forks: in the tables of the children");
	free(title);
	free(whose);
	free(parts.parts);
	row_selection__free(&selection);
	return table;
}
