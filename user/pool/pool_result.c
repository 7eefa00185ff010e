// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_result.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

/* A mapping of a member that has something to count. */
struct use {
	const struct pool_vma *vma;
	const struct pool_member *member;
	uint32_t mapping; /* in the result */
};

struct uses {
	struct use *list;
	size_t count;
};

static bool is_reported(const struct pool_member *member)
{
	return !member->gone;
}

static void gather(struct uses *uses, const struct pool_member *member)
{
	for (size_t i = 0; i < member->maps.count; i++) {
		if (member->maps.list[i].row == NO_ROW)
			continue;
		uses->list = checked_grow(uses->list, uses->count, sizeof(*uses->list));
		uses->list[uses->count++] = (struct use){ .vma = &member->maps.list[i], .member = member };
	}
}

static int by_place(const void *left, const void *right)
{
	const struct pool_vma *a = ((const struct use *)left)->vma;
	const struct pool_vma *b = ((const struct use *)right)->vma;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static int by_member(const void *left, const void *right)
{
	const struct use *a = left, *b = right;

	if (a->member != b->member)
		return a->member < b->member ? -1 : 1;
	return a->mapping < b->mapping ? -1 : a->mapping > b->mapping;
}

static void add_mapping(struct workers *workers, const struct pool_vma *vma, const struct texts *names)
{
	const char *name = names->list[vma->name];
	struct pool_mapping *mapping;

	workers->mappings = checked_grow(workers->mappings, workers->mapping_count, sizeof(*workers->mappings));
	mapping = &workers->mappings[workers->mapping_count++];
	*mapping = (struct pool_mapping){
		.start = vma->start,
		.end = vma->end,
		.offset = vma->offset,
		.name = *name ? checked_strdup(name) : NULL,
	};
}

/* Gives each mapping of the pool a number, and each worker its uses in their order. */
static void number_mappings(struct workers *workers, struct uses *uses, const struct texts *names)
{
	qsort(uses->list, uses->count, sizeof(*uses->list), by_place);
	for (size_t i = 0; i < uses->count; i++) {
		const struct pool_vma *vma = uses->list[i].vma;
		struct pool_mapping *last;

		if (!i || by_place(&uses->list[i - 1], &uses->list[i]))
			add_mapping(workers, vma, names);
		last = &workers->mappings[workers->mapping_count - 1];
		last->end = vma->end > last->end ? vma->end : last->end;
		uses->list[i].mapping = workers->mapping_count - 1;
	}
	qsort(uses->list, uses->count, sizeof(*uses->list), by_member);
}

static void take_mappings(struct worker *worker, const struct pool_member *member, const struct use *uses, size_t count)
{
	worker->mappings = checked_calloc(count, sizeof(*worker->mappings));
	worker->mapping_count = count;
	for (size_t i = 0; i < count; i++)
		worker->mappings[i] = (struct worker_mapping){
			.mapping = uses[i].mapping,
			.pages = member->rows[uses[i].vma->row],
		};
}

static void take_member(struct worker *worker, const struct pool_member *member, const struct page_survey *survey)
{
	const struct frames *frames = survey->frames;
	const bool counts = frames->seen && frames->counts.fd >= 0;

	*worker = (struct worker){
		.pid = member->process.pid,
		.parent = member->process.parent,
		.name = checked_strdup(member->process.name),
		.age_ns = pool_process__age(&member->process),
		.pss_anon_bytes = member->rollup.pss_anon,
		.pss_file_bytes = member->rollup.pss_file,
		.pss_shmem_bytes = member->rollup.pss_shmem,
		.swap_pss_bytes = member->rollup.swap_pss,
		.rss_anon_bytes = member->rss.anon,
		.rss_file_bytes = member->rss.file,
		.rss_shmem_bytes = member->rss.shmem,
		.counted_bytes = counts ? member->counted >> 12 : ABSENT,
	};
	for (size_t i = 0; i < member->row_count; i++)
		worker_pages__add(&worker->pages, &member->rows[i]);
	if (worker->pages.huge == ABSENT && member->rollup.huge != ABSENT)
		worker->pages.huge = member->rollup.huge / page_bytes; /* the kernel's sum */
}

static void take_members(struct workers *workers, const struct pool_reading *reading)
{
	const struct page_survey *survey = &reading->survey;
	struct uses uses = { 0 };
	size_t at = 0;

	workers->workers = checked_calloc(survey->member_count, sizeof(*workers->workers));
	if (survey->has_master)
		take_member(&workers->master, &survey->members[0], survey);
	for (size_t i = survey->has_master; i < survey->member_count; i++)
		if (is_reported(&survey->members[i]))
			gather(&uses, &survey->members[i]);
	number_mappings(workers, &uses, &reading->names);
	for (size_t i = survey->has_master; i < survey->member_count; i++) {
		const struct pool_member *member = &survey->members[i];
		size_t first = at;

		if (!is_reported(member))
			continue;
		while (at < uses.count && uses.list[at].member == member)
			at++;
		take_member(&workers->workers[workers->worker_count], member, survey);
		take_mappings(&workers->workers[workers->worker_count++], member, &uses.list[first], at - first);
	}
	free(uses.list);
}

static uint64_t plus(uint64_t sum, uint64_t bytes)
{
	return sum == ABSENT || bytes == ABSENT ? ABSENT : sum + bytes;
}

static void add_cross_check(struct workers_cross_check *cross_check, const struct worker *worker)
{
	cross_check->pss_anon_bytes = plus(cross_check->pss_anon_bytes, worker->pss_anon_bytes);
	cross_check->counted_bytes = plus(cross_check->counted_bytes, worker->counted_bytes);
	cross_check->pss_file_bytes = plus(cross_check->pss_file_bytes, worker->pss_file_bytes);
	cross_check->pss_shmem_bytes = plus(cross_check->pss_shmem_bytes, worker->pss_shmem_bytes);
	cross_check->swap_pss_bytes = plus(cross_check->swap_pss_bytes, worker->swap_pss_bytes);
}

static void cross_check_sums(struct workers *workers)
{
	if (workers->has_master)
		add_cross_check(&workers->cross_check, &workers->master);
	for (size_t i = 0; i < workers->worker_count; i++)
		add_cross_check(&workers->cross_check, &workers->workers[i]);
	workers->cross_check.matches = workers__cross_check_matches(workers);
}

static void note_sums(struct workers *workers, const struct page_survey *survey)
{
	for (size_t i = 0; i < survey->member_count; i++) {
		if (!survey->members[i].not_summed)
			continue;
		workers__miss(workers, "what files and shared memory add to the PSS of large members",
			      "smaps_rollup was not read: while the kernel sums up a mapping of more than 1 GiB nobody "
			      "can map memory there, and more than 32 GiB together take seconds. PSS is that of "
			      "anonymous memory, by its pages, and is compared with the kernel's counters (RssAnon)",
			      NULL);
		return;
	}
}

static void note_contents(struct workers *workers, const struct page_survey *survey)
{
	for (size_t i = 0; i < survey->member_count; i++) {
		if (survey->members[i].memory >= 0)
			continue;
		workers__miss(workers, "contents of pages", "/proc/PID/mem of a member may not be read",
			      "run as root, or kernel.yama.ptrace_scope=0 for processes of one's "
			      "own");
		return;
	}
}

static double bytes_of(uint64_t pages)
{
	return (double)pages * page_bytes;
}

static void note_master(struct workers *workers)
{
	autofree char *what = NULL, *why = NULL;

	if (workers->has_master)
		return;
	what = text__of("the master of these %zu workers, and what it had", workers->worker_count);
	why = text__of("all of them were forked, and not from one that is left: it has ended, or executes "
		       "another program. They are compared with the largest group that shares a page, and "
		       "where nobody shares it with the oldest worker that has one");
	workers__miss(workers, what, why, NULL);
}

static void note_origin(struct workers *workers)
{
	const double bytes = bytes_of(workers__sum(workers).unknown_origin);
	const bool is_small = bytes < 1 << 20; /* a page or two would be 0.0 MiB */
	autofree char *what = NULL;

	if (bytes == 0)
		return;
	what = text__of("whether %.*f %s that workers have for themselves were inherited", is_small ? 0 : 1,
			bytes / (is_small ? 1 << 10 : 1 << 20), is_small ? "KiB" : "MiB");
	workers__miss(workers, what,
		      workers->has_master ?
			      "the master has memory at the same addresses, and nothing of these mappings is "
			      "shared any more; what all of them have mapped since the fork looks the same" :
			      "others have memory at the same addresses, and nothing of these mappings is "
			      "shared any more; what all of them have mapped since the fork looks the same",
		      "a watch from the first fork on shows what is copied since (forktax workers COMMAND)");
}

static void note_gaps(struct workers *workers, const struct pool_reading *reading)
{
	const struct frames *frames = reading->survey.frames;
	const bool scans = reading->survey.can_scan;

	note_master(workers);
	note_origin(workers);
	if (!frames->seen)
		workers__miss(workers, "who shares a frame with whom",
			      "numbers of frames need CAP_SYS_ADMIN: \"shared\" is what the page "
			      "map does not call exclusive, and may be with somebody outside the "
			      "pool",
			      "run as root");
	if (!frames->seen)
		workers__miss(workers, "huge pages of 2 MiB",
			      "of these the page map's bit is wrong: they are counted as unknown", "run as root");
	if (!frames->seen && !scans)
		workers__miss(workers, "the zero page",
			      "without PAGEMAP_SCAN and numbers of frames it looks like shared "
			      "memory",
			      "run as root, or Linux 6.7");
	if (frames->seen && frames->counts.fd < 0)
		workers__miss(workers, "the cross-check", "/proc/kpagecount may not be read", "run as root");
	if (frames->seen && frames->merging && frames->flags.fd < 0)
		workers__miss(workers, "merged pages", "/proc/kpageflags may not be read", "run as root");
	if (reading->survey.remapped_full)
		workers__miss(workers, "frames shared at other addresses",
			      "more than 524288 pages had to be searched", NULL);
	if (reading->survey.new_is_much)
		workers__miss(workers, "whether new memory beyond the first 4 GiB is the same in other workers",
			      "to read more would take long", NULL);
	note_sums(workers, &reading->survey);
	note_contents(workers, &reading->survey);
}

struct workers *pool_result__of(const struct pool_reading *reading)
{
	struct workers *workers = workers__new();
	struct worker_pages sum;

	workers->started = reading->started;
	workers->look_ns = reading->look_ns;
	workers->witness = reading->survey.frames->seen ? WITNESS_FRAMES : WITNESS_EXCLUSIVE;
	workers->has_master = reading->survey.has_master;
	take_members(workers, reading);
	sum = workers__sum(workers);
	workers->extra_bytes = reading->survey.extra;
	workers->mergeable_bytes = reading->survey.mergeable;
	workers->perhaps_extra_bytes = reading->survey.perhaps_extra;
	workers->perhaps_mergeable_bytes = reading->survey.perhaps_mergeable;
	workers->repeated_bytes = reading->survey.repeated;
	workers->at_least = workers->witness != WITNESS_FRAMES || sum.unshared.unread || sum.perhaps.unread;
	cross_check_sums(workers);
	workers->born = reading->born;
	workers->ended = reading->ended;
	workers->unreadable = reading->found->unreadable + reading->unreadable;
	workers->executed = reading->found->executed;
	note_gaps(workers, reading);
	return workers;
}
