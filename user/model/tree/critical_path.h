/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The critical path of a command (docs/use/critical-path.md): the process that the command waited for, at each moment.
 */
#ifndef FORKTAX_MODEL_TREE_CRITICAL_PATH_H
#define FORKTAX_MODEL_TREE_CRITICAL_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forktax.h"
#include "model/lines/script_lines.h"

/* What the time on the path is. */
enum path_part {
	PATH_PART_CPU, /* on a CPU */
	PATH_PART_READY, /* waits for one */
	PATH_PART_DEVICE, /* sleeps until an interrupt: of a disk, a timer, the network */
	PATH_PART_OTHERS, /* sleeps until a process outside of the tree, or a thread of the kernel wakes it */
	PATH_PART_UNKNOWN, /* sleeps, and it was not seen what wakes it */
	PATH_PARTS,
};

extern const char *const path_part_keys[PATH_PARTS];

/* How the path comes to a step. */
enum path_link {
	PATH_LINK_BEGIN, /* of the command */
	PATH_LINK_EXEC, /* the same process has executed a program */
	PATH_LINK_BIRTH, /* the process of the step before has created this one */
	PATH_LINK_WAKE, /* it has woken this one */
	PATH_LINKS,
};

extern const char *const path_link_keys[PATH_LINKS];

/* A stretch of the path in one image of one process. Times are nanoseconds since the command began. */
struct path_step {
	uint64_t process; /* its id: as in struct process */
	int32_t pid;
	uint32_t exe; /* index into run.exes, or NO_EXE */
	bool executed; /* by the process itself; false: it is a copy of its parent */
	enum path_link link;
	int32_t call_nr; /* in which it slept until it was woken; -1: none, or not known */
	uint32_t call_abi;
	uint32_t line; /* index into lines; UINT32_MAX: none is known */
	uint64_t begin_ns, end_ns;
	uint64_t ns[PATH_PARTS]; /* together: from begin to end */
};

/* All steps of one program. */
struct path_program {
	uint32_t exe;
	bool executed;
	uint64_t steps;
	uint64_t ns[PATH_PARTS];
};

/* All steps of the processes that a line of a script has created, and of those below them that no other line has. */
struct path_line {
	enum script_language language;
	char *file; /* these two as in struct script_line; file NULL: no file, but commands */
	char *function;
	uint32_t line;
	uint64_t steps;
	uint64_t ns[PATH_PARTS];
	uint64_t total_ns; /* of all that is below it: what other lines have created there, too */
	uint64_t outer_ns; /* of these, where it is below no other line */
};

/* Programs and lines: the longest first. */
struct critical_path {
	uint64_t wall_ns; /* of the command: all programs together */
	struct path_program *programs;
	size_t program_count;
	struct path_line *lines;
	size_t line_count;
	struct path_step *steps; /* the longest, in order of time */
	size_t step_count;
	uint64_t steps_left_out;
	uint64_t left_out_ns; /* of these */
};

/* Is it that line of that file? */
bool path_line__is(const struct path_line *line, const struct script_line *other);
uint64_t path__sum(const uint64_t ns[PATH_PARTS]);
/* Of that, until something wakes it which is no process of the tree. */
uint64_t path__asleep(const uint64_t ns[PATH_PARTS]);
/* Of one part, in all programs. */
uint64_t critical_path__part(const struct critical_path *path, enum path_part part);

#endif
