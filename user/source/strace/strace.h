/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The source that anybody may use: the strace that is installed, attached to the command while it
 * waits at the gate. So the command is our own child, with its own pid and nothing of strace's in
 * its past; its log is read while it is written.
 */
#ifndef FORKTAX_SOURCE_STRACE_STRACE_H
#define FORKTAX_SOURCE_STRACE_STRACE_H

#include "source/source.h"

extern const struct source source_strace;

/* Implements capabilities() of struct source. */
const struct capability *strace_capabilities__list(size_t *count);
/* What to do where attaching is refused, as far as this machine's settings tell; static. */
const char *strace_capabilities__remedy(void);

#endif
