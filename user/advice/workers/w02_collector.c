// SPDX-License-Identifier: GPL-2.0-or-later
/* W2: a cycle of Python's collector writes to the header of each object, and back. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

/*
 * Copies with objects that the collector writes to, of workers that share few such pages: where it has run over all, it
 * has written to all. ABSENT: of an older file.
 */
static uint64_t collected_pages(const struct workers *workers)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < workers->worker_count; i++) {
		const struct worker_pages *pages = &workers->workers[i].pages;

		if (pages->collected_objects == ABSENT)
			return ABSENT;
		sum += 2 * pages->kept_objects <= pages->collected_objects ? pages->collected_objects : 0;
	}
	return sum;
}

bool rule__w02_collector(const struct pool_subject *subject, struct advice *advice)
{
	const struct page_classes *sure = &subject->sum->unshared, *perhaps = &subject->sum->perhaps;
	const uint64_t same = (with_perhaps(sure->identical, perhaps->identical) +
			       with_perhaps(sure->few_words, perhaps->few_words)) * subject->state->machine.page_bytes;
	const struct workers *state = subject->state;
	const uint64_t page_bytes = state->machine.page_bytes, pages = collected_pages(state);
	const uint64_t extra = with_perhaps(state->extra_bytes, state->perhaps_extra_bytes);
	const uint64_t collected = pages == ABSENT || pages * page_bytes > extra ? extra : pages * page_bytes;

	if (!subject->python || same < subject->worth || subject__clears_collector(subject) ||
	    subject__shows_reading(subject) || (pages != ABSENT && pages * page_bytes < subject->worth))
		return false;
	advice->evidence = text__of("Workers run Python. %s of their copies equal the master's page, or differ "
				    "in a few words: the garbage collector causes that, and so do reference counts. ",
				    quantity__size(same).text);
	if (subject->copied && 2 * subject->collected >= subject->copied)
		text__replace(&advice->evidence,
			      "%sWhile it was watched, the collector copied %s of %s that Python copied in workers.",
			      advice->evidence, quantity__size(subject->collected * page_bytes).text,
			      quantity__size(subject->copied * page_bytes).text);
	else
		text__replace(&advice->evidence, "%sThe pages do not show which of them it was.", advice->evidence);
	advice->action = text__of("Call gc.freeze() in the master before it forks: the collector then "
				  "ignores the objects that exist already.");
	advice->predicted_bytes = saving__up_to(collected);
	return true;
}
