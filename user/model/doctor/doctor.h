/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a kernel, its privileges and the machine allow: the result of forktax doctor.
 */
#ifndef FORKTAX_MODEL_DOCTOR_DOCTOR_H
#define FORKTAX_MODEL_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/capability_row.h"

#define DOCTOR_SCHEMA "forktax-doctor/1"

/* A capability that was tried. */
struct doctor_row {
	char *of; /* the source that uses it ("eBPF"), or the command */
	char *name;
	bool needed; /* `of` cannot be used without it */
	bool trial; /* it is tracing itself, tried on a command */
	enum capability_state state;
	char *reason; /* why it is not there; NULL: it is, or there is nothing to say */
	char *effect; /* what is lost without it */
	char *fix; /* how to get it, as the beginning of a sentence */
	char *command; /* that does it; NULL: there is none */
};

struct doctor {
	char *version; /* of forktax */
	char *kernel, *arch;
	char *source; /* by which commands are traced; NULL: by none */
	char *lost; /* what that source does not count; NULL: nothing */
	struct doctor_row *rows;
	size_t count;
};

void doctor__free(struct doctor *doctor); /* NULL is fine */

#endif
