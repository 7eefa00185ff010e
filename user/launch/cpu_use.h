/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who has had the CPUs: the measurement, nobody, or others.
 */
#ifndef FORKTAX_LAUNCH_CPU_USE_H
#define FORKTAX_LAUNCH_CPU_USE_H

struct rusage;

/* CPU time in ns, user and system. */
double cpu_use__of(const struct rusage *usage);

/* Since some moment in the past, in ns. */
struct cpu_use {
	double wall;
	double own; /* CPU time of this process and of what it has reaped: getrusage(2) */
	double idle; /* of these CPUs together: proc_stat(5), in steps of 10 ms each */
	int cpus; /* 0: idle is not known */
};

/* `cpu`: that everything is pinned to. CPU_ANY (cpu_choice.h): all that this process may use. */
struct cpu_use cpu_use__now(int cpu);

/*
 * From 0 to 1: the share of the time in which none of the CPUs was idle, or used by this process
 * and the children that have ended in between: others had them all. At least that: whoever runs on
 * one CPU while another is idle counts twice, and idle time as one step more than it may have been.
 * NAN: not known, or less than 50 ms.
 */
double cpu_use__others(const struct cpu_use *before, const struct cpu_use *after);

#endif
