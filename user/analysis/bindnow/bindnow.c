// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/bindnow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/explained.h"
#include "analysis/same.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/words/names.h"

static const struct compare_column *column_of(const struct bindnow *bindnow, int side)
{
	return &bindnow->comparison->columns[side];
}

/* Of each run, of children as the group is in the first lazy run; to be freed. */
static double *values_of(const struct bindnow *bindnow, int side, const struct bindnow_measure *measure, uint32_t group)
{
	const struct compare_column *column = column_of(bindnow, side);
	const struct run *first = column_of(bindnow, SIDE_LAZY)->runs[0];
	double *values = checked_calloc(column->run_count, sizeof(*values));

	for (size_t i = 0; i < column->run_count; i++) {
		const struct run *run = column->runs[i];
		const uint32_t found = same_group__in(run, first, group, SAME_PARENT);
		const bool has_children = found != NO_GROUP && run->groups[found].children;

		values[i] = measure->of(&(struct bindnow_subject){
			.run = run,
			.group = has_children ? &run->groups[found] : NULL,
			.files = bindnow->files,
			.is_now = side == SIDE_NOW,
			.index = measure->index,
		});
	}
	return values;
}

static void fill(const struct bindnow *bindnow, struct bindnow_row *row, const struct bindnow_measure *measure)
{
	const struct compare_column *columns = bindnow->comparison->columns;
	double *values[SIDE_COUNT];

	for (int side = 0; side < SIDE_COUNT; side++)
		values[side] = values_of(bindnow, side, measure, (uint32_t)row->group);
	row->difference = stats__difference(values[SIDE_NOW], columns[SIDE_NOW].run_count,
					    values[SIDE_LAZY], columns[SIDE_LAZY].run_count, PAIRED);
	for (int side = 0; side < SIDE_COUNT; side++) { /* sorts the values: must come last */
		row->cells[side] = stats__spread(values[side], columns[side].run_count);
		if (!row->cells[side].known)
			row->difference = (struct estimate){ .known = false };
		free(values[side]);
	}
}

static bool is_symbols(const struct bindnow_row *row)
{
	return row->section == BINDNOW_GROUP && !strcmp(row->key, BINDNOW_SYMBOLS);
}

bool bindnow_row__counts_symbols(const struct bindnow_row *row)
{
	return row->section == BINDNOW_GROUP && !strncmp(row->key, BINDNOW_SYMBOLS, strlen(BINDNOW_SYMBOLS)) &&
	       strcmp(row->key, BINDNOW_UNSEEN) != 0;
}

/* Leaves out a row without any known value, except the one that must say so. */
static void add_row(struct bindnow *bindnow, const struct bindnow_measure *measure, uint32_t group)
{
	struct bindnow_row row = {
		.section = measure->section,
		.group = group,
		.key = measure->key,
		.header = measure->header,
		.is_time = measure->is_time,
	};

	fill(bindnow, &row, measure);
	if (!row.cells[SIDE_LAZY].known && !row.cells[SIDE_NOW].known && !is_symbols(&row))
		return;
	bindnow->rows = checked_grow(bindnow->rows, bindnow->row_count, sizeof(*bindnow->rows));
	bindnow->rows[bindnow->row_count++] = row;
}

static void add_rows(struct bindnow *bindnow)
{
	for (int section = 0; section < BINDNOW_SECTION_COUNT; section++) {
		size_t groups = section == BINDNOW_GROUP ? bindnow->group_count : 1;

		for (uint32_t group = 0; group < groups; group++) {
			for (const struct bindnow_measure *measure = bindnow_measures; measure->of; measure++) {
				if ((int)measure->section == section)
					add_row(bindnow, measure, group);
			}
		}
	}
}

bool bindnow__is_least(const struct bindnow *bindnow, size_t group, int side)
{
	const struct bindnow_row *unseen = bindnow__row(bindnow, BINDNOW_GROUP, group, BINDNOW_UNSEEN);

	return unseen && unseen->cells[side].known && unseen->cells[side].max > 0;
}

/* Two lower bounds have no difference. */
static void hide_loose_differences(struct bindnow *bindnow)
{
	for (size_t i = 0; i < bindnow->row_count; i++) {
		struct bindnow_row *row = &bindnow->rows[i];

		if (bindnow_row__counts_symbols(row) && (bindnow__is_least(bindnow, row->group, SIDE_LAZY) ||
							 bindnow__is_least(bindnow, row->group, SIDE_NOW)))
			row->difference = (struct estimate){ .known = false };
	}
}

static void add_groups(struct bindnow *bindnow)
{
	const struct run *run = column_of(bindnow, SIDE_LAZY)->runs[0];

	bindnow->groups = checked_calloc(run->group_count, sizeof(*bindnow->groups));
	bindnow->group_count = run->group_count;
	for (size_t i = 0; i < run->group_count; i++)
		bindnow->groups[i] = (struct bindnow_group){
			.name = names__group(run, i, false),
			.children = run->groups[i].children,
		};
	bindnow->children = (double)run__children(run);
}

static struct estimate difference(const struct bindnow *bindnow, enum bindnow_section section, const char *key)
{
	const struct bindnow_row *row = bindnow__row(bindnow, section, 0, key);

	return row ? row->difference : (struct estimate){ .known = false };
}

/* With LD_BIND_NOW minus without, of the untraced time of the whole. */
static struct estimate whole_time(const struct bindnow *bindnow)
{
	return comparison__difference(bindnow->comparison, SIDE_NOW);
}

static struct break_even break_even(const struct bindnow *bindnow, const char *start, const char *child)
{
	return break_even__of(difference(bindnow, BINDNOW_START, start),
			      estimate__negate(difference(bindnow, BINDNOW_CHILD, child)));
}

/* The start is known of traced runs alone; what is left of the whole is the children's. */
static struct break_even break_even_in_time(const struct bindnow *bindnow)
{
	const struct estimate start = difference(bindnow, BINDNOW_START, "first_fork_ns");
	const struct break_even even = break_even__of_whole(start, whole_time(bindnow), bindnow->children);

	return even.saving.known && even.saving.bounded ? even : break_even(bindnow, "first_fork_ns", "whole_ns");
}

/* Of a difference: the most that it may be either way; 0: unknown. */
static double most_of(struct estimate estimate)
{
	return estimate.known ? fmax(fabs(estimate.value), fmax(fabs(estimate.low), fabs(estimate.high))) : 0;
}

/* Looked up at start in each image, or again by children. */
static double functions_bound(const struct bindnow *bindnow, const struct run *run)
{
	double functions = (double)bindnow_files__functions(bindnow->files) * (1 + (double)run->totals[LIFE_EXECS]);

	for (size_t i = 0; i < bindnow->group_count; i++) {
		const struct bindnow_row *row = bindnow__row(bindnow, BINDNOW_GROUP, i, BINDNOW_SYMBOLS);

		functions += row ? most_of(row->difference) * (double)bindnow->groups[i].children : 0;
	}
	return functions;
}

/* Faults and functions may cost so much; a function is looked up in each file, at worst. NAN: that is not known. */
static double explained_time(const struct bindnow *bindnow)
{
	const struct compare_column *lazy = column_of(bindnow, SIDE_LAZY);
	const struct run *run = lazy->run_count ? lazy->runs[0] : NULL;
	const struct estimate *costs = run && run->anatomy ? run->anatomy->costs : NULL;
	const double start = most_of(difference(bindnow, BINDNOW_START, "start_faults"));
	const double all = most_of(difference(bindnow, BINDNOW_ALL, "faults"));

	if (!costs || bindnow->files->left_out || isnan(bindnow_files__relocations(bindnow->files, 0, 0, false)))
		return NAN;
	return explained__most(2 * start + all, functions_bound(bindnow, run) * (double)bindnow->files->count, costs);
}

static struct bindnow_verdict judge(const struct bindnow *bindnow)
{
	const struct bindnow_evidence evidence = {
		.may_matter = bindnow__may_matter(bindnow),
		.ratio = *comparison__ratio(bindnow->comparison, SIDE_NOW),
		.time = whole_time(bindnow),
		.explained = bindnow->explained_ns,
		.faults = difference(bindnow, BINDNOW_ALL, "faults"),
	};

	return bindnow_verdict__of(&evidence);
}

static bool are_alike(char **one, char **other)
{
	while (*one && *other && !strcmp(*one, *other)) {
		one++;
		other++;
	}
	return !*one && !*other;
}

bool bindnow__is_of(const struct comparison *comparison)
{
	const struct compare_column *lazy = &comparison->columns[SIDE_LAZY], *now = &comparison->columns[SIDE_NOW];

	return comparison->column_count == SIDE_COUNT && comparison->baseline == SIDE_LAZY && lazy->bound &&
	       (!lazy->settings || are_alike(lazy->settings, (char *[]){ BINDNOW_LAZY, NULL })) && now->settings &&
	       are_alike(now->settings, (char *[]){ BINDNOW_NOW, NULL }) && are_alike(lazy->command, now->command) &&
	       lazy->measurement == now->measurement && lazy->run_count == now->run_count;
}

struct bindnow *bindnow__new(const struct comparison *comparison)
{
	struct bindnow *bindnow = checked_calloc(1, sizeof(*bindnow));

	*bindnow = (struct bindnow){
		.comparison = comparison,
		.files = comparison->columns[SIDE_LAZY].bound,
		.children = NAN,
	};
	if (column_of(bindnow, SIDE_LAZY)->run_count) {
		add_groups(bindnow);
		add_rows(bindnow);
		hide_loose_differences(bindnow);
	}
	bindnow->in_time = break_even_in_time(bindnow);
	bindnow->in_faults = break_even(bindnow, "start_faults", "faults");
	bindnow->explained_ns = explained_time(bindnow);
	bindnow->verdict = judge(bindnow);
	return bindnow;
}

void bindnow__free(struct bindnow *bindnow)
{
	if (!bindnow)
		return;
	for (size_t i = 0; i < bindnow->group_count; i++)
		free(bindnow->groups[i].name);
	free(bindnow->groups);
	free(bindnow->rows);
	free(bindnow);
}

const struct bindnow_row *bindnow__row(const struct bindnow *bindnow, enum bindnow_section section,
				       size_t group, const char *key)
{
	for (size_t i = 0; i < bindnow->row_count; i++) {
		const struct bindnow_row *row = &bindnow->rows[i];

		if (row->section == section && row->group == group && !strcmp(row->key, key))
			return row;
	}
	return NULL;
}

bool bindnow__may_matter(const struct bindnow *bindnow)
{
	for (size_t i = 0; i < bindnow->files->count; i++) {
		enum bindnow_way way = bindnow->files->files[i].way;

		if (way == WAY_LAZY || way == WAY_UNKNOWN)
			return true;
	}
	return bindnow->files->left_out > 0;
}
