/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Interpreters: they load modules as they run, and cannot know in advance what memory is for.
 */
#ifndef FORKTAX_ADVICE_INTERPRETERS_H
#define FORKTAX_ADVICE_INTERPRETERS_H

struct interpreter {
	const char *name; /* of the program or library, without "lib" */
	const char *action; /* what to do about its bookkeeping in children */
};

/* The interpreter of that executable or library (a name without directories), or NULL. */
const struct interpreter *interpreter__named(const char *object);

#endif
