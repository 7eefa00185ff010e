/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What runs made by hand consist of. A test says what matters to it; all else is zero.
 */
#ifndef FORKTAX_UNIT_MADE_H
#define FORKTAX_UNIT_MADE_H

#include "base/memory.h"
#include "model/anatomy/anatomy.h"
#include "model/run/run.h"

/* One more element of a list, with those members; its address holds until the next one. */
#define MADE(list, count, ...)                                                                     \
	((list) = checked_grow((list), (count), sizeof(*(list))),                                  \
	 (list)[count] = (__typeof__(*(list))){ __VA_ARGS__ }, &(list)[(count)++])

#define MADE_EXE(run, ...) MADE((run)->exes, (run)->exe_count, __VA_ARGS__)
#define MADE_GROUP(run, ...) MADE((run)->groups, (run)->group_count, __VA_ARGS__)
#define MADE_OBJECT(run, ...) MADE((run)->anatomy->objects, (run)->anatomy->object_count, __VA_ARGS__)
#define MADE_SAMPLE(run, ...) MADE((run)->anatomy->samples, (run)->anatomy->sample_count, __VA_ARGS__)
#define MADE_LAYOUT(run, ...) MADE((run)->anatomy->layouts, (run)->anatomy->layout_count, __VA_ARGS__)
#define MADE_BINDING(run, ...) MADE((run)->anatomy->bindings, (run)->anatomy->binding_count, __VA_ARGS__)
#define MADE_SYMBOL(run, ...) MADE((run)->anatomy->symbols, (run)->anatomy->symbol_count, __VA_ARGS__)

#define MADE_ROW(run, ...) MADE((run)->anatomy->rows, (run)->anatomy->row_count, __VA_ARGS__)
#define MADE_FORK(run, ...) MADE((run)->anatomy->forks, (run)->anatomy->fork_count, __VA_ARGS__)
#define MADE_ADVICE(of, ...) MADE((of)->advice, (of)->advice_count, __VA_ARGS__)

/* What a run made by hand has besides counts. */
enum { WITH_ANATOMY = 1, WITH_START = 2 };

static inline struct run *made_run(unsigned int with)
{
	struct run *run = run__new();

	if (with & WITH_ANATOMY)
		run->anatomy = anatomy__new();
	if (with & WITH_START)
		run->start = start__new();
	return run;
}

/* A process with one image, which has those members. */
#define MADE_PROCESS(run, ...) made_image(run, (struct image){ __VA_ARGS__ })

static inline struct process *made_image(struct run *run, struct image image)
{
	struct process *process = MADE(run->processes, run->process_count, .group = 0);

	MADE(process->images, process->image_count, .exe = 0);
	process->images[0] = image;
	return process;
}

/* Calls of the program, and of nobody else. */
static inline struct syscall_row *made_calls(struct syscall_table *table, const char *name, uint64_t calls)
{
	return MADE(table->rows, table->count, .name = checked_strdup(name), .calls = { [ACTOR_PROGRAM] = calls });
}

#endif
