// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/tree/launches.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

enum { NAMED = 3 };
/* A program that has so much of all that its parent starts again and again, and half of the starts, is named alone. */
static const double ALONE_LEAST = 0.6;
/* So much of what a program starts is at one line, or that is said to be the dearest one. */
static const double PLACE_LEAST = 0.9;

/* All executions of one program by another one. */
struct pair {
	const struct execution *first; /* the rows are in order: the one with most */
	uint64_t count;
	double ns, all_ns; /* all: with what these start */
};

struct pairs {
	const struct run *run;
	struct pair *list; /* owned */
	size_t count;
	bool *seen; /* owned; by exe: on the way down */
};

static const char *name_of(const struct run *run, uint32_t exe)
{
	return text__file_name(exe__name(&run->exes[exe]));
}

static struct pair *pair_of(struct pairs *pairs, const struct execution *row)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (pairs->list[i].first->exe == row->exe && pairs->list[i].first->parent_exe == row->parent_exe)
			return &pairs->list[i];
	pairs->list = checked_grow(pairs->list, pairs->count, sizeof(*pairs->list));
	pairs->list[pairs->count] = (struct pair){ .first = row };
	return &pairs->list[pairs->count++];
}

/* How often that program was started, by whomever. */
static double starts_of(const struct pairs *pairs, uint32_t exe)
{
	double starts = 0;

	for (size_t i = 0; i < pairs->count; i++)
		starts += pairs->list[i].first->exe == exe ? (double)pairs->list[i].count : 0;
	return starts;
}

/* A smaller part of the executions of a program is not followed down: ways down may be many. */
static const double PART_LEAST = 1.0 / 64;

/* What that part of a program's executions starts, down to the last one. Who is above does not count again. */
static double below(struct pairs *pairs, uint32_t exe, double part)
{
	double ns = 0;

	if (pairs->seen[exe] || part < PART_LEAST)
		return 0;
	pairs->seen[exe] = true;
	for (size_t i = 0; i < pairs->count; i++) {
		const struct pair *pair = &pairs->list[i];

		if (pair->first->parent_exe == exe && !pairs->seen[pair->first->exe])
			ns += part * pair->ns + below(pairs, pair->first->exe, part * (double)pair->count /
								       starts_of(pairs, pair->first->exe));
	}
	pairs->seen[exe] = false;
	return ns;
}

static struct pairs pairs_of(const struct run *run)
{
	const struct executions *executions = run->executions;
	struct pairs pairs = { .run = run, .seen = checked_calloc(run->exe_count + 1, sizeof(*pairs.seen)) };

	for (size_t i = 0; executions && i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];
		struct pair *pair;

		if (row->exe >= run->exe_count || row->parent_exe >= run->exe_count || !row->argument_count ||
		    !exe__name(&run->exes[row->exe]) || !exe__name(&run->exes[row->parent_exe]))
			continue;
		pair = pair_of(&pairs, row);
		pair->count += row->count;
		pair->ns += (double)row->wall_ns;
	}
	for (size_t i = 0; i < pairs.count; i++) {
		struct pair *pair = &pairs.list[i];

		pairs.seen[pair->first->parent_exe] = true;
		pair->all_ns = pair->ns + below(&pairs, pair->first->exe, (double)pair->count /
								      starts_of(&pairs, pair->first->exe));
		pairs.seen[pair->first->parent_exe] = false;
	}
	return pairs;
}

static bool is_again(const struct pair *pair, uint32_t parent)
{
	return pair->first->parent_exe == parent && pair->count > 1;
}

static int by_all(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;

	return (a->all_ns < b->all_ns) - (a->all_ns > b->all_ns);
}

/* What a program starts several times; the pairs are in order. */
static struct launches launches_of(const struct pairs *pairs, uint32_t parent)
{
	struct name_list names = { .most = NAMED };
	struct launches launches = { 0 };
	uint64_t dearest = 0;
	double dearest_ns = 0;

	for (size_t i = 0; i < pairs->count; i++) {
		const struct pair *pair = &pairs->list[i];
		char *name;

		if (!is_again(pair, parent))
			continue;
		name = text__of("%s %llu", name_of(pairs->run, pair->first->exe),
				(unsigned long long)pair->count);
		name_list__add(&names, name);
		free(name);
		if (!launches.first) {
			launches.first = pair->first;
			dearest_ns = pair->all_ns;
			dearest = pair->count;
		}
		launches.ns += pair->all_ns;
		launches.count += pair->count;
	}
	launches.programs = name_list__finish(&names);
	if (dearest_ns < ALONE_LEAST * launches.ns || 2 * dearest < launches.count || !launches.first)
		return launches;
	launches__free(&launches);
	launches.programs = NULL;
	launches.ns = dearest_ns;
	return launches;
}

/* What is known of the largest ones alone. */
static void add_details(struct launches *launches, const struct pairs *pairs)
{
	const struct execution *first = launches->first;
	const struct executions *executions = pairs->run->executions;
	const struct pair *most = NULL;

	for (size_t i = 0; i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];

		if (row->parent_exe != first->parent_exe || (row->exe != first->exe && !launches->programs))
			continue;
		launches->own_ns += (double)row->wall_ns;
		launches->place_ns += row->line == first->line ? (double)row->wall_ns : 0;
	}
	for (size_t i = 0; i < pairs->count && !launches->programs; i++) {
		const struct pair *pair = &pairs->list[i];

		if (pair->first->exe == first->exe && pair->first->parent_exe == first->parent_exe)
			launches->count = pair->count;
		if (pair->first->parent_exe == first->exe && pair->first->exe != first->exe &&
		    (!most || pair->ns > most->ns))
			most = pair;
	}
	if (most && most->ns > launches->own_ns) {
		launches->below = most->first;
		launches->below_count = most->count;
	}
}

struct launches launches__largest(const struct run *run)
{
	struct pairs pairs = pairs_of(run);
	struct launches largest = { 0 };

	if (pairs.count)
		qsort(pairs.list, pairs.count, sizeof(*pairs.list), by_all);
	for (uint32_t exe = 0; exe < run->exe_count; exe++) {
		struct launches launches = launches_of(&pairs, exe);

		if (launches.ns > largest.ns) {
			launches__free(&largest);
			largest = launches;
		} else {
			launches__free(&launches);
		}
	}
	if (largest.first)
		add_details(&largest, &pairs);
	free(pairs.list);
	free(pairs.seen);
	return largest;
}

/* ", at a.sh:4", ", named in a.sh:4, 9", or nothing; to be freed. */
static char *place_of(const struct run *run, const struct launches *launches)
{
	const struct execution *first = launches->first;
	autofree char *place = first->line == NO_LINE ? NULL : script_line__place(&run->lines->rows[first->line]);
	const char *most = launches->place_ns < PLACE_LEAST * launches->own_ns ? " above all" : "";

	if (place)
		return text__of(",%s at %s", most, text__file_name(place));
	return first->named ? text__of(", named in %s", first->named) : text__of("%s", "");
}

char *launches__words(const struct run *run, const struct launches *launches)
{
	const struct execution *first = launches->first, *below = launches->below;
	autofree char *words = execution__words(first), *place = place_of(run, launches), *more = NULL, *what = NULL;
	const bool has_line = first->line != NO_LINE; /* which shows the arguments */

	what = launches->programs
		       ? text__of("%" PRIu64 " programs (%s)", launches->count, launches->programs)
		       : text__of("%s %" PRIu64 " times", name_of(run, first->exe), launches->count);
	more = below ? text__of(" These start %s %" PRIu64 " times.", name_of(run, below->exe), launches->below_count)
		     : text__of("%s", "");
	return text__of("%s starts %s%s%s%s.%s", name_of(run, first->parent_exe), what, place,
			has_line ? "" : ", such as ", has_line ? "" : words, more);
}

void launches__free(struct launches *launches)
{
	free(launches->programs);
}
