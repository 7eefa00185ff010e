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

	return classes->identical + classes->few_words + classes->different + classes->unstable + classes->unread;
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

/* The largest of the members'; `place` is that of the bytes in struct worker. ABSENT: nothing is known. */
static uint64_t most_of(const struct workers *workers, size_t place)
{
	uint64_t most = ABSENT;

	for (size_t i = 0; i < workers__member_count(workers); i++) {
		const uint64_t bytes = *(const uint64_t *)((const char *)member_at(workers, i) + place);

		if (bytes != ABSENT && (most == ABSENT || bytes > most))
			most = bytes;
	}
	return most;
}

/* Shared memory of the pool, each page once: its share of all mappings, or what the member with most has. */
static uint64_t workers__shmem(const struct workers *workers)
{
	const uint64_t sum = workers->cross_check.pss_shmem_bytes;

	return sum == ABSENT ? most_of(workers, offsetof(struct worker, rss_shmem_bytes)) : sum;
}

static uint64_t known(uint64_t count)
{
	return count == ABSENT ? 0 : count;
}

/*
 * A collector that has run over all leaves hardly any page of its objects shared (2 to 11 of 4 KiB in trials); of what
 * Python makes at its start nobody reads 200 such pages. Of a large heap 1 to 2 % stay: what lies in freed memory still
 * looks like such objects.
 */
enum { KEPT_MOST = 256 << 10 /* bytes */, COLLECTED_EACH_KEPT = 32 };

/*
 * The collector does not write to objects without its header: so many of these as were copied were used, and as many of
 * the others. Where less than half was used, that is the program's own code and what it needs to run, and no data.
 */
static void add_writers(struct workers_writers *writers, const struct worker_pages *pages, uint64_t page_bytes)
{
	const bool has_run = pages->kept_objects * page_bytes <= KEPT_MOST ||
			     pages->kept_objects * COLLECTED_EACH_KEPT <= pages->collected_objects;
	const uint64_t used = pages->plain_objects + (has_run ? 0 : pages->collected_objects);
	const uint64_t kept = pages->kept_plain + (has_run ? 0 : pages->kept_objects);
	uint64_t collector = has_run ? pages->collected_objects : 0;

	if (used)
		collector = collector * kept / (used + kept);
	writers->collector += collector * page_bytes;
	if (used >= kept)
		writers->counts += (pages->plain_objects + pages->collected_objects - collector) * page_bytes;
}

struct workers_writers workers__python_writers(const struct workers *workers)
{
	struct workers_writers writers = { 0 };

	for (size_t i = 0; i < workers->worker_count; i++)
		if (workers->workers[i].pages.kept_plain != ABSENT) /* of an older file */
			add_writers(&writers, &workers->workers[i].pages, workers->machine.page_bytes);
	return writers;
}

uint64_t workers__pss_anon(const struct workers *workers)
{
	const struct workers_cross_check *sums = &workers->cross_check;

	return sums->pss_anon_bytes == ABSENT ? sums->counted_bytes : sums->pss_anon_bytes;
}

/* All anonymous memory but what each worker has of its own. */
static uint64_t anon_once(const struct workers *workers, uint64_t own)
{
	const uint64_t anon = workers__pss_anon(workers);

	return anon == ABSENT ? ABSENT : anon > own ? anon - own : 0;
}

struct workers_cost workers__cost(const struct workers *workers)
{
	const struct worker_pages sum = workers__sum(workers);
	const uint64_t count = workers->worker_count ? workers->worker_count : 1, page = workers->machine.page_bytes;
	const uint64_t copies = worker_pages__unshared(&sum) + sum.unknown_origin, new = sum.new + sum.file_private;
	const uint64_t same = sum.unshared.identical + known(sum.perhaps.identical);
	const uint64_t files = workers->cross_check.pss_file_bytes;

	return (struct workers_cost){
		.files = files == ABSENT ? most_of(workers, offsetof(struct worker, rss_file_bytes)) : files,
		.shmem = workers__shmem(workers),
		.anon = anon_once(workers, sum.own * page),
		.is_estimate = files == ABSENT || workers->cross_check.pss_shmem_bytes == ABSENT,
		.same = same * page / count,
		.changed = (copies - same) * page / count,
		.repeated = known(sum.repeated) * page / count,
		.new = (new - known(sum.repeated)) * page / count,
		.unknown = sum.unknown * page / count,
	};
}

uint64_t workers_cost__once(const struct workers_cost *cost)
{
	return known(cost->files) + known(cost->shmem) + known(cost->anon);
}

uint64_t workers_cost__each(const struct workers_cost *cost)
{
	return cost->same + cost->changed + cost->repeated + cost->new;
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

uint64_t workers__change(const struct workers *workers)
{
	const uint64_t counted = workers->cross_check.counted_bytes, summed = workers->cross_check.pss_anon_bytes;

	if (counted == ABSENT || summed == ABSENT)
		return ABSENT;
	return counted > summed ? counted - summed : summed - counted;
}

bool workers__is_exact(const struct workers *workers)
{
	return workers->witness == WITNESS_FRAMES && workers->has_master && workers->cross_check.matches &&
	       !workers->born && !workers->ended && !workers->unreadable;
}
