// SPDX-License-Identifier: GPL-2.0-or-later
/* W7: pages with few changed words, and no hint says what changed them. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

/* Is there an arena but the first? glibc (malloc/arena.c) maps these at multiples of their largest size. */
static bool has_arenas(const struct workers *workers)
{
	const uint64_t largest = 64 << 20;
	bool found = false;

	for (size_t i = 0; i < workers->mapping_count; i++)
		found |= !workers->mappings[i].name && workers->mappings[i].start % largest == 0;
	return found;
}

bool rule__w07_allocator(const struct pool_subject *subject, struct advice *advice)
{
	const struct worker_pages *sum = subject->sum;
	const uint64_t page_bytes = subject->state->machine.page_bytes;
	const uint64_t few = with_perhaps(sum->unshared.few_words, sum->perhaps.few_words) * page_bytes;
	const uint64_t explained = sum->count_words + sum->age_words;

	if (!subject->glibc || !has_arenas(subject->state) || few < subject->worth ||
	    2 * explained > sum->changed_words || subject__shows_ages(subject))
		return false;
	advice->evidence = text__of(
		"In %s of the workers' copies only 1 to 8 of %llu words differ from the "
		"master's. Most of these words are neither reference counts nor ages of objects: the "
		"allocator's free lists look so, and so do small writes of the program.", quantity__size(few).text,
		(unsigned long long)(page_bytes / sizeof(uint64_t)));
	advice->action = text__of("Use fewer arenas (MALLOC_ARENA_MAX=1), so that threads write to fewer "
				  "pages; call malloc_trim(0) before the fork, which gives free pages back.");
	advice->predicted_bytes = saving__up_to(few);
	return true;
}
