/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One fork of a command beside one of another executable of it: where the difference goes.
 */
#ifndef FORKTAX_ADVICE_AGAINST_H
#define FORKTAX_ADVICE_AGAINST_H

#include "model/run.h"

/* Runs of one side, with anatomy; borrowed. */
struct side {
	struct run *const *runs;
	size_t count;
};

/*
 * The bills of a group of sides[0].runs[0] and of the group of the other side that is like it, line
 * by line: medians over the runs. NULL: the other one has no such children. `path`, `ns` of the
 * result are the caller's to fill.
 */
struct against *against__compare(const struct side sides[2], uint32_t group);

#endif
