/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Does a command write the same, and end in the same way, if it is run in another way?
 */
#ifndef FORKTAX_CMD_EXPLAIN_OUTCOME_H
#define FORKTAX_CMD_EXPLAIN_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "launch/interrupt.h"

enum path_output { PATH_OUTPUT_NOT_COMPARED, PATH_OUTPUT_SAME, PATH_OUTPUT_DIFFERS, PATH_OUTPUT_VARIES };

/* A way to run it. Borrowed. */
struct way {
	const char *path;
	char *const *argv;
	char *const *environment; /* NULL: our own */
};

enum { EACH_WAY = 2 }; /* runs */

struct outcome_comparison {
	enum path_output output; /* not compared: it could not be run, or a signal has ended forktax */
	const char *difference; /* "stdout", "stderr", "exit status"; NULL: there is none */
	uint64_t bytes; /* that each run has written */
};

/* Runs it alternately in both ways, EACH_WAY times each; no input. */
struct outcome_comparison outcome__compare(const struct way ways[2], struct interrupt *interrupt);

#endif
