/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a rule looks at: one group of children, with everything known of it.
 */
#ifndef FORKTAX_ADVICE_SUBJECT_H
#define FORKTAX_ADVICE_SUBJECT_H

#include "analysis/forks/fork_breakdown.h"
#include "base/number.h"
#include "base/page.h"
#include "base/text.h"
#include "model/run/run.h"

struct subject {
	const struct run *run;
	const struct anatomy *anatomy;
	uint32_t index; /* of the group */
	const struct group *group;
	const struct sample *sample; /* at least one recorded child */
	const struct fork_cost *fork; /* NULL: not known */
	const struct layout *layout; /* of the parent, at this or another fork; NULL: not known */
	const struct fork_breakdown *breakdown;
	double children; /* of the group, unfinished ones included */
	uint32_t program; /* object of the parent's executable; NO_OBJECT: not known */
	uint32_t linker; /* object of the dynamic linker; NO_OBJECT: none seen */
};

/* Fills it for the group of that breakdown. */
void subject__make(struct subject *subject, const struct run *run, const struct fork_breakdown *breakdown);

/* Are both in the same page? */
static inline bool subject__is_same_page(const struct subject *subject, const struct place *first,
					 const struct place *second)
{
	return run__page_at(subject->run, first->offset) == run__page_at(subject->run, second->offset);
}

/*
 * A sentence, with a space before it, if the costs of copying do not hold for this parent (copied__is_beyond()): then
 * nothing can be predicted of them; else "".
 */
const char *subject__doubt(const struct subject *subject);

/* How many children were recorded; never 0. */
double subject__recorded(const struct subject *subject);

/* Are so many more than half of the recorded children? */
bool subject__is_most(const struct subject *subject, uint64_t children);

/*
 * Are so many all recorded children that could have come to their end? A child that still runs when watching ends
 * lacks the faults of its last part.
 */
bool subject__is_all_that_ended(const struct subject *subject, uint64_t children);

/* Is this of an object that the parent had loaded? */
bool subject__has(const struct subject *subject, const struct binding_object *binding);

/* Is this fault, of the group, part of binding symbols lazily (fork_breakdown.h)? */
bool subject__is_binding(const struct subject *subject, const struct anatomy_row *row);

/* Has the parent loaded objects as it ran, by dlopen(3)? */
bool subject__opens_objects(const struct subject *subject);

/* "libc.so.6"; a phrase if its name was never learnt. Not to be freed. */
const char *subject__object(const struct subject *subject, uint32_t object);

/* Calls of that name per child, in all images of all children of the group. */
double subject__calls(const struct subject *subject, const char *name);

/* Of the group's first child, the only one that is kept: its calls before its first execve, and after it. */
struct first_calls {
	double before, after;
};
struct first_calls subject__first_calls(const struct subject *subject);

/* How many symbols most recorded children bind. */
size_t subject__symbols_bound(const struct subject *subject);

/* Is the C library glibc, as far as that shows? */
bool subject__uses_glibc(const struct subject *subject);

/* What ld.so computes to bind symbols in a child, ns, without its faults and without tracing. */
double subject__binding_code(const struct subject *subject);

/* What a child computes from the first to the last fault that all children take; 0: not known. */
double subject__code_between(const struct subject *subject);

/* The time that tracing takes between two faults of a child, ns (tracing.c); 0: not known. */
double subject__tracing_gap(const struct subject *subject);

#endif
