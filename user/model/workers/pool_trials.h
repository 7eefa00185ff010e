/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A pool that was run under its user's own load: as it is, and with each remedy that needs no change
 * of the program. docs/use/workers.md lists the rules and the ways.
 */
#ifndef FORKTAX_MODEL_WORKERS_POOL_TRIALS_H
#define FORKTAX_MODEL_WORKERS_POOL_TRIALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/rows/absent.h"
#include "model/advice/advised.h"

/* How the pool was run. */
enum pool_way {
#define POOL_WAY(name, ...) POOL_##name,
#include "model/workers/pool_ways.def"
#undef POOL_WAY
	POOL_WAYS
};
extern const char *const pool_way_keys[POOL_WAYS], *const pool_way_words[POOL_WAYS];
extern const char *const pool_way_settings[POOL_WAYS]; /* "NAME=VALUE"; NULL: none */

/* The pool, all members together, at one moment. Bytes; ABSENT: not known. */
struct pool_memory {
	uint64_t pss_anon_bytes, swap_pss_bytes, pss_file_bytes, pss_shmem_bytes; /* the kernel's sums */
	uint64_t extra_bytes, mergeable_bytes;
	uint64_t perhaps_extra_bytes; /* more, with pages of unknown origin */
	/* Of all workers. */
	uint64_t workers, shared_bytes, unshared_bytes, new_bytes, unknown_origin_bytes;
	/* Of what was shared before the load, by its frames; ABSENT: not known, and before it. */
	uint64_t copied_bytes, copied_by_master_bytes; /* by all workers; by the master */
	/* What each worker has at least: the least of them. */
	uint64_t least_unshared_bytes, least_new_bytes, least_unknown_origin_bytes;
};

/* The memory of all members at a moment of the load: Pss_Anon and swap. */
struct pool_moment {
	uint64_t ns; /* since the load began */
	uint64_t bytes;
};

/* One run: its start, the load, and what it came to. */
struct pool_sample {
	struct pool_memory ready; /* before the load */
	struct pool_memory loaded; /* after it */
	uint64_t cpu_ns; /* of the pool, during the load and until it was idle; ABSENT: not known */
	uint64_t ksmd_ns; /* of the kernel's thread that merges, until it was done; ABSENT: it was idle */
	bool unfinished; /* merging went on when the pool was looked at */
	uint64_t load_ns;
	uint64_t end_faults; /* minor faults of all processes while it ended; ABSENT: not known */
	struct pool_moment *course; /* by time */
	size_t course_count;
};

/* All runs of one way. */
struct pool_trial {
	enum pool_way way;
	char *failure; /* why it could not be tried, or not any more; NULL: it could */
	struct pool_sample *samples; /* by round */
	size_t sample_count;
};

struct pool_trials {
	char *load; /* for the shell */
	char **command; /* argv */
	size_t command_count;
	uint64_t rounds; /* asked for */
	char *restart; /* shell command that restarts the workers; NULL: not given */
	uint64_t restart_ns; /* how far apart: a quarter of the first load; 0: none ran */
	struct pool_trial *list; /* the first: as it is */
	size_t count;
	struct advice *advice; /* in the order of the rules */
	size_t advice_count;
};

/* Less memory than that, in bytes, is not worth a word: 2 % of the pool after the load, at least 1 MiB. */
double pool_trials__worth(const struct pool_trials *trials);
/* Of one way; NULL: was not tried. */
const struct pool_trial *pool_trials__find(const struct pool_trials *trials, enum pool_way way);
/* Beyond one page per address, whether inherited or not. */
uint64_t pool_memory__extra(const struct pool_memory *memory);
/* Memory on average over time, while the load ran; NAN: not known. */
double pool_sample__mean(const struct pool_sample *sample);
/* What merging, copying and new memory act upon: Pss_Anon and swap. ABSENT: not known. */
uint64_t pool_memory__bytes(const struct pool_memory *memory);

#endif
