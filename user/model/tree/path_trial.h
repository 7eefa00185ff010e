/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command with a directory of other builds of its programs first in PATH (explain --path-first).
 */
#ifndef FORKTAX_MODEL_TREE_PATH_TRIAL_H
#define FORKTAX_MODEL_TREE_PATH_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/estimate.h"

/* Of what it writes and how it ends, with the directory and without. */
enum path_output {
	PATH_OUTPUT_NOT_COMPARED, /* no start took a program of the directory, or it was interrupted */
	PATH_OUTPUT_SAME,
	PATH_OUTPUT_DIFFERS,
	PATH_OUTPUT_VARIES, /* from run to run without it */
	PATH_OUTPUTS,
};

extern const char *const path_output_keys[PATH_OUTPUTS];

/* A program that was started from elsewhere. */
struct missed_program {
	char *path; /* as executed */
	uint64_t starts;
	bool is_there; /* the directory has a program of that name */
};

/* The command in one of the two ways. */
struct path_side {
	uint64_t processes, faults; /* of the traced run */
	struct estimate wall_ns, cpu_ns; /* medians of the timed runs */
};

struct path_trial {
	char *directory;
	uint64_t scripts; /* files in it that can be executed and are no ELF files: they count as their interpreters */
	uint64_t starts, taken; /* starts of programs beside that of the command itself; of these of the directory */
	struct missed_program *missed; /* the rest: most starts first */
	size_t missed_count;
	enum path_output output;
	char *difference; /* "stdout"; NULL: there is none */
	uint64_t bytes; /* written by each run, if all have written the same */
	struct path_side without, with;
	struct estimate saved_wall_ns, saved_cpu_ns;
};

#endif
