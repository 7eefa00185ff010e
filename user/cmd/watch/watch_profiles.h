/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes a profile of what was copied since the last one, with each sample.
 */
#ifndef FORKTAX_CMD_WATCH_WATCH_PROFILES_H
#define FORKTAX_CMD_WATCH_WATCH_PROFILES_H

#include "model/watch/watch.h"
#include "resolve/names/copy_files.h"

struct watching;

/* All zero but for the first two: none was written yet. */
struct watch_profiles {
	const char *directory; /* NULL: none are wanted */
	size_t keep; /* so many files */
	struct copy_files files;
	struct watch_sample *before; /* with which the last profile ended */
	double began_ns; /* the present one; CLOCK_MONOTONIC */
	bool failed; /* the last time; it has been said */
};

void watch_profiles__begin(struct watch_profiles *profiles);
/* What could not be written is in the next one. */
void watch_profiles__write(struct watch_profiles *profiles, struct watching *watching,
			   const struct watch_sample *sample);
void watch_profiles__release(struct watch_profiles *profiles);

#endif
