// SPDX-License-Identifier: GPL-2.0-or-later
/* What follows from the counts of a pool. */
#include "model/workers/workers.h"

#include "base/page.h"

const char *const workers_witness_keys[WITNESS_COUNT] = {
	[WITNESS_FRAMES] = "frames",
	[WITNESS_EXCLUSIVE] = "exclusive",
};

/* The struct holds nothing but counts. */
enum { COUNTS = sizeof(struct worker_pages) / sizeof(uint64_t) };

void worker_pages__add(struct worker_pages *sum, const struct worker_pages *pages)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)pages;

	for (int i = 0; i < COUNTS; i++)
		to[i] = to[i] == ABSENT || from[i] == ABSENT ? ABSENT : to[i] + from[i];
}

void worker_pages__scale(struct worker_pages *pages, uint64_t factor)
{
	uint64_t *counts = (uint64_t *)pages;

	for (int i = 0; i < COUNTS; i++)
		counts[i] = counts[i] == ABSENT ? ABSENT : counts[i] * factor;
}

size_t workers__member_count(const struct workers *workers)
{
	return workers->worker_count + workers->has_master;
}

static const struct worker *member_at(const struct workers *workers, size_t index)
{
	if (workers->has_master && !index)
		return &workers->master;
	return &workers->workers[index - workers->has_master];
}

int32_t workers__member_pid(const struct workers *workers, size_t index)
{
	return member_at(workers, index)->pid;
}

struct worker_pages workers__sum(const struct workers *workers)
{
	struct worker_pages sum = { 0 };

	for (size_t i = 0; i < workers->worker_count; i++)
		worker_pages__add(&sum, &workers->workers[i].pages);
	return sum;
}

uint64_t worker_pages__unshared(const struct worker_pages *pages)
{
	const struct page_classes *classes = &pages->unshared;

	return classes->identical + classes->few_words + classes->different + classes->unstable +
	       classes->unread;
}

uint64_t worker_pages__inherited(const struct worker_pages *pages)
{
	return pages->shared - pages->merged + worker_pages__unshared(pages);
}

/* Present anonymous pages. */
static uint64_t present_bytes(const struct workers *workers, const struct worker_pages *pages)
{
	return (pages->shared + pages->own + pages->unknown) * workers->machine.page_bytes;
}

uint64_t worker__pss_anon(const struct worker *worker)
{
	return worker->pss_anon_bytes == ABSENT ? worker->counted_bytes : worker->pss_anon_bytes;
}

uint64_t worker__rss(const struct worker *worker)
{
	if (worker->rss_anon_bytes == ABSENT || worker->rss_file_bytes == ABSENT || worker->rss_shmem_bytes == ABSENT)
		return ABSENT;
	return worker->rss_anon_bytes + worker->rss_file_bytes + worker->rss_shmem_bytes;
}

uint64_t worker__pss(const struct worker *worker)
{
	if (worker->pss_anon_bytes == ABSENT || worker->pss_file_bytes == ABSENT || worker->pss_shmem_bytes == ABSENT)
		return ABSENT;
	return worker->pss_anon_bytes + worker->pss_file_bytes + worker->pss_shmem_bytes;
}

uint64_t workers__shmem(const struct workers *workers)
{
	uint64_t most = ABSENT;

	for (size_t i = 0; i < workers__member_count(workers); i++) {
		const uint64_t bytes = member_at(workers, i)->rss_shmem_bytes;

		if (bytes != ABSENT && (most == ABSENT || bytes > most))
			most = bytes;
	}
	return workers->cross_check.pss_shmem_bytes == ABSENT ? most : workers->cross_check.pss_shmem_bytes;
}

bool workers__cross_check_matches(const struct workers *workers)
{
	const size_t count = workers__member_count(workers);
	const uint64_t slack = 1024 * count;
	uint64_t counted = 0, summed = 0;

	for (size_t i = 0; i < count; i++) {
		const struct worker *member = member_at(workers, i);

		if (member->counted_bytes == ABSENT)
			return false;
		if (member->pss_anon_bytes == ABSENT) {
			if (present_bytes(workers, &member->pages) != member->rss_anon_bytes)
				return false;
			continue;
		}
		counted += member->counted_bytes;
		summed += member->pss_anon_bytes;
	}
	return counted <= summed + slack && summed <= counted + slack;
}

bool workers__is_exact(const struct workers *workers)
{
	return workers->witness == WITNESS_FRAMES && workers->has_master &&
	       workers->cross_check.matches && !workers->born && !workers->ended &&
	       !workers->unreadable; /* of a sample there is no cross-check */
}
