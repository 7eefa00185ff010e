/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a path of threads adds up to: by program, by line of a script, and as steps. Internal to path_fold.c.
 */
#ifndef FORKTAX_SOURCE_CALLS_PATH_SUMS_H
#define FORKTAX_SOURCE_CALLS_PATH_SUMS_H

#include "base/hash.h"
#include "model/tree/critical_path.h"
#include "source/calls/ready_time.h"

enum { PATH_STEPS_MOST = 1000 };

/* The line of a script that has created a process. */
struct path_fold_line {
	uint32_t number; /* the caller's; UINT32_MAX: not known */
	bool is_file; /* false: of commands, which count only for processes that no line of a file has */
	bool comes; /* path_sums__place() says what line that number is; without it, that of the parent */
};

/* A time in one image of one process. */
struct path_stretch {
	uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
	uint64_t ns[PATH_PARTS]; /* once it has ended */
	uint64_t idle_ns[PATH_PARTS]; /* of these, while no thread of the tree ran */
	uint32_t process; /* as path_sums__process() numbers it */
	uint32_t exe;
	bool executed;
	enum path_link link; /* to the stretch before */
	int32_t call_nr;
	uint32_t call_abi;
};

void path_stretch__begin(struct path_stretch *stretch, uint64_t ns);
/* `more` follows at once. */
void path_stretch__extend(struct path_stretch *stretch, const struct path_stretch *more);
/* Cuts off what comes after a moment. False: all of it does. */
bool path_stretch__clamp(struct path_stretch *stretch, uint64_t end_ns);

struct path_process {
	uint64_t id;
	int32_t pid;
	struct path_fold_line line;
	uint32_t above; /* index into lines_above; UINT32_MAX: no line has created it, or one that it is below */
};

/* The lines that a process is below, each once: a list, whose end many processes share. */
struct path_line_above {
	uint32_t number; /* the caller's */
	uint32_t next; /* as in struct path_process */
};

/* What a line that was to come counts as. */
struct path_place {
	uint32_t number; /* the caller's, of a line */
	bool is_of_parent; /* it did not come: that line has all of it already */
};

/* All zero: nothing. */
struct path_sums {
	struct path_process *processes;
	size_t process_count;
	struct hash program_numbers;
	struct path_program *programs;
	size_t program_count;
	struct path_line *lines; /* by the caller's number; without names */
	size_t line_count;
	struct path_line_above *lines_above;
	size_t line_above_count;
	struct path_place *places; /* by the caller's number of a line: that number, or what the line counts as */
	size_t place_count;
	struct path_step *steps;
	size_t step_count;
	uint64_t steps_left_out, left_out_ns;
	uint64_t idle_ns[PATH_PARTS];
	struct ready_time ready; /* of all threads, on the path or not */
};

/* The number of a process that was born; `creator`: of the thread that has created it, NULL: none has. */
uint32_t path_sums__process(struct path_sums *sums, const struct path_birth *birth, const struct path_stretch *creator,
			    struct path_fold_line line);
/* The line with that number, which was to come, is this one. */
void path_sums__place(struct path_sums *sums, uint32_t number, struct path_fold_line line);
/* In order of time. */
void path_sums__add(struct path_sums *sums, const struct path_stretch *stretch);
/* As path_fold__finish(). */
void path_sums__finish(struct path_sums *sums, uint64_t origin, struct critical_path *path);
void path_sums__release(struct path_sums *sums);

#endif
