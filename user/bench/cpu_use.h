/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who has had a CPU: the measurement that is pinned to it, nobody, or others.
 */
#ifndef FORKTAX_BENCH_CPU_USE_H
#define FORKTAX_BENCH_CPU_USE_H

struct rusage;

/* CPU time in ns, user and system. */
double cpu_use__of(const struct rusage *usage);

/* Since some moment in the past, in ns; NAN: not known. */
struct cpu_use {
	double wall;
	double own; /* CPU time of this process and of what it has reaped: getrusage(2) */
	double idle; /* of the CPU: proc_stat(5), in steps of 10 ms */
};

/* `cpu` < 0: of none, so that only the time is known. */
struct cpu_use cpu_use__now(int cpu);

/*
 * From 0 to 1: the share of the time in which the CPU was neither idle nor used by this process and
 * the children that have ended in between, all of which have to be pinned to it. At least that:
 * where it was idle, by one step more than it may have been. NAN: not known, or less than 50 ms.
 */
double cpu_use__others(const struct cpu_use *before, const struct cpu_use *after);

#endif
