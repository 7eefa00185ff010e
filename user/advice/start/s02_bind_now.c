// SPDX-License-Identifier: GPL-2.0-or-later
/* S2: what binding all symbols at once would cost or save cannot be computed, but tried. */
#include <inttypes.h>
#include <string.h>

#include "advice/start/rules_start.h"
#include "base/text.h"

/* Faults of ld.so's code after the program's entry. */
static uint64_t late_faults(const struct start *start)
{
	static const enum start_phase phases[] = { START_LIBC, START_MAIN, START_PROGRAM,
						   START_EXIT };
	uint64_t faults = 0;

	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++)
		faults += start_sum__faults_by(&start->phases[phases[i]], ACTOR_LDSO);
	return faults;
}

static bool binds_lazily(const struct run *run)
{
	const struct exe *exe = run__first_exe(run);

	return exe && exe->linkage && !strcmp(exe->linkage, "dynamic");
}

bool rule__s02_bind_now(const struct start_subject *subject, struct advice *advice)
{
	const uint64_t faults = late_faults(subject->start);

	if (!binds_lazily(subject->run) || !start_subject__has_glibc(subject))
		return false;
	advice->evidence = text__of(
		"The program is not linked with -z now: symbols are bound at their first call. "
		"Page faults of ld.so's code after the program's entry, for that, dlopen and "
		"destructors: %" PRIu64 ".", faults);
	advice->action = text__of(
		"If it saves time here, link with -Wl,-z,now or start the program with "
		"LD_BIND_NOW=1 (its children inherit that); if it costs time, leave it: most of "
		"what would be bound is never called.");
	return true;
}
