/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `forktax bench` has measured: rows (what is measured) by columns (at which size), one cell
 * each, with all raw values. Plain data: filled by user/measure, read by user/analysis and
 * user/report, saved by user/saved. It holds nothing derived (medians, intervals, ratios, rates):
 * analysis/bench computes that, from live and loaded benches alike.
 *
 * Life: bench__new, rows and columns and baselines, bench__make_cells (from then on rows and
 * columns are fixed), cells are filled, bench__free.
 *
 * Strings are owned, NUL-terminated, and may hold any bytes. Absent is never zero: a value that
 * was not measured is NAN here and null when saved.
 */
#ifndef FORKTAX_MODEL_BENCH_BENCH_H
#define FORKTAX_MODEL_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/machine_kind.h"
#include "model/words/dictionary.h"

#define BENCH_SCHEMA "forktax-bench/1"

enum bench_kind {
	BENCH_FORK,
	BENCH_SPAWN,
	BENCH_SERVE,
	BENCH_KIND_COUNT,
	BENCH_COMMANDS = BENCH_KIND_COUNT, /* of compare and others: never shown or saved as such */
};

/* "fork", "spawn", "serve": as on the command line and in saved files. */
extern const char *const bench_kind_keys[BENCH_KIND_COUNT];

/* A named text: an option in force, or a fact about the machine. Value NULL: not known. */
struct bench_note {
	char *name, *value;
};

struct bench_notes {
	struct bench_note *notes;
	size_t count;
};

/* `value` may be NULL. Both are copied. */
void bench_notes__add(struct bench_notes *notes, const char *name, const char *value);

/* What is measured. */
struct bench_row {
	char *name; /* unique among rows: matches the rows of two saved files */
	char *what; /* one phrase for people who do not know the name; NULL: none needed */
};

/* A circumstance under which it is measured. A bench without any has one column, named "". */
struct bench_column {
	char *name; /* unique among columns: "", "16M", "1.70 MB" */
	double value; /* its size; NAN where there is none */
};

/*
 * The cell that a ratio is to: a row and a column; one of them may be BENCH_SAME. {row 3, SAME}
 * divides every cell by that of row 3 in its own column, {SAME, 0} by its own row's first column.
 */
#define BENCH_SAME UINT32_MAX

struct bench_baseline {
	char *name; /* "static": stands in the header of the ratio */
	uint32_t row, column;
};

enum bench_state {
	BENCH_PENDING, /* not measured yet; in a finished bench, interrupted before that */
	BENCH_MEASURED,
	BENCH_UNAVAILABLE, /* this machine cannot: `reason`, and how to get it in `remedy` */
	BENCH_FAILED, /* it failed, `reason` says why; its measurements are dropped */
	BENCH_STATE_COUNT,
};

/* "pending", "measured", "not available", "failed" */
extern const char *const bench_state_keys[BENCH_STATE_COUNT];

struct bench_cell {
	enum bench_state state;
	char *reason; /* one phrase; NULL when measured */
	char *remedy; /* what to do, one phrase: "install dietlibc-dev, ..."; NULL: nothing */
	char *command; /* how to run the cell's loop by hand; NULL: it is no program */
	uint64_t operations; /* in each round */
	/*
	 * By metric: bench.rounds values in the order of the rounds, so that value i of any two
	 * cells comes from the same round; NULL: not measured here. Only in state BENCH_MEASURED.
	 */
	double *values[BENCH_METRIC_COUNT];
	double per_op[PER_OP_COUNT]; /* of the traced run; NAN: absent */
	char *untraced; /* why all of per_op is absent, one phrase; NULL: it is there */
};

struct bench {
	enum bench_kind kind;
	char **command; /* the command line of forktax, NULL-terminated */
	size_t command_count;
	char *version; /* of forktax */
	struct machine machine;
	uint64_t started; /* ns since the epoch */
	uint64_t wall_ns; /* of the whole measurement */
	bool interrupted; /* by a signal: fewer rounds than asked for, or cells pending */
	size_t rounds; /* that all cells have completed */
	struct bench_notes settings, facts; /* facts: about the machine */
	char **warnings; /* sentences for people: what disturbed the measurement */
	size_t warning_count;
	struct bench_row *rows;
	size_t row_count;
	struct bench_column *columns;
	size_t column_count;
	struct bench_baseline *baselines; /* none: nothing is compared */
	size_t baseline_count;
	struct bench_cell *cells; /* row after row: row * column_count + column */
	size_t cell_count;
};

/* None of these fails: running out of memory ends the program. Texts are copied. */
struct bench *bench__new(enum bench_kind kind);
void bench__free(struct bench *bench); /* NULL is fine */

/*
 * NULL, or what is wrong in a saved one (to be freed): two rows or columns of one name, a measured cell
 * without a time above 0 for every round, values of a cell that was not measured.
 */
char *bench__contradiction(const struct bench *bench);
void bench__set_command(struct bench *bench, char *const *argv, size_t count);
uint32_t bench__add_row(struct bench *bench, const char *name, const char *what); /* its index */
uint32_t bench__add_column(struct bench *bench, const char *name, double value); /* its index */
void bench__add_baseline(struct bench *bench, const char *name, uint32_t row, uint32_t column);
__attribute__((format(printf, 2, 3))) void bench__warn(struct bench *bench, const char *format, ...);

/* Adds the column "" if there is none, and all cells: pending, nothing known. */
void bench__make_cells(struct bench *bench);
struct bench_cell *bench__cell(const struct bench *bench, uint32_t row, uint32_t column);
/* The cell that the ratio of cell (row, column) is to; it may be that cell itself. */
struct bench_cell *bench__baseline_cell(const struct bench *bench, const struct bench_baseline *baseline, uint32_t row,
					uint32_t column);

/* Unless `state` is BENCH_MEASURED, frees all values of the cell. `remedy` may be NULL. */
void bench_cell__set_state(struct bench_cell *cell, enum bench_state state, const char *reason, const char *remedy);
/* Room for `rounds` values of that metric, all NAN, if there is none yet. */
double *bench_cell__room(struct bench_cell *cell, enum bench_metric metric, size_t rounds);

#endif
