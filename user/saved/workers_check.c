// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "saved/check.h"

static char *check_pages(const struct worker_pages *pages, int32_t pid)
{
	uint64_t unshared = worker_pages__unshared(pages);
	uint64_t recorded = pages->recorded == ABSENT ? 0 : pages->recorded;

	if (pages->own != unshared + pages->unknown_origin + pages->new + pages->file_private)
		return text__of("own_pages of process %d are not the sum of their parts", pid);
	if (recorded + pages->shown + pages->presumed != unshared)
		return text__of("inherited pages of process %d are not the sum of their strengths", pid);
	if (pages->moved > pages->shared || pages->merged > pages->shared)
		return text__of("process %d has more moved or merged pages than shared ones", pid);
	if (pages->count_words > pages->changed_words || pages->age_words > pages->changed_words)
		return text__of("process %d has more hints than changed words", pid);
	return NULL;
}

/* What is huge may be known of the whole alone. */
static char *check_worker(const struct worker *worker)
{
	struct worker_pages sum = { .recorded = worker->mapping_count ? 0 : ABSENT };
	struct worker_pages told = worker->pages;
	char *found = check_pages(&worker->pages, worker->pid);

	for (size_t i = 0; i < worker->mapping_count && !found; i++) {
		found = check_pages(&worker->mappings[i].pages, worker->pid);
		worker_pages__add(&sum, &worker->mappings[i].pages);
	}
	if (sum.huge == ABSENT || !worker->mapping_count)
		sum.huge = told.huge;
	if (!found && memcmp(&sum, &told, sizeof(sum)))
		found = text__of("pages of process %d are not the sum of its mappings", worker->pid);
	return found;
}

static bool is_closed(const struct workers *workers)
{
	const struct workers_books *books = &workers->books;
	uint64_t slack = 1024 * (workers->worker_count + 1);

	if (books->pss_anon_bytes == ABSENT || books->counted_bytes == ABSENT)
		return false;
	return books->counted_bytes <= books->pss_anon_bytes + slack &&
	       books->pss_anon_bytes <= books->counted_bytes + slack;
}

static uint64_t sum_of_books(const struct workers *workers)
{
	uint64_t sum = workers->master.counted_bytes;

	for (size_t i = 0; i < workers->worker_count && sum != ABSENT; i++)
		sum = workers->workers[i].counted_bytes == ABSENT ?
			      ABSENT : sum + workers->workers[i].counted_bytes;
	return sum;
}

char *workers__contradiction(const struct workers *workers)
{
	char *found = NULL;

	for (size_t i = 0; i < workers->worker_count && !found; i++)
		found = check_worker(&workers->workers[i]);
	if (!found && workers->mergeable_bytes > workers->extra_bytes)
		found = text__of("more is mergeable than there is extra");
	if (!found && sum_of_books(workers) != workers->books.counted_bytes)
		found = text__of("the books are not the sum of what was counted of the members");
	if (!found && is_closed(workers) != workers->books.closed)
		found = text__of("the books do not say rightly whether they are closed");
	return found;
}
