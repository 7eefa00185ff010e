// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/workers/workers.h"

static char *check_pages(const struct worker_pages *pages, int32_t pid)
{
	const struct worker_pages perhaps = { .unshared = pages->perhaps };
	uint64_t unshared = worker_pages__unshared(pages), copies = unshared + pages->unknown_origin;

	if (pages->own != unshared + pages->unknown_origin + pages->new + pages->file_private)
		return text__of("own_pages of process %d are not the sum of their parts", pid);
	if (pages->proven + pages->assumed != unshared)
		return text__of("inherited pages of process %d are not the sum of proven and assumed ones", pid);
	if (pages->perhaps.identical != ABSENT && worker_pages__unshared(&perhaps) != pages->unknown_origin)
		return text__of("pages of unknown origin of process %d are not the sum of their classes", pid);
	if (pages->plain_objects != ABSENT && pages->plain_objects + pages->collected_objects > copies)
		return text__of("process %d has more pages with objects than copies", pid);
	if (pages->repeated != ABSENT && pages->repeated > pages->new + pages->file_private)
		return text__of("process %d has more repeated pages than new ones", pid);
	if (pages->remapped > pages->shared || pages->merged > pages->shared)
		return text__of("process %d has more moved or merged pages than shared ones", pid);
	if (pages->count_words > pages->changed_words || pages->age_words > pages->changed_words)
		return text__of("process %d has more hints than changed words", pid);
	return NULL;
}

/* What older files do not have. */
static void forget_like(struct worker_pages *sum, const struct worker_pages *reported)
{
	sum->perhaps = reported->perhaps;
	sum->repeated = reported->repeated;
	sum->plain_objects = reported->plain_objects;
	sum->collected_objects = reported->collected_objects;
	sum->kept_plain = reported->kept_plain;
	sum->kept_objects = reported->kept_objects;
}

/* What is huge may be known of the whole alone. */
static char *check_worker(const struct worker *worker)
{
	struct worker_pages sum = { 0 };
	struct worker_pages reported = worker->pages;
	char *found = check_pages(&worker->pages, worker->pid);

	for (size_t i = 0; i < worker->mapping_count && !found; i++) {
		found = check_pages(&worker->mappings[i].pages, worker->pid);
		worker_pages__add(&sum, &worker->mappings[i].pages);
	}
	if (sum.huge == ABSENT || !worker->mapping_count)
		sum.huge = reported.huge;
	if (!worker->mapping_count)
		forget_like(&sum, &reported);
	if (!found && memcmp(&sum, &reported, sizeof(sum)))
		found = text__of("pages of process %d are not the sum of its mappings", worker->pid);
	return found;
}

static uint64_t sum_of_cross_check(const struct workers *workers)
{
	uint64_t sum = workers->has_master ? workers->master.counted_bytes : 0;

	for (size_t i = 0; i < workers->worker_count && sum != ABSENT; i++)
		sum = workers->workers[i].counted_bytes == ABSENT ? ABSENT : sum + workers->workers[i].counted_bytes;
	return sum;
}

static char *check_state(const struct workers *workers)
{
	char *found = NULL;

	for (size_t i = 0; i < workers->worker_count && !found; i++)
		found = check_worker(&workers->workers[i]);
	if (!found && workers->mergeable_bytes > workers->extra_bytes)
		found = text__of("\"mergeable_bytes\" exceeds \"extra_bytes\"");
	if (!found && workers->perhaps_extra_bytes != ABSENT &&
	    workers->mergeable_bytes + workers->perhaps_mergeable_bytes >
		    workers->extra_bytes + workers->perhaps_extra_bytes)
		found = text__of("the possibly mergeable bytes exceed the possibly extra bytes");
	if (!found && sum_of_cross_check(workers) != workers->cross_check.counted_bytes)
		found = text__of("\"cross_check\" is not the sum of the counts of the members");
	if (!found && workers__cross_check_matches(workers) != workers->cross_check.matches)
		found = text__of("\"matches\" of \"cross_check\" contradicts its counts");
	return found;
}

/* Of a member that was read at both ends. */
static bool is_settled(const struct flow_member *member)
{
	return member->shared_before + member->newly_shared ==
	       member->shared_after + member->copied + member->last_owner + member->unmapped + member->unexplained;
}

static char *check_member(const struct flow_member *member, uint64_t copies)
{
	if (member->copies != copies)
		return text__of("\"copies\" of process %d is not the number of listed copies", member->pid);
	if (member->shared_before != ABSENT && member->shared_after != ABSENT && !is_settled(member))
		return text__of("the shared pages of process %d do not add up from start to end", member->pid);
	return NULL;
}

static char *check_flow(const struct workers_flow *flow)
{
	autofree uint64_t *by_member = checked_calloc(flow->member_count, sizeof(*by_member));
	autofree uint64_t *by_writer = checked_calloc(flow->writer_count, sizeof(*by_writer));
	char *found = flow->member_count ? NULL : text__of("the flow has no members");

	for (size_t i = 0; i < flow->copy_count; i++) {
		by_member[flow->copies[i].member]++;
		by_writer[flow->copies[i].writer]++;
		if (i && flow->copies[i].ns < flow->copies[i - 1].ns && !found)
			found = text__of("copies are not in order of time");
	}
	for (size_t i = 0; i < flow->member_count && !found; i++)
		found = check_member(&flow->members[i], by_member[i]);
	for (size_t i = 0; i < flow->writer_count && !found; i++)
		if (flow->writers[i].copies != by_writer[i])
			found = text__of("\"copies\" of a writer is not the number of listed copies");
	if (!found && workers_flow__cross_check_matches(flow) != flow->cross_check.matches)
		found = text__of("\"matches\" of \"cross_check\" of the flow contradicts their counts");
	return found;
}

char *workers__contradiction(const struct workers *workers)
{
	char *found = workers->has_state ? check_state(workers) : NULL;

	if (!found && !workers->has_state && !workers->flow)
		found = text__of("there is neither a state nor a flow");
	return found || !workers->flow ? found : check_flow(workers->flow);
}
