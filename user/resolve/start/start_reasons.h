/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What each call of a start is for.
 */
#ifndef FORKTAX_RESOLVE_START_START_REASONS_H
#define FORKTAX_RESOLVE_START_START_REASONS_H

#include "model/run/run.h"

/* Sets reason and subject of every call. */
void start_reasons__find(struct run *run);

#endif
