/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts that differ from one run to the next without a cause in the program: what the scheduler decides,
 * which of two processes comes first, and the page cache.
 */
#ifndef FORKTAX_ANALYSIS_BY_CHANCE_H
#define FORKTAX_ANALYSIS_BY_CHANCE_H

#include <stdbool.h>

#include "model/words/dictionary.h"

/* Is it called as often as somebody has to wait, or is woken? */
bool by_chance__call(const char *name);
/* Does the error say no more than "not yet"? */
bool by_chance__error(const char *name);
/*
 * Of a page that parent and child both write to, the first one makes a copy and the other one takes the
 * page over; how many pages one fault maps, the page cache decides.
 */
bool by_chance__class(enum fault_class class);

#endif
