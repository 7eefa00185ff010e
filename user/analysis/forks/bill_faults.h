/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Page faults that exist only because of a fork: the copies that a parent and its child make of what they share, and
 * what the child has to map again. In a bill they belong to the forks of the program.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_BILL_FAULTS_H
#define FORKTAX_ANALYSIS_FORKS_BILL_FAULTS_H

#include "model/run/run.h"

/* Moves the time of those that were taken in user mode from the code of programs to their forks, if there is a bill. */
void bill_faults__move(struct run *run);

/* Which part of a program's forks they are, after that: 0..1. */
double bill_faults__share(const struct run *run, uint32_t exe);

#endif
