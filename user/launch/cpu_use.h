/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who used the CPUs: the measurement, nobody, or other processes.
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

/* `cpu`: the CPU we are pinned to, or CPU_ANY (cpu_choice.h): all CPUs that we may use. */
struct cpu_use cpu_use__now(int cpu);

/*
 * The share of the time, from 0 to 1, in which other processes had all the CPUs: none was idle, or
 * used by this process or by children that ended in between. It is a lower bound: work on one CPU
 * while another is idle is subtracted twice, and idle time is rounded up by a step. NAN: unknown, or
 * less than 50 ms.
 */
double cpu_use__others(const struct cpu_use *before, const struct cpu_use *after);

#endif
