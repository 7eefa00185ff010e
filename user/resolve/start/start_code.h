/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whose code made a call of a start: what a call looks like does not tell. By the stack that was recorded at
 * its entry, the call frame information of the files that lay there, and their symbols.
 */
#ifndef FORKTAX_RESOLVE_START_START_CODE_H
#define FORKTAX_RESOLVE_START_START_CODE_H

#include "analysis/start/start_parts.h"

#define MAKER(id, ...) MADE_BY_##id,
enum start_maker {
	MADE_BY_ANYBODY,
#include "resolve/start/start_makers.def"
	MADE_BY_LDSO,
	START_MAKER_COUNT
};
#undef MAKER

enum start_says { CODE_UNKNOWN, CODE_IS_ANOTHER, CODE_IS_MAKER };

struct start_code;

/* The files are opened when they are first asked for, and stay open. */
struct start_code *start_code__open(const struct run *run);
void start_code__close(struct start_code *code);

/* Did this code make the current call? */
enum start_says start_code__says(struct start_code *code, const struct start_view *view, enum start_maker maker);

#endif
