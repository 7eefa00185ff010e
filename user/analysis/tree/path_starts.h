/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which starts of programs took one of a directory that is first in PATH: those that were executed by a path in it.
 */
#ifndef FORKTAX_ANALYSIS_TREE_PATH_STARTS_H
#define FORKTAX_ANALYSIS_TREE_PATH_STARTS_H

#include "model/run/run.h"

/*
 * Fills starts, taken and missed, but for is_there, by a run with the times of its tree. The start of the command
 * itself does not count. trial->directory is its absolute path, without links.
 */
void path_starts__count(const struct run *run, struct path_trial *trial);

#endif
