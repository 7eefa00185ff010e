/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a rule looks at: one group of children with everything that is known of it.
 */
#ifndef FORKTAX_ADVICE_MATTER_H
#define FORKTAX_ADVICE_MATTER_H

#include "analysis/forks/fork_bill.h"
#include "model/run.h"

struct matter {
	const struct run *run;
	const struct anatomy *anatomy;
	uint32_t index; /* of the group */
	const struct group *group;
	const struct sample *sample; /* at least one recorded child */
	const struct fork_cost *fork; /* NULL: not known */
	const struct layout *layout; /* of the parent, at this or another of its forks; NULL */
	struct fork_bill bill;
	double children; /* of the group, unfinished ones included */
	double fork_ns; /* what one fork costs; 0: not known */
	uint32_t program; /* object of the parent's executable; NO_OBJECT */
	uint32_t linker; /* object of the dynamic linker; NO_OBJECT: none seen */
};

/* False if no child of the group was recorded. */
bool matter__make(struct matter *matter, const struct run *run, uint32_t group);

/* Recorded children, as a number to divide by. */
double matter__recorded(const struct matter *matter);

/* Whether the parent has loaded objects as it ran, by dlopen(3). */
bool matter__opens_objects(const struct matter *matter);

/* "libc.so.6"; "a file without a name" where that was never learnt. Not to be freed. */
const char *matter__object(const struct matter *matter, uint32_t object);

/* Calls of that name (x86-64) in all images of all children of the group, per child. */
double matter__calls(const struct matter *matter, const char *name);

/* Symbols that are bound in more than half of the recorded children. */
size_t matter__symbols_bound(const struct matter *matter);

/* Whether the C library is glibc's, as far as that shows. */
bool matter__uses_glibc(const struct matter *matter);

/* What ld.so computes to bind symbols in a child, ns, without its faults and without tracing. */
double matter__binding_code(const struct matter *matter);

/* What a child computes from the first to the last fault that all children take, likewise; 0: not known. */
double matter__code_between(const struct matter *matter);

/* What tracing takes between two faults of a child, ns: see tracing.c. 0: not known. */
double matter__tracing_gap(const struct matter *matter);

/* asprintf() that ends the program when memory is short. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A count that may have a fraction, as arguments of "%.*f": "9", "1.95", "826". */
int digits_of(double count);
#define COUNT(count) digits_of(count), (count)

/* The noun for a count that COUNT() shows as it is. */
const char *noun_for(double count, const char *one, const char *many);

/* Adds to a list in words: "a", "a, b", ..., at most some, then "and N more". */
struct names {
	char *list; /* NULL: none yet; to be freed */
	size_t count;
};
void names__add(struct names *names, const char *name);
char *names__finish(struct names *names); /* never NULL; to be freed */

#endif
