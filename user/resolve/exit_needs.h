/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code and data that every exit() of a program needs: a child that leaves by exit() faults on
 * them if nothing has before.
 */
#ifndef FORKTAX_RESOLVE_EXIT_NEEDS_H
#define FORKTAX_RESOLVE_EXIT_NEEDS_H

#include "model/run/run.h"

/*
 * Sets exit_needs of all faults that the dynamic linker takes in children. Knows the code of the dynamic
 * linker, by glibc's names, and the data that the compiler's start files write: the first word of .bss.
 */
void exit_needs__find(struct run *run);

#endif
