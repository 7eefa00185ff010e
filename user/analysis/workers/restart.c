// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/workers/restart.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { SECOND_NS = 1000000000, SHORTEST_NS = 500000000 };
enum { PERIODS = 5 }; /* half of the time that workers were seen, a quarter, ... */
enum { ORIGINS = 64 }; /* ages at which a worker may be restarted */
enum { WORTH_LEAST = 1 << 20 }; /* bytes */
static const double WORTH_SAYING = 0.02; /* of the pool's memory */
static const double CPU_MOST = 0.01;
/* Where copies came faster later on than after the birth, nobody knows what a new worker would copy. */
static const double AS_AT_BIRTH = 1.1;

/* The copies of a worker by its age, over the time that all were seen for. */
struct curve {
	double *ages; /* ns, ascending */
	double *sums; /* of the ages before each; one more than there are */
	size_t count;
	double kept; /* of what it copied: the part that it still had at the end */
	double repeated; /* copies that each new worker begins with ... */
	double ending; /* ... and ends with, while there is a new one already */
};

static uint64_t lived_ns(const struct workers_flow *flow, const struct flow_member *member)
{
	const uint64_t end = member->ended_ns == ABSENT ? flow->duration_ns : member->ended_ns;
	const uint64_t begin = member->born_ns == ABSENT ? 0 : member->born_ns;

	return end > begin ? end - begin : 0;
}

/* Those that ended soon are no workers that one could retire. */
static bool is_worker(const struct workers_flow *flow, size_t member)
{
	return workers_flow__is_worker(flow, member) && 2 * lived_ns(flow, &flow->members[member]) >= flow->duration_ns;
}

static bool is_seen_from_birth(const struct workers_flow *flow, size_t member)
{
	return is_worker(flow, member) && flow->members[member].born_ns != ABSENT;
}

/* Pages that workers which ended have copied in their last second at most. */
static double ending(const struct workers_flow *flow)
{
	uint64_t most = 0;

	for (size_t i = 0; i < flow->member_count; i++)
		if (workers_flow__is_worker(flow, i) && flow->members[i].last_second != ABSENT &&
		    flow->members[i].last_second > most)
			most = flow->members[i].last_second;
	return most;
}

static struct curve curve_of(const struct workers_flow *flow, size_t number)
{
	const struct flow_member *member = &flow->members[number];
	struct curve curve = {
		.ages = checked_calloc(member->copies + 1, sizeof(*curve.ages)),
		.sums = checked_calloc(member->copies + 1, sizeof(*curve.sums)),
		.kept = 1,
	};

	for (size_t i = 0; i < flow->copy_count; i++) {
		const struct flow_copy *copy = &flow->copies[i];
		const uint64_t age = copy->ns > member->born_ns ? copy->ns - member->born_ns : 0;

		if (copy->member != number || age >= flow->restart.lived_ns)
			continue;
		curve.ages[curve.count] = age;
		curve.sums[curve.count + 1] = curve.sums[curve.count] + age;
		curve.count++;
	}
	if (member->shared_after != ABSENT && member->copies && member->copied < member->copies)
		curve.kept = (double)member->copied / member->copies;
	return curve;
}

static void release(struct curve *curve)
{
	free(curve->ages);
	free(curve->sums);
}

/* How many copies were made before that age. */
static size_t before(const struct curve *curve, double age)
{
	size_t low = 0, high = curve->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (curve->ages[middle] < age)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * What all copied in their first second, each new one copies, too. If only one was seen: what it copied then
 * beyond the pace of the next second.
 */
static double repeated_by(const struct workers_flow *flow, const struct curve *curve)
{
	const double first = before(curve, SECOND_NS), second = before(curve, 2.0 * SECOND_NS) - first;
	size_t common = 0;

	if (flow->restart.known < 2)
		return fmax(0, first - second);
	free(workers_flow__common(flow, &common));
	return common;
}

/*
 * How many pages a worker holds on average over the period, if it begins at that age and then does what this
 * one did.
 */
static double held(const struct curve *curve, double origin, double period)
{
	const size_t first = before(curve, origin), last = before(curve, origin + period);
	const double sum = curve->sums[last] - curve->sums[first];

	return fmin(first, curve->repeated) + ((last - first) * (origin + period) - sum) / period;
}

/* From the moment on at which most would be copied. */
static double held_most(const struct curve *curve, double lived, double period)
{
	double most = 0;

	for (int i = 0; i <= ORIGINS; i++)
		most = fmax(most, held(curve, (lived - period) * i / ORIGINS, period));
	return most;
}

/* Takes one worker into account: `workers` are like it. */
static void add(struct flow_restart *restart, const struct curve *curve, double lived,
		double workers, double page_bytes)
{
	const double scale = workers * page_bytes, period = restart->period_ns;
	const double as_it_was = held(curve, 0, lived), early = held(curve, 0, period);
	const double most = held_most(curve, lived, period);
	const bool is_known = most <= AS_AT_BIRTH * early + 1;
	/* Whose turn comes when is not known: for one of the periods they may be as young or old as can be. */
	const double turn = period / lived, oldest = before(curve, period), youngest = curve->repeated;
	const double end = curve->ending * fmin(SECOND_NS, period) / period;
	const double low = (is_known ? curve->kept * (as_it_was - most - turn * (oldest - early)) :
				       fmin(0, as_it_was - most)) - end;
	const double high = as_it_was - early + turn * (early - fmin(early, youngest));
	const bool first = !restart->saved_bytes.known;

	restart->held_bytes.known = restart->saved_bytes.known = true;
	restart->held_bytes.value += most * scale;
	restart->saved_bytes.value += (as_it_was - most) * scale;
	restart->held_bytes.low = fmin(first ? INFINITY : restart->held_bytes.low, early * scale);
	restart->held_bytes.high = fmax(restart->held_bytes.high,
					(is_known ? most : as_it_was) * scale);
	restart->saved_bytes.low = fmin(first ? INFINITY : restart->saved_bytes.low, low * scale);
	restart->saved_bytes.high =
		fmax(first ? -INFINITY : restart->saved_bytes.high, high * scale);
	restart->copies += before(curve, period) * workers;
}

static void finish(struct flow_restart *restart, double known)
{
	restart->held_bytes.value /= known;
	restart->saved_bytes.value /= known;
	restart->copies /= known;
	estimate__widen(&restart->held_bytes, restart->held_bytes.value, restart->held_bytes.value);
	estimate__widen(&restart->saved_bytes, restart->saved_bytes.value,
			restart->saved_bytes.value);
}

/* Who was seen, and for how long all of them. */
static void count_workers(struct workers_flow *flow)
{
	flow->restart.lived_ns = ABSENT;
	for (size_t i = 0; i < flow->member_count; i++) {
		const uint64_t lived = lived_ns(flow, &flow->members[i]);

		flow->restart.workers += is_worker(flow, i);
		if (!is_seen_from_birth(flow, i))
			continue;
		flow->restart.known++;
		flow->restart.lived_ns = lived < flow->restart.lived_ns ? lived : flow->restart.lived_ns;
	}
}

void restart__predict(struct workers_flow *flow)
{
	struct flow_restarting *restart = &flow->restart;

	*restart = (struct flow_restarting){ 0 };
	count_workers(flow);
	if (!restart->known || restart->lived_ns < 2 * (uint64_t)SHORTEST_NS || flow->lost || flow->beyond)
		return;
	restart->list = checked_calloc(PERIODS, sizeof(*restart->list));
	for (uint64_t period = restart->lived_ns / 2;
	     restart->count < PERIODS && period >= SHORTEST_NS; period /= 2)
		restart->list[restart->count++].period_ns = period;
	for (size_t i = 0; i < flow->member_count; i++) {
		const double scale = (double)restart->workers * flow->page_bytes;
		struct curve curve;

		if (!is_seen_from_birth(flow, i))
			continue;
		curve = curve_of(flow, i);
		curve.repeated = repeated_by(flow, &curve);
		curve.ending = ending(flow);
		restart->held_bytes += held(&curve, 0, restart->lived_ns) * scale / restart->known;
		restart->end_bytes += (double)curve.count * scale / restart->known;
		for (size_t j = 0; j < restart->count; j++)
			add(&restart->list[j], &curve, restart->lived_ns, restart->workers, flow->page_bytes);
		release(&curve);
	}
	for (size_t j = 0; j < restart->count; j++)
		finish(&restart->list[j], restart->known);
}

/* The interval reaches to pages that are in no cache. */
struct estimate restart__fork_ns(const struct estimate costs[COST_COUNT], uint64_t pages, uint64_t page_bytes)
{
	const struct estimate *fork = &costs[COST_FORK], *page = &costs[COST_FORK_PAGE];
	const struct estimate *table = &costs[COST_FORK_TABLE], *far = &costs[COST_FORK_UNCACHED];
	const double tables = pages / (page_bytes / (double)sizeof(uint64_t));
	const double high = far->known ? fmax(far->high, page->high) : page->high;

	return (struct estimate){
		.known = fork->known && page->known && table->known,
		.bounded = true,
		.value = fork->value + pages * page->value + tables * table->value,
		.low = fork->low + pages * page->low + tables * table->low,
		.high = fork->high + pages * high + tables * table->high,
	};
}

void restart__add_costs(struct workers_flow *flow, struct estimate fork_ns, struct estimate copy_ns)
{
	struct flow_restarting *restart = &flow->restart;

	for (size_t i = 0; i < restart->count; i++) {
		struct flow_restart *one = &restart->list[i];
		const double forks = restart->workers, period = one->period_ns;

		one->cpu = (struct estimate){
			.known = fork_ns.known && copy_ns.known,
			.bounded = true,
			.value = (forks * fork_ns.value + one->copies * copy_ns.value) / period,
			.low = (forks * fork_ns.low + one->copies * copy_ns.low) / period,
			.high = (forks * fork_ns.high + one->copies * copy_ns.high) / period,
		};
	}
}

static double worth(const struct workers_flow *flow)
{
	const uint64_t all = flow->cross_check.after_bytes;

	return fmax(WORTH_LEAST, all == ABSENT ? 0 : WORTH_SAYING * all);
}

bool restart__is_worth(const struct workers_flow *flow)
{
	for (size_t i = 0; i < flow->restart.count; i++)
		if (flow->restart.list[i].saved_bytes.value >= worth(flow))
			return true;
	return false;
}

const struct flow_restart *restart__best(const struct workers_flow *flow)
{
	const struct flow_restart *best = NULL;

	for (size_t i = 0; i < flow->restart.count; i++) {
		const struct flow_restart *one = &flow->restart.list[i];

		if (one->saved_bytes.value < worth(flow) ||
		    (one->cpu.known && one->cpu.value > CPU_MOST))
			continue;
		if (!best || one->saved_bytes.value > best->saved_bytes.value)
			best = one;
	}
	return best;
}
