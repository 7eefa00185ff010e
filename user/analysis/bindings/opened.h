/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which of the loaded objects no file asks for: they were opened by the program as it ran
 * (dlopen(3)), or put in by LD_PRELOAD.
 */
#ifndef FORKTAX_ANALYSIS_BINDINGS_OPENED_H
#define FORKTAX_ANALYSIS_BINDINGS_OPENED_H

#include "model/run.h"

/* Sets `opened` of all bindings. Where the libraries of a program cannot be found, of none. */
void bindings__find_opened(struct run *run);

#endif
