/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The profiles of a watch in a directory: one file for each, whose names sort by time; so many are kept.
 */
#ifndef FORKTAX_REPORT_WATCH_WATCH_PROFILE_FILES_H
#define FORKTAX_REPORT_WATCH_WATCH_PROFILE_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#include "report/watch/watch_profile.h"

/* "forktax-copies-20260131T235959.123456789Z-4711.pb.gz", to be freed. `time`: seconds since the epoch. */
char *watch_profile_files__name(double time, pid_t pid);
/* Is this such a name? */
bool watch_profile_files__is_name(const char *name);
/* Writes a profile, whole or not at all. Returns 0, or -1 and a message (to be freed). */
int watch_profile_files__write(const char *directory, const struct watch_profile *profile, char **message);
/* Removes the oldest profiles of forktax beyond so many, also those of other watches; nothing else. The same. */
int watch_profile_files__keep(const char *directory, size_t most, char **message);

#endif
