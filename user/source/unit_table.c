// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/unit_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "source/unit_names.h"

#define OTHER_PARENT "other" /* the parents that have no name of their own */

/* Children of one kind: those in the map of the kernel half now, and what was taken out of it. */
struct kind_sums {
	char parent[TASK_NAME + 1];
	enum birth birth;
	enum watch_fate fate;
	uint64_t taken, present;
};

struct unit_sums {
	char *name;
	struct unit_value taken, present; /* the same */
	struct kind_sums *kinds;
	size_t kind_count;
	size_t cgroups; /* that exist */
	uint64_t running; /* processes, in the present reading */
	double seen_at;
	double gone_at; /* when its last cgroup was missing first, by the clock that is never set; 0: it has one */
	struct watch_pool pool;
};

struct unit_cgroup {
	uint64_t id;
	struct unit_sums *unit;
	bool is_gone; /* as of the last reading: with the next one it is taken out */
	bool is_nameless; /* nobody knows its path */
	bool has_moved; /* from "other" to a unit of its own, in the present reading */
	struct unit_value value, base; /* counted ever; of that, before it moved */
};

static const struct unit_value nothing;

/* Adds what all counters are more than `base`. The struct has only numbers; the last two of them are no counters. */
static void add_counters(struct unit_value *sum, const struct unit_value *more, const struct unit_value *base)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)more, *less = (const uint64_t *)base;
	const size_t counters = offsetof(struct unit_value, look) / sizeof(*to);

	for (size_t i = 0; i < counters; i++)
		to[i] += from[i] - less[i];
}

static struct unit_sums *new_unit(struct unit_table *table, const char *name)
{
	struct unit_sums *unit = checked_calloc(1, sizeof(*unit));

	unit->name = checked_strdup(name);
	hash__get(&table->names, unit->name, strlen(unit->name))->pointer = unit;
	return unit;
}

static struct unit_sums *other_unit(struct unit_table *table)
{
	if (!table->other)
		table->other = new_unit(table, "other");
	return table->other;
}

static enum watch_fate fate_of(enum unit_fate fate)
{
	return fate == UNIT_EXECED ? WATCH_EXECED : WATCH_ENDED;
}

static struct kind_sums *find_kind(struct unit_sums *unit, const struct unit_child_key *key)
{
	const bool is_full = unit->kind_count >= UNIT_KINDS_MOST;
	const enum watch_fate fate = fate_of(key->has_execed);
	char parent[TASK_NAME + 1] = "";
	struct kind_sums *kind;

	memcpy(parent, key->parent, TASK_NAME);
	for (int other = !*parent;; other = 1) {
		if (other)
			strcpy(parent, OTHER_PARENT);
		for (size_t i = 0; i < unit->kind_count; i++) {
			kind = &unit->kinds[i];
			if (kind->birth == key->birth && kind->fate == fate && !strcmp(kind->parent, parent))
				return kind;
		}
		if (other || !is_full)
			break;
	}
	unit->kinds = checked_grow(unit->kinds, unit->kind_count, sizeof(*unit->kinds));
	kind = &unit->kinds[unit->kind_count++];
	*kind = (struct kind_sums){ .birth = key->birth, .fate = fate };
	strcpy(kind->parent, parent);
	return kind;
}

static void free_unit(struct unit_sums *unit)
{
	free(unit->name);
	free(unit->kinds);
	free(unit);
}

static struct unit_sums *longest_idle_unit(const struct unit_table *table)
{
	struct unit_sums *longest = NULL;
	union hash_value *value;

	for (size_t at = 0; (value = hash__next(&table->names, &at));) {
		struct unit_sums *unit = value->pointer;

		if (unit != table->other && !unit->running && (!longest || unit->seen_at < longest->seen_at))
			longest = unit;
	}
	return longest;
}

/* What it has counted is part of "other" from now on. */
static void merge_unit(struct unit_table *table, struct unit_sums *unit)
{
	struct unit_sums *other = other_unit(table);
	union hash_value *slot;

	add_counters(&other->taken, &unit->taken, &nothing);
	for (size_t i = 0; i < unit->kind_count; i++) {
		struct unit_child_key key = {
			.birth = unit->kinds[i].birth,
			.has_execed = unit->kinds[i].fate == WATCH_EXECED ? UNIT_EXECED : UNIT_ENDED,
		};

		memcpy(key.parent, unit->kinds[i].parent, sizeof(key.parent));
		find_kind(other, &key)->taken += unit->kinds[i].taken;
	}
	for (size_t at = 0; (slot = hash__next(&table->cgroups, &at));) {
		struct unit_cgroup *cgroup = slot->pointer;

		if (cgroup->unit == unit)
			cgroup->unit = other;
	}
	table->merged++;
	hash__remove(&table->names, unit->name, strlen(unit->name));
	free_unit(unit);
}

/*
 * NULL: there is no room. For one that runs, one that does not gives up its place: that for which nothing was counted
 * for the longest time.
 */
static struct unit_sums *find_unit(struct unit_table *table, const char *name, bool runs)
{
	union hash_value *found = hash__find(&table->names, name, strlen(name));
	struct unit_sums *idle = NULL;

	if (found)
		return found->pointer;
	if (table->names.count - (table->other != NULL) >= UNIT_NAMES_MOST) {
		idle = runs ? longest_idle_unit(table) : NULL;
		if (!idle)
			return NULL;
		merge_unit(table, idle);
	}
	return new_unit(table, name);
}

/* To be freed; NULL: nobody knows it. */
static char *name_of(const struct unit_counter *counter, uint64_t cgroup)
{
	const char *path = counter->path(counter->context, cgroup);
	autofree char *old = path ? NULL : counter->old_path(counter->context, cgroup);

	return path || old ? unit_name__of(path ? path : old) : NULL;
}

static struct unit_cgroup *new_cgroup(struct unit_table *table, const struct unit_counter *counter, uint64_t id,
				      bool runs)
{
	struct unit_cgroup *cgroup = checked_calloc(1, sizeof(*cgroup));
	autofree char *name = id ? name_of(counter, id) : NULL;

	cgroup->id = id;
	cgroup->is_nameless = !name;
	cgroup->unit = name ? find_unit(table, name, runs) : NULL;
	if (!cgroup->unit) {
		cgroup->unit = other_unit(table);
		table->merged += name != NULL;
	}
	hash__get(&table->cgroups, &id, sizeof(id))->pointer = cgroup;
	return cgroup;
}

static struct unit_cgroup *find_cgroup(const struct unit_table *table, uint64_t id)
{
	union hash_value *slot = hash__find(&table->cgroups, &id, sizeof(id));

	return slot ? slot->pointer : NULL;
}

static void take_in_value(struct unit_cgroup *cgroup, const struct unit_counter *counter,
			  const struct unit_value *value)
{
	if (memcmp(&cgroup->value, value, offsetof(struct unit_value, look)))
		cgroup->unit->seen_at = counter->time;
	cgroup->value = *value;
	if (value->look != counter->reading->look)
		cgroup->value.processes = 0;
	cgroup->unit->running += cgroup->value.processes;
}

/* One that had no room may run now, or there may be room now. What it has counted stays in "other". */
static void find_room(struct unit_table *table, const struct unit_counter *counter, struct unit_cgroup *cgroup)
{
	char *name = name_of(counter, cgroup->id);
	struct unit_sums *unit = name ? find_unit(table, name, true) : NULL;

	free(name);
	if (!unit)
		return;
	add_counters(&table->other->taken, &cgroup->value, &cgroup->base);
	cgroup->base = cgroup->value;
	cgroup->has_moved = true;
	cgroup->unit = unit;
	unit->seen_at = counter->time;
	unit->running += cgroup->value.processes;
}

static bool is_used(const struct unit_value *value)
{
	return memcmp(value, &nothing, sizeof(nothing)) != 0;
}

/* Those that are known first: then all that run are known to run when others need room. */
static void take_in_units(struct unit_table *table, const struct unit_counter *counter)
{
	const struct unit_reading *reading = counter->reading;

	for (size_t i = 0; i < reading->unit_count; i++) {
		const struct unit_count *count = &reading->units[i];
		struct unit_cgroup *cgroup = find_cgroup(table, count->cgroup);

		if (cgroup)
			take_in_value(cgroup, counter, &count->value);
	}
	for (size_t i = 0; i < reading->unit_count; i++) {
		const struct unit_count *count = &reading->units[i];
		const bool runs = count->value.look == reading->look && count->value.processes;
		struct unit_cgroup *cgroup = find_cgroup(table, count->cgroup);

		if (!cgroup && (count->cgroup || is_used(&count->value)))
			take_in_value(new_cgroup(table, counter, count->cgroup, runs), counter, &count->value);
		else if (cgroup && runs && cgroup->unit == table->other && !cgroup->is_nameless)
			find_room(table, counter, cgroup);
	}
}

static void each_unit(const struct unit_table *table, void (*visit)(struct unit_sums *))
{
	union hash_value *value;

	for (size_t at = 0; (value = hash__next(&table->names, &at));)
		visit(value->pointer);
}

static void begin_sums(struct unit_sums *unit)
{
	for (size_t i = 0; i < unit->kind_count; i++)
		unit->kinds[i].present = 0;
	memset(&unit->present, 0, sizeof(unit->present));
	unit->cgroups = 0;
	unit->running = 0;
}

/*
 * Half of the map of the kernel half: more are taken out of it. A program that adds to an entry at that very moment may
 * lose one child.
 */
enum { KINDS_PRESENT_MOST = 1 << 12 };

static void take_in_kinds(struct unit_table *table, const struct unit_counter *counter)
{
	const struct unit_reading *reading = counter->reading;

	for (size_t i = 0; i < reading->kind_count; i++) {
		const struct unit_kind *kind = &reading->kinds[i];
		const struct unit_cgroup *known = find_cgroup(table, kind->key.unit);
		const struct unit_cgroup *cgroup = known ? known : new_cgroup(table, counter, kind->key.unit, false);
		struct unit_sums *unit = cgroup->has_moved ? table->other : cgroup->unit;
		struct kind_sums *sums = find_kind(unit, &kind->key);
		uint64_t children = kind->children;

		if (!cgroup->is_gone && !cgroup->has_moved && reading->kind_count <= KINDS_PRESENT_MOST)
			sums->present += children;
		else if (counter->take_kind(counter->context, &kind->key, &children))
			sums->taken += children;
	}
}

static void remove_cgroup(struct unit_table *table, struct unit_cgroup *cgroup)
{
	hash__remove(&table->cgroups, &cgroup->id, sizeof(cgroup->id));
	free(cgroup);
}

/* Sums up the cgroups that exist, and takes out those that are gone since the last reading. */
static void sum_up(struct unit_table *table, const struct unit_counter *counter)
{
	union hash_value *slot;

	for (size_t at = 0; (slot = hash__next(&table->cgroups, &at));) {
		struct unit_cgroup *cgroup = slot->pointer;
		bool is_gone = cgroup->id && counter->may_forget && !counter->path(counter->context, cgroup->id);

		if (cgroup->is_gone && is_gone) {
			counter->take_unit(counter->context, cgroup->id, &cgroup->value);
			add_counters(&cgroup->unit->taken, &cgroup->value, &cgroup->base);
			remove_cgroup(table, cgroup);
			at--;
			continue;
		}
		cgroup->is_gone = counter->may_forget ? is_gone : cgroup->is_gone;
		cgroup->has_moved = false;
		cgroup->unit->cgroups += !cgroup->is_gone;
		add_counters(&cgroup->unit->present, &cgroup->value, &cgroup->base);
		cgroup->unit->present.processes += cgroup->value.processes;
	}
}

static bool has_cgroups(const struct unit_table *table, const struct unit_sums *unit)
{
	union hash_value *slot;

	for (size_t at = 0; (slot = hash__next(&table->cgroups, &at));)
		if (((struct unit_cgroup *)slot->pointer)->unit == unit)
			return true;
	return false;
}

/* Nobody has heard of them for an hour. What is in "other" stays. */
static void forget_units(struct unit_table *table, const struct unit_counter *counter)
{
	union hash_value *slot;

	for (size_t at = 0; (slot = hash__next(&table->names, &at));) {
		struct unit_sums *unit = slot->pointer;

		if (unit->cgroups || unit == table->other || !counter->may_forget) {
			unit->gone_at = unit->cgroups ? 0 : unit->gone_at;
			continue;
		}
		if (!unit->gone_at)
			unit->gone_at = counter->now;
		if (counter->now - unit->gone_at < UNIT_KEEP_SECONDS || has_cgroups(table, unit))
			continue;
		add_counters(&table->forgotten, &unit->taken, &nothing);
		hash__remove(&table->names, unit->name, strlen(unit->name));
		at--;
		free_unit(unit);
	}
}

void unit_table__take_in(struct unit_table *table, const struct unit_counter *counter)
{
	each_unit(table, begin_sums);
	take_in_units(table, counter);
	take_in_kinds(table, counter);
	sum_up(table, counter);
	forget_units(table, counter);
}

static void add_group(struct watch_unit *to, const char *parent, enum birth birth, enum watch_fate fate,
		      uint64_t children)
{
	for (size_t i = 0; i < to->group_count; i++) {
		struct watch_group *group = &to->groups[i];

		if (group->birth == birth && group->fate == fate && !strcmp(group->parent, parent)) {
			group->children += children;
			return;
		}
	}
	to->groups = checked_grow(to->groups, to->group_count, sizeof(*to->groups));
	to->groups[to->group_count++] = (struct watch_group){
		.parent = checked_strdup(parent),
		.birth = birth,
		.fate = fate,
		.children = children,
	};
}

static void copy_kinds(struct watch_unit *to, const struct unit_sums *from, const struct unit_value *sum)
{
	for (size_t i = 0; i < from->kind_count; i++) {
		const struct kind_sums *kind = &from->kinds[i];

		add_group(to, kind->parent, kind->birth, kind->fate, kind->taken + kind->present);
	}
	for (int birth = 0; birth < BIRTH_COUNT; birth++)
		for (int fate = 0; fate < UNIT_FATES; fate++)
			if (sum->unnamed[birth][fate])
				add_group(to, OTHER_PARENT, birth, fate_of(fate), sum->unnamed[birth][fate]);
}

static struct watch_unit unit_of(const struct unit_value *sum)
{
	struct watch_unit unit = {
		.forks = sum->forks,
		.execs = sum->execs,
		.ends = sum->ends,
		.calls = sum->calls,
		.faults = sum->minor_faults + sum->major_faults,
		.major_faults = sum->major_faults,
		.ldso_pages = sum->ldso_pages,
		.fork_ns = sum->fork_ns,
	};

	_Static_assert(sizeof(unit.fork_calls) == sizeof(sum->fork_calls), "the same bounds");
	memcpy(unit.by_birth, sum->by_birth, sizeof(unit.by_birth));
	memcpy(unit.fork_calls, sum->fork_calls, sizeof(unit.fork_calls));
	for (int birth = 0; birth < BIRTH_COUNT; birth++)
		unit.copied_bytes += sum->by_birth[birth][FAULT_COW_COPY] * page_bytes;
	return unit;
}

/* All that was counted ever: units come and go, and this only grows. */
static struct watch_unit host_of(const struct unit_table *table)
{
	struct unit_value sum = table->forgotten;
	union hash_value *value;

	for (size_t at = 0; (value = hash__next(&table->names, &at));) {
		const struct unit_sums *unit = value->pointer;

		add_counters(&sum, &unit->taken, &nothing);
		add_counters(&sum, &unit->present, &nothing);
	}
	return unit_of(&sum);
}

static void copy_unit(struct watch_unit *to, const struct unit_sums *from)
{
	struct unit_value sum = from->taken;

	add_counters(&sum, &from->present, &nothing);
	*to = unit_of(&sum);
	to->name = checked_strdup(from->name);
	to->is_gone = !from->cgroups;
	to->seen_at = from->seen_at;
	to->cgroups = from->cgroups;
	to->processes = from->present.processes;
	to->pool = from->pool;
	copy_kinds(to, from, &sum);
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(((const struct watch_unit *)left)->name, ((const struct watch_unit *)right)->name);
}

void unit_table__copy(const struct unit_table *table, struct watch_sample *sample)
{
	union hash_value *value;

	sample->units = checked_calloc(table->names.count + 1, sizeof(*sample->units));
	for (size_t at = 0; (value = hash__next(&table->names, &at));)
		copy_unit(&sample->units[sample->unit_count++], value->pointer);
	qsort(sample->units, sample->unit_count, sizeof(*sample->units), compare_names);
	sample->host = host_of(table);
	sample->units_merged = table->merged;
}

uint64_t *unit_table__cgroups(const struct unit_table *table, const char *name, size_t *count)
{
	uint64_t *ids = NULL;
	union hash_value *slot;

	*count = 0;
	for (size_t at = 0; (slot = hash__next(&table->cgroups, &at));) {
		const struct unit_cgroup *cgroup = slot->pointer;

		if (cgroup->is_gone || strcmp(cgroup->unit->name, name))
			continue;
		ids = checked_grow(ids, *count, sizeof(*ids));
		ids[(*count)++] = cgroup->id;
	}
	return ids;
}

struct watch_pool *unit_table__pool(struct unit_table *table, const char *name)
{
	union hash_value *found = hash__find(&table->names, name, strlen(name));

	return found ? &((struct unit_sums *)found->pointer)->pool : NULL;
}

void unit_table__release(struct unit_table *table)
{
	union hash_value *slot;

	for (size_t at = 0; (slot = hash__next(&table->cgroups, &at));)
		free(slot->pointer);
	each_unit(table, free_unit);
	hash__release(&table->cgroups);
	hash__release(&table->names);
}
