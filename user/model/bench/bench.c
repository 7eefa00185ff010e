// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/bench/bench.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

const char *const bench_kind_keys[] = {
	[BENCH_FORK] = "fork",
	[BENCH_SPAWN] = "spawn",
	[BENCH_SERVE] = "serve",
};
const char *const bench_state_keys[] = { "pending", "measured", "not available", "failed" };

/* A new element, zeroed, at the end of an array. */
static void *append(void *array_pointer, size_t *count, size_t size)
{
	void **array = array_pointer;

	*array = checked(reallocarray(*array, *count + 1, size));
	return memset((char *)*array + size * (*count)++, 0, size);
}

void bench_notes__add(struct bench_notes *notes, const char *name, const char *value)
{
	struct bench_note *note = append(&notes->notes, &notes->count, sizeof(*note));

	note->name = text__copy(name);
	note->value = text__copy(value);
}

struct bench *bench__new(enum bench_kind kind)
{
	struct bench *bench = checked_calloc(1, sizeof(*bench));

	bench->kind = kind;
	bench->machine = machine__here();
	return bench;
}

void bench__set_command(struct bench *bench, char *const *argv, size_t count)
{
	bench->command = checked_calloc(count + 1, sizeof(*bench->command));
	bench->command_count = count;
	for (size_t i = 0; i < count; i++)
		bench->command[i] = text__copy(argv[i]);
}

uint32_t bench__add_row(struct bench *bench, const char *name, const char *what)
{
	struct bench_row *row = append(&bench->rows, &bench->row_count, sizeof(*row));

	row->name = text__copy(name);
	row->what = text__copy(what);
	return bench->row_count - 1;
}

uint32_t bench__add_column(struct bench *bench, const char *name, double value)
{
	struct bench_column *column = append(&bench->columns, &bench->column_count, sizeof(*column));

	column->name = text__copy(name);
	column->value = value;
	return bench->column_count - 1;
}

void bench__add_baseline(struct bench *bench, const char *name, uint32_t row, uint32_t column)
{
	struct bench_baseline *baseline = append(&bench->baselines, &bench->baseline_count, sizeof(*baseline));

	*baseline = (struct bench_baseline){ text__copy(name), row, column };
}

void bench__warn(struct bench *bench, const char *format, ...)
{
	va_list arguments;
	char **text = append(&bench->warnings, &bench->warning_count, sizeof(*text));

	va_start(arguments, format);
	*text = text__of_list(format, arguments);
	va_end(arguments);
}

void bench__make_cells(struct bench *bench)
{
	if (!bench->column_count)
		bench__add_column(bench, "", NAN);
	bench->cell_count = bench->row_count * bench->column_count;
	bench->cells = checked_calloc(bench->cell_count, sizeof(*bench->cells));
	for (size_t i = 0; i < bench->cell_count; i++) {
		for (int per_op = 0; per_op < PER_OP_COUNT; per_op++)
			bench->cells[i].per_op[per_op] = NAN;
	}
}

struct bench_cell *bench__cell(const struct bench *bench, uint32_t row, uint32_t column)
{
	return &bench->cells[row * bench->column_count + column];
}

struct bench_cell *bench__baseline_cell(const struct bench *bench, const struct bench_baseline *baseline, uint32_t row,
					uint32_t column)
{
	return bench__cell(bench, baseline->row == BENCH_SAME ? row : baseline->row,
			   baseline->column == BENCH_SAME ? column : baseline->column);
}

static void drop_values(struct bench_cell *cell)
{
	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++) {
		free(cell->values[metric]);
		cell->values[metric] = NULL;
	}
	for (int per_op = 0; per_op < PER_OP_COUNT; per_op++)
		cell->per_op[per_op] = NAN;
}

void bench_cell__set_state(struct bench_cell *cell, enum bench_state state, const char *reason, const char *remedy)
{
	if (state != BENCH_MEASURED)
		drop_values(cell);
	free(cell->reason);
	free(cell->remedy);
	cell->state = state;
	cell->reason = text__copy(reason);
	cell->remedy = text__copy(remedy);
}

double *bench_cell__room(struct bench_cell *cell, enum bench_metric metric, size_t rounds)
{
	if (cell->values[metric])
		return cell->values[metric];
	cell->values[metric] = checked_calloc(rounds, sizeof(double));
	for (size_t round = 0; round < rounds; round++)
		cell->values[metric][round] = NAN;
	return cell->values[metric];
}
