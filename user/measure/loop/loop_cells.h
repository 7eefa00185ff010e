/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For plans with loop programs: their command lines, and why a cell cannot be measured.
 */
#ifndef FORKTAX_MEASURE_LOOP_LOOP_CELLS_H
#define FORKTAX_MEASURE_LOOP_LOOP_CELLS_H

#include "launch/child.h"
#include "measure/engine.h"
#include "measure/loop/loop_task.h"
#include "measure/loop/loops.h"

enum { LINE_WORDS_MAX = 64 };

/* A command line being built; words beyond the limit are dropped. */
struct line {
	char *words[LINE_WORDS_MAX + 1]; /* NULL-terminated */
	size_t count;
};

void line__add(struct line *line, const char *word); /* copies it */
void line__add_number(struct line *line, const char *option, uint64_t number);
void line__free(struct line *line);

/* Marks the cell unavailable; takes over both texts. `remedy` may be NULL. */
void loop_cell__refuse(struct bench_cell *cell, char *reason, char *remedy);
/* As loops__find(); after a failure the cell says why. */
char *loop_cell__find(struct bench_cell *cell, const char *directory, enum linkage_id linkage, const char *name);
/* False, and the cell says so, if there is not enough memory: the OOM killer would wake. */
bool loop_cell__fits(struct bench_cell *cell, uint64_t bytes);
/*
 * Runs a program while the plan is being made: as child__run(), but raises a signal again that came
 * meanwhile. forktax, which has nothing to show yet, dies of it, at once or after clearing up.
 */
int loop_cell__ask(const struct child_request *request, struct child_result *result, char **reason);
/* Gives the cell that loop program as task and command. */
void loop_cell__plan(struct bench_plan *plan, uint32_t row, uint32_t column, const struct loop_program *program);

#endif
