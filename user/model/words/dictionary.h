/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The data dictionary of probes/ as C: enums, keys, headers and definitions. Everything that
 * prints, saves, loads or documents a counter takes its words from here.
 */
#ifndef FORKTAX_MODEL_WORDS_DICTIONARY_H
#define FORKTAX_MODEL_WORDS_DICTIONARY_H

#include <stdbool.h>
#include <stdint.h>

#include "forktax.h"

#define COUNTER(id, ...) MARK_##id,
enum mark {
#include "marks.def"
	MARK_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) SYSCALL_##id,
enum syscall_counter {
#include "syscalls.def"
	SYSCALL_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) START_##id,
enum start_phase {
#include "start_phases.def"
	START_PHASE_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) BENCH_METRIC_##id,
enum bench_metric {
#include "bench_metrics.def"
	BENCH_METRIC_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) PER_OP_##id,
enum per_op {
#include "bench_counts.def"
	PER_OP_COUNT
};
#undef COUNTER

/* One row of probes/(family).def. All strings are static and UTF-8. */
struct counter {
	const char *key;	/* JSON key */
	const char *header;	/* column or row header */
	const char *unit;	/* "calls", "faults", "ns", ...; "" where none applies */
	const char *hook;	/* where in the kernel it is measured */
	const char *definition;	/* one exact sentence without full stop */
};

extern const struct counter actor_counters[ACTOR_COUNT];
extern const struct counter fault_counters[FAULT_COUNT];
extern const struct counter mark_counters[MARK_COUNT];
extern const struct counter syscall_counters[SYSCALL_COUNT];
extern const struct counter lifecycle_counters[LIFE_COUNT];
extern const struct counter birth_counters[BIRTH_COUNT];
extern const struct counter loss_counters[LOSS_COUNT];
extern const struct counter phase_counters[PHASE_COUNT];
extern const struct counter place_counters[PLACE_COUNT];
extern const struct counter part_counters[PART_COUNT];
extern const struct counter tree_counters[TREE_COUNT];
extern const struct counter start_phase_counters[START_PHASE_COUNT];
extern const struct counter metric_counters[BENCH_METRIC_COUNT];
extern const struct counter per_op_counters[PER_OP_COUNT];

/* Was a page copied? Was one dirtied: copied, or made of zeroes? */
bool fault_class__copies(enum fault_class class);
bool fault_class__dirties(enum fault_class class);

/* The key of a calling convention, such as "x86_64" or "i386". */
extern const char *const abi_keys[ABI_COUNT];

/* Is it that of a machine itself, not of the older programs that it runs, too? No run has two of these. */
static inline bool abi__is_main(enum abi abi)
{
	return abi == ABI_X86_64 || abi == ABI_AARCH64;
}

#endif
