/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Programs that run other people's programs: they load modules as they run, and do not know before
 * what memory is for.
 */
#ifndef FORKTAX_ADVICE_INTERPRETERS_H
#define FORKTAX_ADVICE_INTERPRETERS_H

struct interpreter {
	const char *name; /* of the program or library, without "lib" */
	const char *action; /* against its bookkeeping in children */
};

/* By the name of an executable or library, without directories; NULL: none that is known. */
const struct interpreter *interpreter__named(const char *object);

#endif
