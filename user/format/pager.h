/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Long reports on a terminal go through a pager, as git's do.
 */
#ifndef FORKTAX_FORMAT_PAGER_H
#define FORKTAX_FORMAT_PAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Writes `text` to `stream`. If `may_page`, the stream is a terminal in whose foreground we are, and the
 * text has more lines than it, then $PAGER shows it (a shell command; less if unset; none if empty or
 * "cat", or if TERM is "dumb"). A pager that the shell cannot run is done without. A text that scrolls
 * away ends with its first paragraph again, unless that makes one page longer. Failed writes are noted in the stream.
 */
void pager__write(const char *text, size_t size, FILE *stream, bool may_page);

#endif
