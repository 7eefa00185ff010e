/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads the memory of the members of a pool when they are new and at the end, while a source records
 * what they copy, and sets the two against each other.
 */
#ifndef FORKTAX_POOL_POOL_WATCH_H
#define FORKTAX_POOL_POOL_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "model/workers/flow_log.h"
#include "model/workers/workers_flow.h"

struct pool_watch;

struct pool_watch *pool_watch__new(void);
void pool_watch__free(struct pool_watch *watch); /* NULL is fine */

/*
 * Reads who is new in the log and still lives: those that were there before all, those born since for
 * a twentieth of the time at most, by CPU.
 */
void pool_watch__look(struct pool_watch *watch, const struct flow_log *log);
/* Reads all members that still live, just before the watch ends. */
void pool_watch__end(struct pool_watch *watch, const struct flow_log *log);

/* A member that lives, of the pool whose forked members have lived longest in all; 0: there is none. */
pid_t pool_watch__member(const struct flow_log *log);

/*
 * What became of that pool. Each code of it is a writer, without names:
 * flow_writers__name() gives them. NULL: no process of the log was forked.
 */
struct workers_flow *pool_watch__flow(const struct pool_watch *watch, const struct flow_log *log);

#endif
