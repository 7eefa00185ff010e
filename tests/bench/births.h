/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What births.c and births.cpp have in common.
 */
#ifndef FORKTAX_BENCH_BIRTHS_H
#define FORKTAX_BENCH_BIRTHS_H

#include <sys/resource.h>

/* Of this process and of the children that it has waited for. */
static inline long births__faults(void)
{
	struct rusage own, children;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return own.ru_minflt + own.ru_majflt + children.ru_minflt + children.ru_majflt;
}

#endif
