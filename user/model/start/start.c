// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/start/start.h"

#include <math.h>

#include "base/memory.h"

#define REASON(id, key, words) [REASON_##id] = key,
const char *const start_reason_keys[REASON_COUNT] = {
	[REASON_UNKNOWN] = "unknown",
#include "model/start/start_reasons.def"
};
#undef REASON

#define REASON(id, key, words) [REASON_##id] = words,
const char *const start_reason_words[REASON_COUNT] = {
	[REASON_UNKNOWN] = "no known reason",
#include "model/start/start_reasons.def"
};
#undef REASON

const char *const start_role_keys[START_ROLE_COUNT] = {
	[START_IS_PROGRAM] = "program", [START_IS_LIBRARY] = "library", [START_IS_LDSO] = "ld_so",
};

const char *const start_part_keys[START_PART_COUNT] = {
	[START_PART_KERNEL] = "kernel_exec_ns", [START_PART_LDSO] = "ld_so_ns",
	[START_PART_LIBC] = "libc_start_ns",	[START_PART_MAIN] = "main_ns",
	[START_PART_END] = "end_ns",
};

int32_t start_call__errno(const struct start_call *call)
{
	int64_t result = (int64_t)call->result;

	return call->returned && result < 0 && result > -4096 ? (int32_t)-result : 0;
}

uint64_t start_sum__faults_by(const struct start_sum *sum, enum actor actor)
{
	uint64_t faults = 0;

	for (int class = 0; class < FAULT_COUNT; class++)
		faults += sum->faults[actor][class];
	return faults;
}

uint64_t start_sum__faults(const struct start_sum *sum)
{
	uint64_t faults = 0;

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		faults += start_sum__faults_by(sum, actor);
	return faults;
}

uint64_t start_sum__dirtied(const struct start_sum *sum)
{
	uint64_t pages = 0;

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		for (int class = 0; class < FAULT_COUNT; class++)
			if (fault_class__dirties(class))
				pages += sum->faults[actor][class];
	return pages;
}

uint64_t start__calls(const struct start *start)
{
	uint64_t calls = start->beyond;

	for (int phase = 0; phase < START_PHASE_COUNT; phase++)
		calls += start->phases[phase].calls;
	return calls;
}

struct start *start__new(void)
{
	struct start *start = checked_calloc(1, sizeof(*start));

	start->marks = (struct start_marks){ ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT };
	for (int phase = 0; phase < START_PHASE_COUNT; phase++)
		start->phases[phase].ns = ABSENT;
	for (int part = 0; part < START_PART_COUNT; part++)
		start->untraced[part] = NAN;
	return start;
}
