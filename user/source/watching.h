/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counting by unit for weeks (forktax watch): opened, read as often as one likes, closed.
 */
#ifndef FORKTAX_SOURCE_WATCHING_H
#define FORKTAX_SOURCE_WATCHING_H

#include "model/watch/watch.h"
#include "source/trace.h"

struct copy_profile;
struct source;
struct watching;

/*
 * Begins to count what the request has of processes, cgroups, or the machine; it has to outlive the result. NULL and a
 * message (to be freed): what failed, why, and what to do next.
 */
struct watching *watching__open(const struct trace_request *request, enum watch_level level, char **message);
/* The same with a source of the caller's choice. */
struct watching *watching__by(const struct source *source, const struct trace_request *request,
			      enum watch_level level, char **message);

/*
 * What has been counted until now, to be freed by watch_sample__free(). NULL and a message (to be freed). What is not
 * counted by the source (budget, CPU times) is 0.
 */
struct watch_sample *watching__sample(struct watching *watching, char **message);
/*
 * Counts at another level from now on: counting stops, and begins again. 0, or -1 and a message (to be freed): then it
 * has stopped.
 */
int watching__change_level(struct watching *watching, enum watch_level level, char **message);
/* Stops counting: what is still running has been counted up to here. */
int watching__stop(struct watching *watching, char **message);
void watching__close(struct watching *watching);

/* All processes that were given have ended, and no other may come. */
bool watching__is_over(const struct watching *watching);

/*
 * Of what forktax itself starts: the kernel half meets it so, but no unit counts it. WATCH_MEETINGS: as everything
 * else. False: nothing is met so at this level (nothing is to be set then).
 */
bool watching__set_trial(struct watching *watching, enum watch_meeting meeting);

/* Readable when there is something to take in; to be called then. */
int watching__event_fd(const struct watching *watching);
void watching__take_in(struct watching *watching);

/* Paths of the cgroups of a unit, a list that ends with NULL, to be freed by text__free_list(). */
char **watching__cgroups(const struct watching *watching, const char *unit);
/*
 * The copies of the samples since they were forgotten last, if the request has call stacks; to be freed by
 * copy_profile__free(). Names of files and code are missing.
 */
struct copy_profile *watching__copies(const struct watching *watching);
void watching__forget_copies(struct watching *watching);
/* What becomes part of the samples; false: there is no such unit any more. */
bool watching__set_pool(struct watching *watching, const char *unit, const struct watch_pool *pool);

/*
 * What the source doubts: something may not be counted. The first such warning since the last call, to be freed, and
 * how many there were; NULL: none.
 */
char *watching__take_doubt(struct watching *watching, uint64_t *count);

#endif
