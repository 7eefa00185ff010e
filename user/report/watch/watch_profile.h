/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Copies since the last profile, as a profile of pprof. Its sums are the differences of the counters of two samples.
 */
#ifndef FORKTAX_REPORT_WATCH_WATCH_PROFILE_H
#define FORKTAX_REPORT_WATCH_WATCH_PROFILE_H

#include <stdio.h>

#include "model/watch/copy_profile.h"
#include "model/watch/watch.h"

struct watch_profile {
	const struct copy_profile *copies; /* with names */
	const struct watch_sample *before; /* with which the last profile ended; NULL: this is the first one */
	const struct watch_sample *sample; /* with which it ends */
	double seconds; /* that it covers */
	const char *version; /* of forktax */
};

void watch_profile__print(const struct watch_profile *profile, FILE *stream);

#endif
