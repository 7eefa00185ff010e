/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code and data that every exit() of a program needs: a child that leaves by exit() faults on
 * them if nothing has before.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_EXIT_CODE_H
#define FORKTAX_ANALYSIS_FORKS_EXIT_CODE_H

#include "model/anatomy.h"

enum exit_needs { EXIT_NEEDS_NOT, EXIT_NEEDS, EXIT_MAY_NEED /* unknown: no symbols */ };

/*
 * In a process with that layout (NULL: not known), does exit() touch a page that this fault has
 * mapped or copied? Knows the code of the dynamic linker, by glibc's names, and the data that the
 * compiler's start files write: the first word of .bss.
 */
enum exit_needs exit_code__needs(const struct anatomy *anatomy, const struct layout *layout,
				 const struct anatomy_row *row);

/* Is this code of the linker that runs destructors, by glibc's names? NULL: no. */
bool exit_code__runs_destructors(const char *symbol);

#endif
