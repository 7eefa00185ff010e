// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "analysis/fork_bill.h"
#include "elf/checked.h"

/* Did ld.so bind lazily in the children of the group? */
static bool binds_lazily(const struct anatomy *anatomy, uint32_t group)
{
	for (size_t i = 0; i < anatomy->symbol_count; i++) {
		if (anatomy->symbols[i].group == group)
			return true;
	}
	for (size_t i = 0; i < anatomy->binding_count; i++) {
		const struct binding_object *binding = &anatomy->bindings[i];

		if (binding->lazy && anatomy->layouts[binding->layout].group == group)
			return true;
	}
	return false;
}

/* Code of the linker that runs destructors; by the names of glibc. */
static bool is_at_exit(const struct place *code)
{
	static const char *const names[] = { "_dl_fini", "_dl_call_fini", "_dl_sort_maps",
					     "_dl_sort_maps_dfs", "_dl_audit_objclose" };

	for (size_t i = 0; code->symbol && i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(code->symbol, names[i]))
			return true;
	}
	return false;
}

bool fork_bill__is_binding(const struct anatomy *anatomy, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row->actor == ACTOR_LDSO && !is_at_exit(&row->code) &&
	       binds_lazily(anatomy, row->group);
}

static double since(const struct anatomy_row *row)
{
	return row->faults ? (double)row->since_ns / (double)row->faults : 0;
}

static int in_order(const void *left, const void *right)
{
	double a = since(*(const struct anatomy_row *const *)left);
	double b = since(*(const struct anatomy_row *const *)right);

	return (a > b) - (a < b);
}

/* The faults in user mode that most children took, in order; to be freed. */
static const struct anatomy_row **usual_rows(const struct anatomy *anatomy, uint32_t group,
					     uint64_t children, size_t *count)
{
	const struct anatomy_row **rows = checked_calloc(anatomy->row_count, sizeof(*rows));

	*count = 0;
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group == group && row->phase == PHASE_CHILD && row->faults &&
		    row->actor != ACTOR_KERNEL && row->children >= children - children / 2)
			rows[(*count)++] = row;
	}
	qsort(rows, *count, sizeof(*rows), in_order);
	return rows;
}

bool fork_bill__binding_span(const struct anatomy *anatomy, uint32_t group, struct figure *figure)
{
	const struct sample *sample = anatomy__sample(anatomy, group);
	const struct anatomy_row **rows;
	const struct anatomy_row *first = NULL;
	double end = 0, sum = 0;
	size_t count;

	*figure = (struct figure){ .known = false };
	if (!sample || !sample->children || !binds_lazily(anatomy, group))
		return false;
	rows = usual_rows(anatomy, group, sample->children, &count);
	for (size_t i = 0; i < count; i++) {
		bool binding = fork_bill__is_binding(anatomy, rows[i]);

		if (binding && !first)
			first = rows[i];
		if (binding)
			end = since(rows[i]) + (rows[i]->timed ? anatomy_row__ns(rows[i]) : 0);
		if (first && (!binding || i + 1 == count)) {
			sum += end - since(first);
			first = NULL;
			figure->known = true;
		}
	}
	free(rows);
	figure->value = figure->low = figure->high = sum;
	return figure->known;
}
