/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds the critical path of a command from what its threads do, in the order in which they do it
 * (docs/use/critical-path.md). Each thread has a path: that of the thread that has created or woken it last,
 * until then, and what it has done itself since. The path of the last thread of the command is the critical one.
 * Only the paths of living threads are kept; what these have in common is summed up and forgotten.
 */
#ifndef FORKTAX_SOURCE_CALLS_PATH_FOLD_H
#define FORKTAX_SOURCE_CALLS_PATH_FOLD_H

#include "source/calls/path_sums.h"

struct path_fold;

struct path_fold *path_fold__new(void);
void path_fold__free(struct path_fold *fold); /* NULL is fine */
/* A PATH_BEGINS or PATH_CREATES. `line` is of no matter for a new thread of the same process. */
void path_fold__take_birth(struct path_fold *fold, const struct path_birth *birth, struct path_fold_line line);
/* A PATH_PLACES: `number` is that of a line that was to come. */
void path_fold__take_place(struct path_fold *fold, uint32_t number, struct path_fold_line line);
/* Any other event. */
void path_fold__take(struct path_fold *fold, const struct path_event *event);
/*
 * Once all events are taken: NULL, or why the path is not known (static). Else fills `path`, whose lines are all that
 * the caller has numbered, with their names; those that are not on the path are released. In programs and steps `exe`
 * is that of the events.
 */
const char *path_fold__finish(struct path_fold *fold, struct critical_path *path);

/* Then: how much of the path's time by what it waited for was while no thread of the tree ran. [PATH_PARTS] */
const uint64_t *path_fold__idle(const struct path_fold *fold);

#endif
