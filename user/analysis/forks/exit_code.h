/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the code and the data are that every exit() of a program needs: what a child would fault on
 * by leaving even if nothing had faulted on it before.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_EXIT_CODE_H
#define FORKTAX_ANALYSIS_FORKS_EXIT_CODE_H

#include "model/anatomy.h"

enum exit_needs { EXIT_NEEDS_NOT, EXIT_NEEDS, EXIT_MAY_NEED /* there are no symbols to tell by */ };

/*
 * Of a fault in an object: does exit(), in a process with that layout, touch a page that the fault has
 * mapped or copied? Of code it knows the dynamic linker's, by names of glibc; of data what the
 * compiler's start files write, the first word of .bss. Layout NULL: not known.
 */
enum exit_needs exit_code__needs(const struct anatomy *anatomy, const struct layout *layout,
				 const struct anatomy_row *row);

/* Is this (NULL: no) code of the linker that runs destructors? By the names of glibc. */
bool exit_code__runs_destructors(const char *symbol);

#endif
