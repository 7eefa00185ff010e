// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/unit_table.h"

#include <stdlib.h>
#include <string.h>

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
	double seen_at;
	double gone_at; /* when its last cgroup was missing first, by the clock that is never set; 0: it has one */
	struct watch_pool pool;
};

struct unit_cgroup {
	uint64_t id;
	struct unit_sums *unit;
	bool is_gone; /* as of the last reading: with the next one it is taken out */
	struct unit_value value;
};

/* Adds up all counters. The struct has only numbers; the last two of them are no counters. */
static void add_counters(struct unit_value *sum, const struct unit_value *more)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)more;
	const size_t counters = offsetof(struct unit_value, look) / sizeof(*to);

	for (size_t i = 0; i < counters; i++)
		to[i] += from[i];
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

/* NULL as a name: nobody knows it. */
static struct unit_sums *find_unit(struct unit_table *table, const char *name)
{
	union hash_value *found = name ? hash__find(&table->names, name, strlen(name)) : NULL;

	if (found)
		return found->pointer;
	if (name && table->names.count - (table->other != NULL) < UNIT_NAMES_MOST)
		return new_unit(table, name);
	table->merged++;
	return other_unit(table);
}

static struct unit_sums *unit_of(struct unit_table *table, const struct unit_counter *counter, uint64_t cgroup)
{
	const char *path = cgroup ? counter->path(counter->context, cgroup) : NULL;
	char *old = path || !cgroup ? NULL : counter->old_path(counter->context, cgroup);
	char *name = path || old ? unit_name__of(path ? path : old) : NULL;
	struct unit_sums *unit = cgroup ? find_unit(table, name) : other_unit(table);

	free(old);
	free(name);
	return unit;
}

static struct unit_cgroup *find_cgroup(struct unit_table *table, const struct unit_counter *counter, uint64_t id)
{
	union hash_value *slot = hash__find(&table->cgroups, &id, sizeof(id));
	struct unit_cgroup *cgroup;

	if (slot)
		return slot->pointer;
	cgroup = checked_calloc(1, sizeof(*cgroup));
	cgroup->id = id;
	cgroup->unit = unit_of(table, counter, id);
	hash__get(&table->cgroups, &id, sizeof(id))->pointer = cgroup;
	return cgroup;
}

static bool is_used(const struct unit_value *value)
{
	static const struct unit_value none;

	return memcmp(value, &none, sizeof(none)) != 0;
}

static void take_in_units(struct unit_table *table, const struct unit_counter *counter)
{
	const struct unit_reading *reading = counter->reading;

	for (size_t i = 0; i < reading->unit_count; i++) {
		const struct unit_count *count = &reading->units[i];
		struct unit_cgroup *cgroup;

		if (!count->cgroup && !is_used(&count->value))
			continue;
		cgroup = find_cgroup(table, counter, count->cgroup);
		if (memcmp(&cgroup->value, &count->value, offsetof(struct unit_value, look)))
			cgroup->unit->seen_at = counter->time;
		cgroup->value = count->value;
		if (count->value.look != reading->look)
			cgroup->value.processes = 0;
	}
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
		const struct unit_cgroup *cgroup = find_cgroup(table, counter, kind->key.unit);
		struct kind_sums *sums = find_kind(cgroup->unit, &kind->key);
		uint64_t children = kind->children;

		if (!cgroup->is_gone && reading->kind_count <= KINDS_PRESENT_MOST)
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
			add_counters(&cgroup->unit->taken, &cgroup->value);
			remove_cgroup(table, cgroup);
			at--;
			continue;
		}
		cgroup->is_gone = counter->may_forget ? is_gone : cgroup->is_gone;
		cgroup->unit->cgroups += !cgroup->is_gone;
		add_counters(&cgroup->unit->present, &cgroup->value);
		cgroup->unit->present.processes += cgroup->value.processes;
	}
}

static void free_unit(struct unit_sums *unit)
{
	free(unit->name);
	free(unit->kinds);
	free(unit);
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
	table->lost = counter->reading->lost;
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

static void copy_unit(struct watch_unit *to, const struct unit_sums *from)
{
	struct unit_value sum = from->taken;

	add_counters(&sum, &from->present);
	*to = (struct watch_unit){
		.name = checked_strdup(from->name),
		.is_gone = !from->cgroups,
		.seen_at = from->seen_at,
		.cgroups = from->cgroups,
		.processes = from->present.processes,
		.forks = sum.forks,
		.execs = sum.execs,
		.ends = sum.ends,
		.calls = sum.calls,
		.faults = sum.minor_faults + sum.major_faults,
		.major_faults = sum.major_faults,
		.ldso_pages = sum.ldso_pages,
		.fork_ns = sum.fork_ns,
		.pool = from->pool,
	};
	_Static_assert(sizeof(to->fork_calls) == sizeof(sum.fork_calls), "the same bounds");
	memcpy(to->by_birth, sum.by_birth, sizeof(to->by_birth));
	memcpy(to->fork_calls, sum.fork_calls, sizeof(to->fork_calls));
	for (int birth = 0; birth < BIRTH_COUNT; birth++)
		to->copied_bytes += sum.by_birth[birth][FAULT_COW_COPY] * page_bytes;
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
	sample->units_merged = table->merged;
	sample->lost_events = table->lost;
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
