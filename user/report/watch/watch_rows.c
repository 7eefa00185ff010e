// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/watch/watch_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const struct watch_column_words watch_columns[WATCH_COLUMN_COUNT] = {
	[WATCH_FORK_RATE] = { 'f', { "forks", "/s" }, 0, "processes created by fork, vfork or clone" },
	[WATCH_EXEC_RATE] = { 'e', { "execs", "/s" }, 5, "successful calls of execve" },
	[WATCH_COPY_RATE] = { 'c', { "copied", "MiB/s" }, 2, "memory copied by copy-on-write faults" },
	[WATCH_FAULT_RATE] = { 'a', { "faults", "/s" }, 6, "page faults, minor and major" },
	[WATCH_CALL_RATE] = { 's', { "calls", "/s" }, 7, "system calls" },
	[WATCH_FORK_TIME] = { 't', { "fork", "ms/s" }, 1, "time inside fork calls of each second, without vfork" },
	[WATCH_LOST_MEMORY] = { 'm', { "copies", "MiB" }, 3,
				"inherited memory that the largest pool no longer shares" },
	[WATCH_PROCESSES] = { 'n', { "pro-", "cesses" }, 4, "processes that run now" },
	[WATCH_NAME] = { 'u', { "", "unit" }, 0, "name of the systemd unit, container or cgroup" },
};

/* How the number of a column is computed. */
static const struct value {
	size_t place; /* of a count in struct watch_unit */
	double size; /* of what the column counts in */
	enum watch_level level; /* and those that count more */
	enum { IS_RATE, IS_NOW, IS_OF_POOL } kind;
} values[WATCH_NAME] = {
	[WATCH_FORK_RATE] = { offsetof(struct watch_unit, forks), 1, WATCH_FORKS, IS_RATE },
	[WATCH_EXEC_RATE] = { offsetof(struct watch_unit, execs), 1, WATCH_FORKS, IS_RATE },
	[WATCH_COPY_RATE] = { offsetof(struct watch_unit, copied_bytes), 1 << 20, WATCH_CLASSES, IS_RATE },
	[WATCH_FAULT_RATE] = { offsetof(struct watch_unit, faults), 1, WATCH_TOTALS, IS_RATE },
	[WATCH_CALL_RATE] = { offsetof(struct watch_unit, calls), 1, WATCH_TOTALS, IS_RATE },
	[WATCH_FORK_TIME] = { offsetof(struct watch_unit, fork_ns), 1e6, WATCH_TOTALS, IS_RATE },
	[WATCH_LOST_MEMORY] = { offsetof(struct watch_unit, pool.unshared_bytes), 1 << 20, WATCH_FORKS, IS_OF_POOL },
	[WATCH_PROCESSES] = { offsetof(struct watch_unit, processes), 1, WATCH_FORKS, IS_NOW },
};

double watch_sample__seconds(const struct watch_sample *before, const struct watch_sample *now)
{
	if (!before || before->began_at != now->began_at || before->time >= now->time)
		return NAN;
	return now->time - before->time;
}

double watch_rate(uint64_t before, uint64_t now, double seconds)
{
	return now < before ? NAN : (double)(now - before) / seconds;
}

const struct watch_unit *watch_sample__unit(const struct watch_sample *sample, const char *name)
{
	for (size_t i = 0; sample && i < sample->unit_count; i++)
		if (!strcmp(sample->units[i].name, name))
			return &sample->units[i];
	return NULL;
}

static uint64_t count_at(const struct watch_unit *unit, size_t place)
{
	return unit ? *(const uint64_t *)((const char *)unit + place) : 0;
}

static double value_of(const struct watch_row *row, const struct value *value, double seconds)
{
	const uint64_t now = count_at(row->unit, value->place);

	if (value->kind == IS_OF_POOL && !(row->unit->pool.read_at > 0))
		return NAN;
	if (value->kind != IS_RATE)
		return (double)now / value->size;
	return watch_rate(count_at(row->before, value->place), now, seconds) / value->size;
}

/* Of one that is gone, with nothing to show but its end. */
static bool is_idle_and_gone(const struct watch_row *row)
{
	if (!row->unit->is_gone)
		return false;
	for (int column = 0; column < WATCH_NAME; column++)
		if (values[column].kind == IS_RATE && row->values[column] > 0)
			return false;
	return true;
}

/* Does the sample count what the column needs? Of a unit that was not there before everything counted as 0. */
static bool counts(const struct watch_sample *sample, const struct watch_unit *unit, enum watch_level level)
{
	return !sample || (sample->level <= level && (level != WATCH_CLASSES || !unit || unit->is_chosen));
}

static struct watch_row row_of(const struct watch_sample *before, const struct watch_sample *now, size_t index,
			       double seconds)
{
	struct watch_row row = { .unit = &now->units[index] };

	row.before = watch_sample__unit(before, row.unit->name);
	for (int column = 0; column < WATCH_NAME; column++) {
		const enum watch_level level = values[column].level;
		const bool is_counted = counts(now, row.unit, level) && counts(before, row.before, level);

		row.values[column] = is_counted ? value_of(&row, &values[column], seconds) : NAN;
	}
	return row;
}

/* The largest first; names from A to Z. What is not known is last, also if that is reversed. */
struct order {
	enum watch_column column;
	bool is_reversed;
};


static int compare_rows(const void *left, const void *right, void *argument)
{
	const struct watch_row *a = left, *b = right;
	const struct order *order = argument;
	const bool has_value = order->column != WATCH_NAME;
	const double value_a = has_value ? a->values[order->column] : 0,
		     value_b = has_value ? b->values[order->column] : 0;
	int result = (value_a < value_b) - (value_a > value_b);

	if (isnan(value_a) != isnan(value_b))
		return isnan(value_a) - isnan(value_b);
	if (!result)
		result = strcmp(a->unit->name, b->unit->name);
	return order->is_reversed ? -result : result;
}

struct watch_rows watch_rows__of(const struct watch_sample *before, const struct watch_sample *now,
				 enum watch_column sort, bool is_reversed)
{
	struct watch_rows rows = { .has[WATCH_NAME] = true, .seconds = watch_sample__seconds(before, now) };
	struct order order = { sort, is_reversed };

	rows.rows = checked_calloc(now->unit_count, sizeof(*rows.rows));
	for (size_t i = 0; i < now->unit_count; i++) {
		const struct watch_row row = row_of(before, now, i, rows.seconds);

		if (is_idle_and_gone(&row))
			continue;
		rows.rows[rows.count++] = row;
		for (int column = 0; column < WATCH_NAME; column++)
			rows.has[column] |= values[column].kind == IS_OF_POOL ? !isnan(row.values[column])
									      : now->level <= values[column].level;
	}
	qsort_r(rows.rows, rows.count, sizeof(*rows.rows), compare_rows, &order);
	return rows;
}

void watch_rows__free(struct watch_rows *rows)
{
	free(rows->rows);
	*rows = (struct watch_rows){ 0 };
}
