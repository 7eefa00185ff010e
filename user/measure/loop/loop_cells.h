/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For plans whose cells are loop programs: their command lines, and why a cell cannot be measured.
 */
#ifndef FORKTAX_MEASURE_LOOP_LOOP_CELLS_H
#define FORKTAX_MEASURE_LOOP_LOOP_CELLS_H

#include "launch/child.h"
#include "measure/engine.h"
#include "measure/loop/loop_task.h"
#include "measure/loop/loops.h"

enum { LINE_WORDS_MAX = 64 };

/* A command line in the making; what goes beyond the limit is dropped. */
struct line {
	char *words[LINE_WORDS_MAX + 1]; /* NULL-terminated */
	size_t count;
};

void line__add(struct line *line, const char *word); /* copies it */
void line__add_number(struct line *line, const char *option, uint64_t number);
void line__free(struct line *line);

/* The cell is not available; takes both texts over. `remedy` may be NULL. */
void loop_cell__refuse(struct bench_cell *cell, char *reason, char *remedy);
/* As loops__find(); NULL: the cell says why there is none. */
char *loop_cell__find(struct bench_cell *cell, const char *directory, enum linkage_id linkage,
		      const char *name);
/* False, and the cell says so: a static program loads no libraries. */
bool loop_cell__may_load(struct bench_cell *cell, enum linkage_id linkage);
/* More memory than there is would wake the OOM killer: false, and the cell says so. */
bool loop_cell__fits(struct bench_cell *cell, uint64_t bytes);
/*
 * Runs a program while plans are still made: as child__run(), but a signal comes once more after
 * it: forktax, which has nothing to show yet, ends of it, or when it has cleared up.
 */
int loop_cell__ask(const struct child_request *request, struct child_result *result, char **reason);
/* Its task is that loop program, and its command is told. */
void loop_cell__plan(struct bench_plan *plan, uint32_t row, uint32_t column,
		     const struct loop_program *program);

/* False, and says so in the cell: transparent huge pages are switched off for all programs. */
bool loop_cell__may_have_huge_pages(struct bench_cell *cell);

#endif
