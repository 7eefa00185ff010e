/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counting by unit for weeks (forktax watch): opened, read as often as one likes, closed.
 */
#ifndef FORKTAX_SOURCE_WATCHING_H
#define FORKTAX_SOURCE_WATCHING_H

#include "model/watch/watch.h"
#include "source/trace.h"

struct source;
struct watching;

/*
 * Begins to count what the request has of cgroups, or the machine; it has to outlive the result. NULL and a
 * message (to be freed): what failed, why, and what to do next.
 */
struct watching *watching__open(const struct trace_request *request, enum watch_level level, char **message);
/* The same with a source of the caller's choice. */
struct watching *watching__by(const struct source *source, const struct trace_request *request,
			      enum watch_level level, char **message);

/*
 * What has been counted until now, to be freed by watch_sample__free(). NULL and a message (to be freed). CPU
 * times, which the source does not count, are 0.
 */
struct watch_sample *watching__sample(struct watching *watching, char **message);
/* Stops counting: the next sample has what is still running up to here. 0, or -1 and a message (to be freed). */
int watching__stop(struct watching *watching, char **message);
void watching__close(struct watching *watching);

/*
 * Of what forktax itself starts: the kernel half meets it so, but no unit counts it. WATCH_MEETINGS: as everything
 * else. False: nothing is met so (nothing is to be set then).
 */
bool watching__set_trial(struct watching *watching, enum watch_meeting meeting);

/* Readable when there is something to take in; to be called then. */
int watching__event_fd(const struct watching *watching);
void watching__take_in(struct watching *watching);

/* Paths of the cgroups of a unit, a list that ends with NULL, to be freed by text__free_list(). */
char **watching__cgroups(const struct watching *watching, const char *unit);
/* What becomes part of the samples; false: there is no such unit any more. */
bool watching__set_pool(struct watching *watching, const char *unit, const struct watch_pool *pool);

/* What has been lost, a kind at a time, to be freed; NULL: nothing that has not been said. */
char *watching__take_loss(struct watching *watching);
/*
 * What the source doubts: something may not be counted. The first such warning since the last call, to be freed, and
 * how many there were; NULL: none.
 */
char *watching__take_doubt(struct watching *watching, uint64_t *count);

#endif
