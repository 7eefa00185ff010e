// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/bisect.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "base/text.h"
#include "pool/page_survey.h"
#include "pool/pool_members.h"
#include "pool/pool_result.h"

/* Two descriptors for each member. */
static void allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Reads where the member has pages. False: it has ended, or may not be read. */
static bool open_member(struct pool_member *member, const struct pool_process *process, struct texts *names)
{
	*member = (struct pool_member){
		.process = *process,
		.pagemap = procfs__open_fd(process->pid, "pagemap", O_RDONLY),
		.memory = procfs__open_fd(process->pid, "mem", O_RDONLY),
	};
	if (member->pagemap < 0 || !pool_maps__read(&member->maps, process->pid, names))
		return false;
	for (size_t i = 0; i < member->maps.count; i++)
		member->maps.list[i].row = NO_ROW;
	return true;
}

/* Reads the kernel's sums, if that does no harm, or whatever it does (`always`). */
static void sum_up(struct pool_member *member, const struct pool_reading *reading)
{
	member->rss = rss__of(member->process.pid);
	member->not_summed = reading->too_much || !rollup__is_quick(&member->rss, member->runs.most * WINDOW_PAGES);
	if (member->not_summed)
		member->rollup = rollup__none();
	else
		rollup__read(&member->rollup, member->process.pid);
}

/* Where the member has pages, and whether some of them are huge. */
static void find_pages(struct pool_member *member, const struct pool_reading *reading)
{
	page_scan__find(member->pagemap, reading->survey.can_scan, &member->maps, &member->runs);
	member->may_be_huge = member->runs.huge;
	if (reading->survey.can_scan)
		return;
	sum_up(member, reading);
	member->may_be_huge = member->rollup.huge != 0; /* also if that is not known */
}

static void close_member(struct pool_member *member)
{
	if (member->pagemap >= 0)
		close(member->pagemap);
	if (member->memory >= 0)
		close(member->memory);
	free(member->maps.list);
	free(member->runs.list);
	free(member->rows);
}

/* Is all memory together so much that its sums would take long? */
static bool is_too_much(const struct page_survey *survey)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < survey->member_count; i++) {
		const struct rss rss = rss__of(survey->members[i].process.pid);
		const uint64_t bytes = rss__all(&rss);

		sum += bytes == ABSENT ? 0 : bytes;
	}
	return rollup__is_much(sum);
}

static void open_members(struct pool_reading *reading, const struct pool_members *found)
{
	struct page_survey *survey = &reading->survey;

	survey->members = checked_calloc(found->count, sizeof(*survey->members));
	for (size_t i = 0; i < found->count; i++) {
		struct pool_member *member = &survey->members[survey->member_count];

		if (open_member(member, &found->list[i], &reading->names)) {
			survey->member_count++;
			continue;
		}
		close_member(member);
		if (pool_process__read(&member->process, found->list[i].pid) && member->process.state != 'Z')
			reading->unreadable++;
		else
			reading->ended++;
		if (!i && found->has_master)
			return; /* nothing to compare with */
	}
	if (!survey->member_count)
		return;
	survey->can_scan = page_scan__is_there(survey->members[0].pagemap);
	reading->too_much = is_too_much(survey);
	for (size_t i = 0; i < survey->member_count; i++)
		find_pages(&survey->members[i], reading);
}

/* By the master; without one, by any that still lives. */
static void find_again(const struct pool_members *found, struct pool_members *now)
{
	const size_t tries = found->has_master ? 1 : found->count;
	char *reason = NULL;

	for (size_t i = 0; i < tries && pool_members__find(now, found->list[i].pid, &reason); i++) {
		free(reason);
		reason = NULL;
	}
}

/* Finds members that were created or ended meanwhile, and reads the kernel's sums. */
static void check_members(struct pool_reading *reading)
{
	struct page_survey *survey = &reading->survey;
	struct pool_members now;

	find_again(reading->found, &now);
	for (size_t i = 0; i < survey->member_count; i++) {
		struct pool_member *member = &survey->members[i];

		sum_up(member, reading);
		/* A killed member may still wait for a CPU, while others of the same pool have ended. */
		member->gone |= !pool_members__has(&now, member->process.pid) ||
				pool_process__is_ending(member->process.pid);
		reading->ended += member->gone;
	}
	for (size_t i = 0; i < now.count; i++)
		reading->born += !pool_members__has(reading->found, now.list[i].pid);
	pool_members__release(&now);
}

static void release(struct pool_reading *reading)
{
	for (size_t i = 0; i < reading->survey.member_count; i++)
		close_member(&reading->survey.members[i]);
	free(reading->survey.members);
	texts__release(&reading->names);
}

static uint64_t epoch_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static struct pool_maps *maps_of(const struct page_survey *survey, pid_t pid)
{
	for (size_t i = 0; i < survey->member_count; i++)
		if (survey->members[i].process.pid == pid)
			return &survey->members[i].maps;
	return NULL;
}

static bool ends_before(const void *list, size_t index, const void *what)
{
	const struct pool_vma *vmas = list;

	return vmas[index].end <= *(const uint64_t *)what;
}

static struct pool_vma *find_vma(const struct pool_maps *maps, uint64_t address)
{
	const size_t i = bisect(maps->list, maps->count, ends_before, &address);

	return i < maps->count && maps->list[i].start <= address ? &maps->list[i] : NULL;
}

/* Where a page was copied, there was a mapping at a fork. Of members that lived when the watch ended, or live still. */
static void prove_seen(struct page_survey *survey, const struct flow_log *log)
{
	const uint64_t end_ns = log && log->end_ns ? log->end_ns : ABSENT;
	autofree struct pool_maps **maps = log ? checked_calloc(log->process_count, sizeof(struct pool_maps *)) : NULL;

	for (size_t i = 0; log && i < log->process_count; i++)
		if (log->processes[i].ended_ns >= end_ns)
			maps[i] = maps_of(survey, log->processes[i].pid);
	for (size_t i = 0; log && i < log->copy_count; i++) {
		const struct flow_event_copy *copy = &log->copies[i];
		struct pool_vma *vma = maps[copy->process] ? find_vma(maps[copy->process], copy->address) : NULL;

		if (vma)
			vma->proven = true;
	}
}

/* Once. NULL: the master went away. */
static struct workers *read_once(const struct pool_members *found, struct frames *frames,
				 const struct pool_request *request)
{
	struct pool_reading reading = {
		.found = found, .survey = { .frames = frames, .has_master = found->has_master },
	};
	struct workers *workers = NULL;
	double start = clock__now_ns();

	reading.started = epoch_ns();
	open_members(&reading, found);
	prove_seen(&reading.survey, request->seen);
	if (reading.survey.member_count) {
		page_survey__take(&reading.survey);
		check_members(&reading);
		reading.look_ns = clock__now_ns() - start;
		if (!found->has_master || !reading.survey.members[0].gone)
			workers = pool_result__of(&reading);
	}
	release(&reading);
	return workers;
}

/* Is there no reason to read the pool again? */
static bool is_settled(const struct workers *workers)
{
	return workers && !workers->born && !workers->ended &&
	       (workers->cross_check.matches || workers->cross_check.counted_bytes == ABSENT);
}

/* Keeps the better reading: the one without changes of members, or else the one with the smaller gap. */
static struct workers *better(struct workers *left, struct workers *right)
{
	bool takes_right;

	if (!left || !right)
		return left ? left : right;
	takes_right = right->born + right->ended < left->born + left->ended ||
		      (right->born + right->ended == left->born + left->ended &&
		       workers__change(right) < workers__change(left));
	workers__free(takes_right ? left : right);
	return takes_right ? right : left;
}

static char *why_alone(const struct pool_members *found)
{
	const struct pool_process *process = &found->list[0];

	if (found->executed)
		return text__of("process %d (%s) is no pool: its children have all executed another "
				"program, so they have memory of their own",
				(int)process->pid, process->name);
	if (found->unreadable)
		return text__of("the children of process %d (%s) may not be read: run forktax "
				"as root", (int)process->pid, process->name);
	return text__of("process %d (%s) is no pool: no living process was forked from it, nor it "
			"from another", (int)process->pid, process->name);
}

/* One attempt, from finding the members on. */
static struct workers *attempt(const struct pool_request *request, struct frames *frames, char **reason)
{
	struct pool_members found;
	struct workers *workers = NULL;

	if (pool_members__find(&found, request->pid, reason))
		return NULL;
	if (!pool_members__has(&found, pool_process__of_thread(request->pid))) {
		*reason = text__of("process %d has ended", (int)request->pid); /* while its pool was searched for */
	} else if (found.count == 1 && !request->may_be_alone) {
		*reason = why_alone(&found);
	} else {
		workers = read_once(&found, frames, request);
		if (!workers)
			error__set(reason, "process %d (%s) has ended, or may not be read",
				   (int)found.list[0].pid, found.list[0].name);
	}
	pool_members__release(&found);
	return workers;
}

struct workers *pool__look_at(const struct pool_request *request, char **reason)
{
	struct workers *best = NULL;
	struct frames frames;
	uint64_t readings = 0;

	*reason = NULL;
	allow_descriptors();
	frames__open(&frames);
	while (readings < READINGS_MOST && !is_settled(best)) {
		struct workers *workers;

		free(*reason);
		*reason = NULL;
		workers = attempt(request, &frames, reason);
		readings++;
		if (!workers)
			break;
		best = better(best, workers);
	}
	frames__close(&frames);
	if (!best)
		return NULL;
	free(*reason);
	*reason = NULL;
	best->cross_check.readings = readings;
	return best;
}

int32_t *pool__pids(pid_t pid, size_t *count, bool *has_master, char **reason)
{
	struct pool_members found;
	int32_t *pids;

	*count = 0;
	if (pool_members__find(&found, pid, reason))
		return NULL;
	pids = checked_calloc(found.count, sizeof(*pids));
	for (; *count < found.count; ++*count)
		pids[*count] = found.list[*count].pid;
	if (has_master)
		*has_master = found.has_master;
	pool_members__release(&found);
	return pids;
}
