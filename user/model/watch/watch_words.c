// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/watch/watch_words.h"

#define FORK_BOUND(ns, seconds) seconds,
const char *const watch_fork_bound_keys[WATCH_FORK_BUCKETS + 1] = {
#include "fork_bounds.def"
	"+Inf",
};
#undef FORK_BOUND

#define FORK_BOUND(ns, seconds) +1
_Static_assert(0
#include "fork_bounds.def"
	== WATCH_FORK_BUCKETS, "a row for each bucket that has a bound");
#undef FORK_BOUND

const char *const watch_level_keys[WATCH_LEVELS] = {
	[WATCH_CLASSES] = "classes",
	[WATCH_TOTALS] = "totals",
};

const char *const watch_fate_keys[WATCH_FATES] = {
	[WATCH_EXECED] = "exec",
	[WATCH_ENDED] = "no_exec",
};
