/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The calls of a start summed up for people: by phase, name and reason, in order of first occurrence.
 */
#ifndef FORKTAX_ANALYSIS_START_START_GROUPS_H
#define FORKTAX_ANALYSIS_START_START_GROUPS_H

#include "model/start/start.h"

#define START_DOUBT "looks like: "

/* Calls for one reason, and about what. Texts are the start's. */
struct use_subject {
	const char *name;
	uint64_t calls;
};

struct start_use {
	const char *words; /* of the reason; with a %s if there are subjects */
	bool by_shape; /* whose code made them is not known: the words come behind START_DOUBT */
	uint64_t calls, errors;
	struct use_subject *subjects;
	size_t subject_count;
};

/* Calls of one name in one phase. */
struct start_group {
	enum start_phase phase;
	const char *name;
	uint64_t calls, errors;
	struct start_use *uses;
	size_t use_count;
};

struct start_groups {
	struct start_group *groups;
	size_t count;
};

struct start_groups start_groups__of(const struct start *start);
void start_groups__free(struct start_groups *groups);

/* Calls without a known reason. */
uint64_t start__unexplained(const struct start *start);

/* "openat("/etc/passwd")", "lseek(3, 0x0, 0x1)": the path, else the arguments; to be freed. */
char *start_call__words(const struct start_call *call);
/* What it is for, in words; to be freed. */
char *start_call__why(const struct start_call *call);

#endif
