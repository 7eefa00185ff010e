/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The kind of machine that a document is of: names of calls are its own, and a fault is one of its pages.
 */
#ifndef FORKTAX_MODEL_MACHINE_KIND_H
#define FORKTAX_MODEL_MACHINE_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "model/rows/fields.h"

struct machine {
	char *arch; /* uname -m; NULL or empty: not known */
	uint64_t page_bytes; /* bytes of a page; ABSENT: not known (a log of strace) */
};

/* This one. */
struct machine machine__here(void);
bool machine__is_known(const struct machine *machine);
/* Are both of one kind? What is not known is no difference. */
bool machine__is_same(const struct machine *first, const struct machine *second);
/* "aarch64 with pages of 16 KiB"; those of 4 KiB, as most have them, are not mentioned. "": not known. To be freed. */
char *machine__words(const struct machine *machine);

/* What is wrong in a saved one, to be freed, or NULL. */
char *machine__contradiction(const struct machine *machine);

/* The rows (model/rows/field_rows.h) of member `machine`, for documents that are written on the machine itself. */
#define MACHINE_ROWS \
	TEXT("arch", machine.arch, NULLABLE, .note = "the machine, as uname -m has it; null: not known"), \
	COUNT("page_bytes", machine.page_bytes, .note = "bytes of a page of that machine")

#endif
