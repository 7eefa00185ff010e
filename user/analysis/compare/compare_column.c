// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/compare_column.h"

#include <stdlib.h>

#include "analysis/bindnow/bindnow_files.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

bool command_outcome__part_differs(const struct command_outcome *one, const struct command_outcome *other,
				   enum outcome_part part)
{
	const struct output_sum *a, *b;

	if (part == OUTCOME_END)
		return one->status != other->status || one->signal != other->signal;
	a = &one->written[part - OUTCOME_STDOUT];
	b = &other->written[part - OUTCOME_STDOUT];
	return a->bytes != b->bytes || a->sum != b->sum;
}

bool command_outcome__part_always_differs(const struct command_outcome *one, const struct command_outcome *other,
					  enum outcome_part part)
{
	return !one->varies[part] && !other->varies[part] && command_outcome__part_differs(one, other, part);
}

bool command_outcome__differs(const struct command_outcome *one, const struct command_outcome *other)
{
	for (int part = 0; part < OUTCOME_PARTS; part++)
		if (command_outcome__part_always_differs(one, other, part))
			return true;
	return false;
}

void command_outcome__note_differences(struct command_outcome *first, const struct command_outcome *again)
{
	for (int part = 0; part < OUTCOME_PARTS; part++)
		first->varies[part] |= command_outcome__part_differs(first, again, part);
}

void compare_columns__free(struct compare_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct compare_column *column = &columns[i];

		for (size_t k = 0; k < column->run_count; k++)
			run__free(column->runs[k]);
		elf_facts__free(column->facts);
		if (column->bound)
			bindnow_files__free(column->bound);
		free(column->facts_reason);
		text__free_list(column->command);
		text__free_list(column->settings);
		free(column->label);
		free(column->outcome);
		free(column->path);
		free(column->runs);
		free(column->samples_ns);
		free(column->cpu_ns);
		free(column->others);
	}
	free(columns);
}

struct series compare_column__wall(const struct compare_column *column)
{
	return (struct series){
		.values = column->samples_ns,
		.others = column->others,
		.rounds = column->sample_count,
	};
}

struct series compare_column__cpu(const struct compare_column *column)
{
	const struct series wall = compare_column__wall(column);

	return series__by_cpu(&wall, column->cpu_ns);
}

struct spread compare_column__spread(const struct compare_column *column, double (*of)(const struct run *run))
{
	autofree double *values = checked_calloc(column->run_count, sizeof(*values));

	for (size_t i = 0; i < column->run_count; i++)
		values[i] = of(column->runs[i]);
	return stats__spread(values, column->run_count);
}

bool compare_column__is_exact(const struct compare_column *column)
{
	for (size_t i = 0; i < column->run_count; i++) {
		if (!column->runs[i]->integrity.exact)
			return false;
	}
	return true;
}

const struct group *compare_column__group(const struct compare_column *column)
{
	if (!column->run_count || !column->runs[0]->group_count)
		return NULL;
	return &column->runs[0]->groups[0]; /* groups are sorted by children */
}
