// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cuts the time of a start into phases: at its marks, and within ld.so at the ends of its calls. The
 * time between two calls of ld.so is work that leads to the second one.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "analysis/start/start_parts.h"
#include "base/memory.h"

/* From `begin` until the next cut it is that phase. */
struct cut {
	uint64_t begin;
	enum start_phase phase;
};

struct cuts {
	struct cut *list; /* ascending, the first at 0 */
	size_t count;
};

static void cut_at(struct cuts *cuts, uint64_t begin, enum start_phase phase)
{
	if (cuts->count && cuts->list[cuts->count - 1].phase == phase)
		return;
	if (cuts->count && cuts->list[cuts->count - 1].begin == begin)
		cuts->count--;
	cuts->list = checked_grow(cuts->list, cuts->count, sizeof(*cuts->list));
	cuts->list[cuts->count++] = (struct cut){ begin, phase };
}

static uint64_t end_of(const struct start_call *call)
{
	return call->begin_ns + (call->ns == ABSENT ? 0 : call->ns);
}

/* Which calls of ld.so come before the program's entry: [first, last). */
struct ldso_calls {
	size_t first, last;
	size_t relocated; /* the first mprotect that makes relocated data read-only; `last`: none */
	size_t protected; /* the last one */
};

static bool is_before(const struct start *start, const struct start_call *call)
{
	return call->before_program || (call->begin_ns >= start->marks.first && call->begin_ns < start->marks.entry);
}

/* After the mapping of libraries, which may protect gaps (PROT_NONE) or what it mapped too widely. */
static bool is_relro(const struct start_call *call)
{
	return start_call__by_ldso(call) && start_call__is(call, "mprotect") &&
	       start_call__argument(call, 2) == PROT_READ;
}

/* Memory of its own ld.so maps while it relocates, too. */
static bool maps_file(const struct start_call *call)
{
	return start_call__by_ldso(call) && start_call__is(call, "mmap") &&
	       !(start_call__argument(call, 3) & MAP_ANONYMOUS);
}

static struct ldso_calls find_ldso(const struct start *start)
{
	struct ldso_calls found = { 0 };

	while (found.first < start->call_count && !is_before(start, &start->calls[found.first]))
		found.first++;
	for (found.last = found.first; found.last < start->call_count && is_before(start, &start->calls[found.last]);)
		found.last++;
	found.relocated = found.protected = found.last;
	for (size_t i = found.first; i < found.last; i++) {
		const struct start_call *call = &start->calls[i];

		/* A constructor runs: all is relocated. */
		if (call->actor == ACTOR_PROGRAM && found.relocated != found.last)
			break;
		if (maps_file(call))
			found.relocated = found.protected = found.last;
		if (!is_relro(call))
			continue;
		if (found.relocated == found.last)
			found.relocated = i;
		found.protected = i;
	}
	return found;
}

/* What a call of ld.so before it relocates is for. */
static enum start_phase phase_of(const struct start_view *view)
{
	const struct start_call *call = view->call;

	if (start_call__asks(call))
		return START_SEARCH;
	if (start_call__opens(call))
		return !start_call__errno(call) && start_calls__map_library(view->start, view->index) ? START_MAP
												      : START_SEARCH;
	if (view->file.path)
		return view->file.is_library ? START_MAP : START_SEARCH;
	return view->mapping && view->mapping->is_library ? START_MAP : START_SETUP;
}

static bool is_loading(enum start_phase phase)
{
	return phase == START_SEARCH || phase == START_MAP;
}

static bool takes_memory(const struct start_call *call)
{
	return start_call__is(call, "mmap") && start_call__argument(call, 3) & MAP_ANONYMOUS;
}

/* Of memory that ld.so takes while it searches and maps, for its lists: the phase of what it does next. */
static void place_memory(const struct start *start, enum start_phase *phases, size_t first, size_t last)
{
	for (size_t i = first, next; i < last; i = next + 1) {
		next = i;
		while (next < last && phases[next] == START_SETUP && takes_memory(&start->calls[next]))
			next++;
		if (i == first || next == last || !is_loading(phases[i - 1]))
			continue;
		for (size_t k = i; k < next; k++)
			phases[k] = phases[next];
	}
}

/* When execve returned: what follows it is the image's. */
static uint64_t end_of_exec(const struct start *start)
{
	return start->call_count && start_call__is(&start->calls[0], "execve") && start->calls[0].ns != ABSENT
		       ? end_of(&start->calls[0])
		       : 0;
}

/* From the first instruction to the program's entry; without marks as far as calls tell. */
static void cut_ldso(struct cuts *cuts, struct start *start)
{
	const bool is_marked = start->marks.first != ABSENT;
	const struct ldso_calls calls = find_ldso(start);
	enum start_phase *phases = checked_calloc(start->call_count, sizeof(*phases));
	uint64_t begin = is_marked ? start->marks.first : end_of_exec(start);
	struct start_view view;

	start_view__begin(&view, start);
	for (size_t i = 0; i < calls.relocated; i++) {
		start_view__look(&view, i);
		phases[i] = phase_of(&view);
		start_view__pass(&view);
	}
	start_view__end(&view);
	place_memory(start, phases, calls.first, calls.relocated);
	for (size_t i = calls.first; i < calls.relocated; i++) {
		cut_at(cuts, begin, phases[i]);
		begin = end_of(&start->calls[i]);
	}
	free(phases);
	if (calls.relocated == calls.last) {
		cut_at(cuts, begin, START_LDSO);
		return;
	}
	cut_at(cuts, begin, START_RELOCATE);
	cut_at(cuts, end_of(&start->calls[calls.protected]), is_marked ? START_INIT : START_WHOLE);
}

static bool knows_actors(const struct start *start)
{
	for (size_t i = 0; i < start->call_count; i++)
		if (start->calls[i].actor == ACTOR_COUNT || start->calls[i].ns == ABSENT)
			if (is_before(start, &start->calls[i]))
				return false;
	return !start->missed;
}

static void cut_program(struct cuts *cuts, const struct start_marks *marks)
{
	cut_at(cuts, marks->entry, marks->main == ABSENT ? START_PROGRAM : START_LIBC);
	if (marks->main == ABSENT)
		return;
	cut_at(cuts, marks->main, START_MAIN);
	if (marks->returned != ABSENT)
		cut_at(cuts, marks->returned, START_EXIT);
}

static struct cuts cut(struct start *start)
{
	const struct start_marks *marks = &start->marks;
	const bool has_ldso = marks->first < marks->entry && marks->entry != ABSENT;
	struct cuts cuts = { 0 };

	cut_at(&cuts, 0, START_EXEC);
	if (has_ldso && knows_actors(start))
		cut_ldso(&cuts, start);
	else if (has_ldso)
		cut_at(&cuts, marks->first, START_LDSO);
	if (marks->entry != ABSENT)
		cut_program(&cuts, marks);
	else if (start->call_count > 1 && start->calls[1].before_program)
		cut_ldso(&cuts, start);
	else
		cut_at(&cuts, marks->first != ABSENT ? marks->first : end_of_exec(start), START_WHOLE);
	if (marks->exit != ABSENT)
		cut_at(&cuts, marks->exit, START_END);
	return cuts;
}

static enum start_phase phase_at(const struct cuts *cuts, uint64_t time)
{
	size_t low = 0, high = cuts->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (cuts->list[middle].begin <= time)
			low = middle;
		else
			high = middle;
	}
	return cuts->list[low].phase;
}

static void sum_time(struct start *start, const struct cuts *cuts)
{
	for (size_t i = 0; i < cuts->count; i++) {
		const struct cut *cut = &cuts->list[i];
		struct start_sum *sum = &start->phases[cut->phase];
		uint64_t end = i + 1 < cuts->count ? cuts->list[i + 1].begin : start->marks.end;

		if (end == ABSENT) /* it still runs */
			continue;
		sum->ns = (sum->ns == ABSENT ? 0 : sum->ns) + end - cut->begin;
	}
}

static void sum_calls(struct start *start, const struct cuts *cuts)
{
	for (size_t i = 0; i < start->call_count; i++) {
		struct start_call *call = &start->calls[i];
		struct start_sum *sum;

		call->phase = phase_at(cuts, call->begin_ns);
		sum = &start->phases[call->phase];
		sum->calls += !call->denied;
		sum->denied += call->denied;
		sum->errors += !call->denied && start_call__errno(call);
	}
}

/* Those left out lie between the first calls and the last: if in two phases, which are whose? */
static void sum_left_out(struct start *start)
{
	const struct start_call *before, *after;
	struct start_sum *sum;

	if (!start->left_out)
		return;
	before = &start->calls[START_FIRST_CALLS - 1];
	after = &start->calls[START_FIRST_CALLS];
	sum = &start->phases[before->phase == after->phase ? before->phase : START_WHOLE];
	sum->calls += start->left_out;
	sum->errors += start->left_out_errors;
}

static void sum_faults(struct start *start, const struct cuts *cuts)
{
	for (size_t i = 0; i < start->fault_count; i++) {
		const struct start_fault *fault = &start->fault_list[i];
		struct start_sum *sum = &start->phases[phase_at(cuts, fault->begin_ns)];

		sum->faults[fault->actor][fault->class]++;
		sum->fault_ns[fault->actor] += fault->ns;
		sum->timed[fault->actor] += fault->ns > 0;
	}
	start->unplaced = start->image_faults > start->fault_count ? start->image_faults - start->fault_count : 0;
}

void start_phases__find(struct start *start)
{
	struct cuts cuts = cut(start);

	sum_time(start, &cuts);
	sum_calls(start, &cuts);
	sum_left_out(start);
	sum_faults(start, &cuts);
	free(cuts.list);
}
