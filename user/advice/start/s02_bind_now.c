// SPDX-License-Identifier: GPL-2.0-or-later
/* S2: what binding all symbols at once would cost or save cannot be computed, but tried. */
#include <inttypes.h>
#include <string.h>

#include "advice/start/rules_start.h"
#include "base/text.h"

/* Faults of ld.so's code after the program's entry. */
static uint64_t late_faults(const struct start *start)
{
	static const enum start_phase phases[] = { START_LIBC, START_MAIN, START_PROGRAM, START_EXIT };
	uint64_t faults = 0;

	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++)
		faults += start_sum__faults_by(&start->phases[phases[i]], ACTOR_LDSO);
	return faults;
}

/* Functions of the program that wait for their first call, as its file says; 0: none, or not known. */
static uint64_t lazy_functions(const struct start *start)
{
	const struct start_object *program = start->object_count ? &start->objects[0] : NULL;

	return program && program->is_lazy && program->relocations[RELOC_JUMP_SLOT] != ABSENT
		       ? program->relocations[RELOC_JUMP_SLOT]
		       : 0;
}

/* Is LD_BIND_NOW set, to whatever value? Then ld.so binds all functions at start already. */
static bool binds_now(const struct start_subject *subject)
{
	static const char begin[] = "LD_BIND_NOW=";

	for (char *const *entry = subject->environment; entry && *entry; entry++)
		if (!strncmp(*entry, begin, strlen(begin)) && (*entry)[strlen(begin)])
			return true;
	return false;
}

bool rule__s02_bind_now(const struct start_subject *subject, struct advice *advice)
{
	const uint64_t functions = lazy_functions(subject->start);

	/* Other dynamic linkers, such as musl's, always bind at once. */
	if (!functions || binds_now(subject) || !start_subject__has_glibc(subject))
		return false;
	advice->evidence = text__of(
		"The program is not linked with -z now: ld.so binds each of %" PRIu64 " functions at its "
		"first call. For that, dlopen and destructors, ld.so's code takes these page faults after "
		"the program's entry: %" PRIu64 ".", functions, late_faults(subject->start));
	advice->action = text__of(
		"If it saves time here, link with -Wl,-z,now or start the program with "
		"LD_BIND_NOW=1 (its children inherit that). If it costs time, leave it: ld.so would "
		"also bind functions that are never called.");
	return true;
}
