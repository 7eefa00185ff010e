// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/group_picks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"

enum { MOST_TABLES = 3 };
#define LEAST_WEIGHT_OF_TABLE 0.1

struct amount {
	uint64_t children, calls, faults;
};

struct candidate {
	uint32_t group;
	double weight;
};

static struct amount amount_of(const struct group *group)
{
	return (struct amount){
		.children = group__children(group),
		.calls = syscall_table__calls(&group->table),
		.faults = group->inherited.total + group->execd.total,
	};
}

static void add(struct amount *sum, struct amount more)
{
	sum->children += more.children;
	sum->calls += more.calls;
	sum->faults += more.faults;
}

static double larger_share(double least, uint64_t part, uint64_t whole)
{
	double share = whole ? (double)part / (double)whole : 0;

	return share > least ? share : least;
}

static double weight_of(struct amount part, struct amount whole)
{
	double weight = larger_share(0, part.children, whole.children);

	weight = larger_share(weight, part.calls, whole.calls);
	return larger_share(weight, part.faults, whole.faults);
}

static int by_weight(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->group < b->group ? -1 : a->group > b->group;
}

static struct candidate *candidates_of(const struct run *run)
{
	struct candidate *candidates = checked_calloc(run->group_count + 1, sizeof(*candidates));
	struct amount whole = { 0 };

	for (size_t i = 0; i < run->group_count; i++)
		add(&whole, amount_of(&run->groups[i]));
	for (size_t i = 0; i < run->group_count; i++)
		candidates[i] = (struct candidate){ i, weight_of(amount_of(&run->groups[i]), whole) };
	return candidates;
}

/* One table even if no group stands out, as the calls of the others are similar. */
static size_t tables_of(const struct candidate *candidates, size_t count)
{
	size_t tables = count > 0;

	while (tables < count && tables < MOST_TABLES && candidates[tables].weight >= LEAST_WEIGHT_OF_TABLE)
		tables++;
	return tables;
}

struct group_picks group_picks__by_weight(const struct run *run, bool all, size_t most)
{
	autofree struct candidate *candidates = candidates_of(run);
	struct group_picks picks = group_picks__all(run);

	qsort(candidates, picks.count, sizeof(*candidates), by_weight);
	for (size_t i = 0; i < picks.count; i++)
		picks.order[i] = candidates[i].group;
	if (!all) {
		picks.shown = picks.count < most ? picks.count : most;
		picks.with_calls = tables_of(candidates, picks.count);
	}
	return picks;
}

struct group_picks group_picks__all(const struct run *run)
{
	struct group_picks picks = { NULL, run->group_count, run->group_count, run->group_count };

	picks.order = checked_calloc(picks.count, sizeof(*picks.order));
	for (size_t i = 0; i < picks.count; i++)
		picks.order[i] = i;
	return picks;
}

void group_picks__free(struct group_picks *picks)
{
	free(picks->order);
}

char *group_picks__rest(const struct run *run, const struct group_picks *picks)
{
	struct amount rest = { 0 }, whole = { 0 };
	size_t groups = picks->count - picks->shown;
	char *text;

	if (!groups)
		return NULL;
	for (size_t i = 0; i < picks->count; i++) {
		struct amount amount = amount_of(&run->groups[picks->order[i]]);

		add(&whole, amount);
		if (i >= picks->shown)
			add(&rest, amount);
	}
	text = text__of("%s: %" PRIu64 " of %" PRIu64 " children, %" PRIu64 " of their %" PRIu64
			" system calls", quantity__count(groups, "more group", "more groups").text, rest.children,
			whole.children, rest.calls, whole.calls);
	if (run__has(run, HAS_PROCESS_FAULTS))
		text__replace(&text, "%s, %" PRIu64 " of their %" PRIu64 " faults", text, rest.faults, whole.faults);
	text__replace(&text, "(%s: --show=groups)", text);
	return text;
}
