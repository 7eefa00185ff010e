// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of a pool's trials. */
#include "model/rows/field_rows.h"
#include "model/workers/workers.h"

static const struct words way_words = WORDS_OF(pool_way_keys);

#define S struct pool_memory
static const struct field pool_memory_fields[] = {
	COUNT("pss_anon_bytes", pss_anon_bytes, NULLABLE, .note = "of all members, by the kernel"),
	COUNT("swap_pss_bytes", swap_pss_bytes, NULLABLE),
	COUNT("pss_file_bytes", pss_file_bytes, NULLABLE),
	COUNT("pss_shmem_bytes", pss_shmem_bytes, NULLABLE),
	COUNT("extra_bytes", extra_bytes),
	COUNT("mergeable_bytes", mergeable_bytes),
	COUNT("unknown_origin_extra_bytes", perhaps_extra_bytes, OLDER,
	      .note = "beyond extra_bytes, with pages of unknown origin"),
	COUNT("workers", workers),
	COUNT("shared_bytes", shared_bytes, .note = "of all workers"),
	COUNT("inherited_private_bytes", unshared_bytes,
	      .note = "of all workers: inherited pages that are private now"),
	COUNT("new_bytes", new_bytes, .note = "of all workers: where the master has none"),
	COUNT("unknown_origin_bytes", unknown_origin_bytes, .note = "of all workers"),
	COUNT("copied_bytes", copied_bytes, NULLABLE,
	      .note = "of all workers: pages that were shared before the load; null: unknown"),
	COUNT("copied_by_master_bytes", copied_by_master_bytes, NULLABLE, .note = "the same"),
	COUNT("least_inherited_private_bytes", least_unshared_bytes, .note = "of the worker with the least"),
	COUNT("least_new_bytes", least_new_bytes, .note = "of the worker with the least"),
	COUNT("least_unknown_origin_bytes", least_unknown_origin_bytes, OLDER,
	      .note = "of the worker with the least"),
};
static const struct shape pool_memory_shape = SHAPE_OF(pool_memory);
#undef S

#define S struct pool_moment
static const struct field pool_moment_fields[] = {
	COUNT("ns", ns, .note = "since the load began"),
	COUNT("bytes", bytes, .note = "Pss_Anon and swap of all members"),
};
static const struct shape pool_moment_shape = SHAPE_OF(pool_moment);
#undef S

#define S struct pool_sample
static const struct field pool_sample_fields[] = {
	OBJECT("ready", ready, pool_memory_shape, .note = "before the load"),
	OBJECT("loaded", loaded, pool_memory_shape, .note = "after the load"),
	COUNT("cpu_ns", cpu_ns, NULLABLE, .note = "of the pool, during the load and until it was idle"),
	COUNT("ksmd_ns", ksmd_ns, NULLABLE, .note = "CPU time of merging; null: none was done"),
	BOOL("unfinished", unfinished, .note = "pages were still being merged when the pool was measured"),
	COUNT("load_ns", load_ns, .note = "how long the load took"),
	COUNT("end_faults", end_faults, NULLABLE,
	      .note = "minor faults of all processes while the pool ended"),
	LIST("course", course, course_count, pool_moment_shape, OLDER,
	     .note = "memory while the load ran, by time"),
};
static const struct shape pool_sample_shape = SHAPE_OF(pool_sample);
#undef S

#define S struct pool_trial
static const struct field pool_trial_fields[] = {
	KEY("way", way, way_words),
	TEXT("failure", failure, NULLABLE, .note = "why it was not tried"),
	LIST("samples", samples, sample_count, pool_sample_shape, .lines = true,
	     .note = "by round"),
};
static const struct shape pool_trial_shape = SHAPE_OF(pool_trial);
#undef S

#define S struct pool_trials
static const struct field pool_trials_fields[] = {
	TEXT("load", load, .note = "for the shell"),
	VALUES("command", command, command_count, text_element, .note = "argv of the pool"),
	COUNT("rounds", rounds, .note = "asked for"),
	TEXT("restart", restart, NULLABLE, OLDER,
	     .note = "shell command that makes the pool restart its workers; null: not given"),
	COUNT("restart_ns", restart_ns, OLDER, .note = "interval between its runs; 0: no load ran"),
	LIST("ways", list, count, pool_trial_shape, .note = "the first is the unchanged pool"),
	LIST("advice", advice, advice_count, pool_advice_shape, .lines = true),
};
const struct shape pool_trials_shape = SHAPE_OF(pool_trials);
#undef S
