// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/workers/workers_advice.h"

#include <string.h>

#include "advice/rule.h"
#include "advice/workers/rules_workers.h"
#include "base/memory.h"
#include "model/run/run_fields.h"

/* Has a file of this name, of whatever version? */
static bool maps_file(const struct workers *workers, const char *name)
{
	bool found = false;

	for (size_t i = 0; i < workers->mapping_count && !found; i++) {
		const char *path = workers->mappings[i].name;

		found = path && *path == '/' && !strncmp(text__file_name(path), name, strlen(name));
	}
	return found;
}

/* Less memory than that, in bytes, is not worth a word: 2 % of the pool, at least 1 MiB. */
static uint64_t worth_of(const struct workers *workers)
{
	const uint64_t anon = workers__pss_anon(workers), swap = workers->cross_check.swap_pss_bytes;
	const uint64_t bytes = (anon == ABSENT ? 0 : anon) + (swap == ABSENT ? 0 : swap);
	const uint64_t least = 1 << 20;

	return bytes / 50 > least ? bytes / 50 : least;
}

void workers_advice__find(struct workers *workers)
{
	const struct worker_pages sum = workers__sum(workers);
	const struct pool_subject subject = {
		.state = workers,
		.flow = workers->flow,
		.sum = &sum,
		.worth = worth_of(workers),
		.writers = workers__python_writers(workers),
		.ruby = maps_file(workers, "libruby") || maps_file(workers, "ruby"),
		.php = maps_file(workers, "libphp") || maps_file(workers, "php"),
		.program = workers->has_master ? workers->master.name : NULL,
	};
	const struct rule_question question = { .about = ABOUT_WORKERS, .subject = &subject, .group = NO_GROUP };

	rules__ask(&question, &workers->advice, &workers->advice_count);
	for (size_t i = 0; i < workers->advice_count; i++)
		workers->advice[i].by_hand = checked_strdup(advice__way(&workers->advice[i]));
}
