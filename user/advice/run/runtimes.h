/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What shortens the start of a runtime: model/advice/runtimes.def.
 */
#ifndef FORKTAX_ADVICE_RUN_RUNTIMES_H
#define FORKTAX_ADVICE_RUN_RUNTIMES_H

#include <stdbool.h>

struct runtime {
	const char *program, *files, *way, *remedy; /* as in the table */
};

/* The remedy for files that a program opens, "DIRECTORY SUFFIX " or a path; NULL: none is known. */
const struct runtime *runtime__of(const char *program, const char *files);
/* Is this option one of the runtime of that name, without directories? */
bool runtime__takes(const char *program, const char *option);

#endif
