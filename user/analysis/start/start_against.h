/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two starts side by side: how often each makes every call, and about what they differ.
 */
#ifndef FORKTAX_ANALYSIS_START_START_AGAINST_H
#define FORKTAX_ANALYSIS_START_START_AGAINST_H

#include "model/start/start.h"

/*
 * Both must be explained. Calls are the same if they have the same name and path; without a path, the
 * same reason and subject. What seccomp denied is no call. Path, ends_alike and saved_ns are the
 * caller's to fill. Freed with the start that it is put into.
 */
struct start_against *start_against__of(const struct start *here, const struct start *there);

#endif
