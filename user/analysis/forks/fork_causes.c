// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/fork_causes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forks/copied.h"
#include "base/memory.h"
#include "base/text.h"

/* The bookkeeping of glibc's malloc is in its own data. */
static bool is_malloc(const struct place *place)
{
	static const char *const symbols[] = { "main_arena", "mp_", "free_list", "list_lock", "tcache_key", NULL };

	return place->kind == PLACE_HEAP || (place->symbol && text__is_any(place->symbol, symbols));
}

static struct fork_cause cause_of_copy(const struct place *place)
{
	struct fork_cause cause = { .kind = CAUSE_ANONYMOUS, .object = NO_OBJECT };

	if (is_malloc(place)) {
		cause.kind = CAUSE_HEAP;
	} else if (place->kind == PLACE_STACK) {
		cause.kind = CAUSE_STACK;
	} else if (place->kind == PLACE_TLS) {
		cause.kind = CAUSE_TLS;
	} else if (place__has_object(place)) {
		cause.kind = CAUSE_DATA;
		cause.object = place->object;
	}
	return cause;
}

/* Returns false for what is the child's own work. */
static bool find_cause(const struct run *run, const struct fork_breakdown *breakdown,
		       const struct anatomy_row *row, struct fork_cause *cause)
{
	*cause = (struct fork_cause){ .object = NO_OBJECT };
	switch (fork_breakdown__line_of(breakdown, run->anatomy, row)) {
	case BREAKDOWN_PARENT:
		cause->kind = CAUSE_PARENT;
		return true;
	case BREAKDOWN_KERNEL:
		cause->kind = CAUSE_KERNEL;
		cause->call = row->call;
		return true;
	case BREAKDOWN_BINDING:
		cause->kind = CAUSE_BINDING;
		return true;
	case BREAKDOWN_DATA:
		*cause = cause_of_copy(&row->place);
		return true;
	case BREAKDOWN_MAPS:
		cause->kind = CAUSE_CODE;
		cause->object = row->place.object;
		return true;
	case BREAKDOWN_ACCESS_FLAG:
		cause->kind = CAUSE_ACCESS_FLAG;
		return true;
	default:
		return false;
	}
}

static bool same_call(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Takes the cause into the sums. */
static void add(struct fork_causes *causes, const struct fork_cause *cause)
{
	struct fork_cause *sum = causes->list;

	for (; sum < causes->list + causes->count; sum++)
		if (sum->kind == cause->kind && sum->object == cause->object && same_call(sum->call, cause->call))
			break;
	if (sum == causes->list + causes->count) {
		causes->list = checked_grow(causes->list, causes->count, sizeof(*causes->list));
		causes->list[causes->count++] = *cause;
		return;
	}
	sum->faults += cause->faults;
	sum->ns += cause->ns;
	sum->timed |= cause->timed;
}

static void add_row(struct fork_causes *causes, const struct run *run,
		    const struct fork_breakdown *breakdown, const struct anatomy_row *row)
{
	struct fork_cause cause;

	if (row->group != breakdown->group || !find_cause(run, breakdown, row, &cause))
		return;
	cause.faults = anatomy__per_child(run->anatomy, row);
	cause.timed = row->timed;
	cause.ns = fork_breakdown__ns_of(breakdown, run->anatomy, row);
	add(causes, &cause);
}

/* What takes time without a fault of its own. */
static void add_time(struct fork_causes *causes, enum fork_cause_kind kind, double ns)
{
	const struct fork_cause cause = { kind, NO_OBJECT, NULL, 0, ns, true };

	if (ns > 0)
		add(causes, &cause);
}

/* The fork call copies mappings and page tables; what takes it far longer than these can has another cause. */
static void add_call(struct fork_causes *causes, const struct run *run, const struct fork_breakdown *breakdown)
{
	const enum copied_else also = copied__else(run, breakdown->group);
	const double ns = breakdown->lines[BREAKDOWN_COPY].ns;
	const double copying = also || copied__is_beyond(run, breakdown->group) ?
				       fmin(copied__longest_call(run, breakdown->group), ns) : ns;

	add_time(causes, CAUSE_PAGE_TABLES, copying);
	if (also)
		add_time(causes, also == COPIED_PINNED ? CAUSE_PINNED : CAUSE_DESCRIPTORS, ns - copying);
}

static int by_cost(const void *left, const void *right)
{
	const struct fork_cause *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->faults != b->faults)
		return a->faults > b->faults ? -1 : 1;
	return a->kind != b->kind ? (int)a->kind - (int)b->kind : (a->object > b->object) - (a->object < b->object);
}

struct fork_causes fork_causes__of(const struct run *run, const struct fork_breakdown *breakdown)
{
	struct fork_causes causes = { 0 };

	add_call(&causes, run, breakdown);
	add_time(&causes, CAUSE_BINDING, breakdown->lines[BREAKDOWN_BINDING_CODE].ns);
	for (size_t i = 0; i < run->anatomy->row_count; i++)
		add_row(&causes, run, breakdown, &run->anatomy->rows[i]);
	if (causes.count)
		qsort(causes.list, causes.count, sizeof(*causes.list), by_cost);
	return causes;
}

void fork_causes__free(struct fork_causes *causes)
{
	free(causes->list);
	*causes = (struct fork_causes){ 0 };
}
