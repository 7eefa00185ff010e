/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that a child runs when it leaves by exit().
 */
#ifndef FORKTAX_ANALYSIS_FORKS_EXIT_CODE_H
#define FORKTAX_ANALYSIS_FORKS_EXIT_CODE_H

#include <stdbool.h>

/* Is this code of the linker that runs destructors, by glibc's names? NULL: no. */
bool exit_code__runs_destructors(const char *symbol);

#endif
