/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What rules about executed programs have in common: who starts them, where, and what they take.
 */
#ifndef FORKTAX_ADVICE_RUN_RUN_EXECUTIONS_H
#define FORKTAX_ADVICE_RUN_RUN_EXECUTIONS_H

#include "advice/run/run_subject.h"
#include "model/advice/advised.h"

enum starter { STARTER_OTHER, STARTER_MAKE, STARTER_BASH, STARTER_SHELL, STARTER_FIND, STARTER_XARGS };

/* What the program is that has forked. */
enum starter starter__of(const struct run_subject *subject, const struct execution *row);
bool starter__is_shell(enum starter starter);

/* Executions that would be spared. Zero at first. */
struct spared {
	uint64_t count;
	double ns; /* of the clock, as traced; these three with their forks */
	double cpu_ns;
	double path_ns; /* on the critical path, with what they wait for there */
	double most_ns; /* ... and with all that the program which forks them does there for its children */
};

/* This part of what a row has: 0..1. */
void spared__add(struct spared *spared, const struct run_subject *subject, const struct execution *row, double part);
/* Is it so much of the run, as traced, without waiting for a CPU? */
bool spared__reaches(const struct spared *spared, const struct run_subject *subject, double share);
/*
 * What the run would lose, into `advice`: what these processes have of its critical path; from their CPU time without
 * tracing on. Where the path is not known, what they have of the clock. Returns the value, ns.
 */
double spared__predict(const struct spared *spared, const struct run_subject *subject, struct advice *advice);
/* That it may save less, and as much as these do at most. */
void spared__widen(const struct spared *most, const struct run_subject *subject, double low, struct advice *advice);

/* Rows that a rule wants. */
struct wanted_rows {
	const struct execution *first; /* the one with most of the clock; NULL: there is none */
	uint64_t rows;
	struct spared spared; /* all of them */
};

typedef bool execution_filter(const struct run_subject *subject, const struct execution *row);
struct wanted_rows executions__wanted(const struct run_subject *subject, execution_filter *is_wanted);

/* CPU time of one execution, as traced: R26 is of those that take so long or longer, R9 of others. */
enum { HEAVY_NS_LEAST = 10 * 1000 * 1000 };

/* Rows that are alike, of one program that another one forks. */
struct execution_group {
	const struct execution *first; /* the one with most of the clock; NULL: there is no group */
	uint64_t rows;
	struct execution all; /* its program, and the sums of its rows; no arguments */
	double least_cpu_ns; /* of one execution */
	struct spared spared; /* all of them */
};

/* False: the row is in no group. `key` is all zero at first; the first word has executable and parent. */
typedef bool execution_key(const struct run_subject *subject, const struct execution *row, uint64_t key[2]);
/* The group of rows with the same key that has most of the clock. */
struct execution_group execution_group__largest(const struct run_subject *subject, execution_key *key_of);

/* "file:12", of a makefile, too, if most of its executions by that make are there; NULL: not known. To be freed. */
char *execution__place(const struct run_subject *subject, const struct execution *row);

#endif
