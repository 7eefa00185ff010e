// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/words/dictionary.h"

#define COUNTER(id, key_, header_, unit_, hook_, definition_)                                      \
	{ .key = key_, .header = header_, .unit = unit_, .hook = hook_, .definition = definition_ },

const struct counter actor_counters[] = {
#include "actors.def"
};
const struct counter fault_counters[] = {
#include "faults.def"
};
const struct counter mark_counters[] = {
#include "marks.def"
};
const struct counter syscall_counters[] = {
#include "syscalls.def"
};
const struct counter lifecycle_counters[] = {
#include "lifecycle.def"
};
const struct counter birth_counters[] = {
#include "births.def"
};
const struct counter loss_counters[] = {
#include "integrity.def"
};
const struct counter phase_counters[] = {
#include "phases.def"
};
const struct counter place_counters[] = {
#include "places.def"
};
const struct counter part_counters[] = {
#include "fork_parts.def"
};
const struct counter tree_counters[] = {
#include "tree_parts.def"
};
const struct counter start_phase_counters[] = {
#include "start_phases.def"
};
const struct counter metric_counters[] = {
#include "bench_metrics.def"
};
const struct counter per_op_counters[] = {
#include "bench_counts.def"
};

const struct counter_family counter_families[] = {
	{ "System calls", syscall_counters, SYSCALL_COUNT },
	{ "Page-fault classes", fault_counters, FAULT_COUNT },
	{ "Marks across the classes", mark_counters, MARK_COUNT },
	{ "Actors", actor_counters, ACTOR_COUNT },
	{ "Life cycle", lifecycle_counters, LIFE_COUNT },
	{ "Births", birth_counters, BIRTH_COUNT },
	{ "Phases of the anatomy", phase_counters, PHASE_COUNT },
	{ "Places of the anatomy", place_counters, PLACE_COUNT },
	{ "Parts of a fork", part_counters, PART_COUNT },
	{ "Parts of a tree", tree_counters, TREE_COUNT },
	{ "Phases of a start", start_phase_counters, START_PHASE_COUNT },
	{ "Measured by bench", metric_counters, BENCH_METRIC_COUNT },
	{ "Counted by bench, per operation", per_op_counters, PER_OP_COUNT },
	{ "Integrity", loss_counters, LOSS_COUNT },
};
const unsigned int counter_family_count = sizeof(counter_families) / sizeof(counter_families[0]);

const char *const abi_keys[ABI_COUNT] = { "x86_64", "i386", "x32", "aarch64", "arm" };
