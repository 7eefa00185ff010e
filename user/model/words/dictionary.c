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

const char *const abi_keys[ABI_COUNT] = { "x86_64", "i386", "x32", "aarch64", "arm" };
