// SPDX-License-Identifier: GPL-2.0-or-later
/* Finishes a recorded run, when groups and all names of objects that could be read are known. */
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "model/stacks/stacks.h"
#include "source/ebpf/anatomy/detail_reader.h"
#include "source/ebpf/anatomy/detail_reader_state.h"
#include "source/ebpf/anatomy/finish_stacks.h"
#include "source/ebpf/counts/map_walk.h"

struct birth_walk {
	struct detail_reader *reader;
	struct birth_key key;
	struct fork_record record;
};

static void visit_birth(void *context)
{
	struct birth_walk *walk = context;

	detail_reader__take_fork(walk->reader, &walk->record);
}

static int by_group(const void *left, const void *right)
{
	const struct grouped_fork *a = left, *b = right;

	return a->group < b->group ? -1 : a->group > b->group;
}

static uint32_t parent_exe(const struct detail_reader *reader, uint32_t position)
{
	return position == NO_GROUP ? NO_EXE : reader->run->groups[position].parent_exe;
}

/* The look at the parent of a group's children; else at one that ran the same executable. */
static const struct parent_look *find_look(struct detail_reader *reader, uint32_t group,
					   const uint32_t *positions, uint32_t count)
{
	const struct parent_look *similar = NULL;

	for (size_t i = 0; i < reader->look_count; i++) {
		uint32_t other = recorded_table__get(&reader->recorded, reader->looks[i].child)->group;

		if (other == group)
			return &reader->looks[i];
		if (other < count && parent_exe(reader, positions[other]) == parent_exe(reader, positions[group]))
			similar = &reader->looks[i];
	}
	return similar;
}

/* Sums the forks up by group, in the order of the groups. */
static void finish_forks(struct detail_reader *reader, const uint32_t *positions, uint32_t count)
{
	struct anatomy *anatomy = reader->run->anatomy;
	struct birth_walk walk = { .reader = reader };
	size_t last;

	/* What is left in the map was not reaped by wait4, or found no room in the ring. */
	map_walk(reader->skeleton->maps.births, &walk.key, &walk.record, visit_birth, &walk);
	for (size_t i = 0; i < reader->fork_count; i++)
		reader->forks[i].group =
			recorded_table__get(&reader->recorded, reader->forks[i].record.head.process)->group;
	if (reader->fork_count)
		qsort(reader->forks, reader->fork_count, sizeof(*reader->forks), by_group);
	for (size_t first = 0; first < reader->fork_count; first = last) {
		uint32_t group = reader->forks[first].group;
		const struct parent_look *look;
		struct fork_cost *cost;

		for (last = first; last < reader->fork_count && reader->forks[last].group == group;)
			last++;
		if (group >= count || positions[group] == NO_GROUP)
			continue;
		anatomy->forks = checked_grow(anatomy->forks, anatomy->fork_count, sizeof(*anatomy->forks));
		cost = &anatomy->forks[anatomy->fork_count++];
		look = find_look(reader, group, positions, count);
		*cost = fork_cost__of(reader->forks + first, last - first);
		cost->group = positions[group];
		cost->vmas_anon = look ? look->snapshot.vmas_anon : ABSENT;
		cost->rss_bytes = look ? look->snapshot.rss_bytes : ABSENT;
	}
}

/* Copies in parents beyond the records of a thread go to the group of the child. */
static void add_beyond_after(struct detail_reader *reader)
{
	for (size_t i = 0; i < reader->recorded.count; i++) {
		const struct recorded_process *child = reader->recorded.entries[i];

		if (child->group < reader->sample_count)
			reader->samples[child->group].parent_beyond += child->beyond_after;
	}
}

static void count_generations(struct detail_reader *reader)
{
	struct anatomy *anatomy = reader->run->anatomy;

	for (size_t i = 0; i < reader->recorded.count; i++) {
		const struct recorded_process *child = reader->recorded.entries[i];

		if (child->is_sampled && child->group && child->group < reader->sample_count)
			reader->samples[child->group].generations[recorded_process__generation(
				&reader->recorded, child)]++;
	}
	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		const struct page_users *users = &reader->page_users[i];

		for (size_t k = 0; k < users->count; k++) {
			const struct recorded_process *child =
				recorded_table__get(&reader->recorded, users->processes[k]);

			anatomy->got_pages[i].generations[recorded_process__generation(&reader->recorded, child)]++;
		}
	}
}

static void finish_samples(struct detail_reader *reader, const uint32_t *positions, uint32_t count)
{
	struct anatomy *anatomy = reader->run->anatomy;

	anatomy->samples = checked_calloc(reader->sample_count, sizeof(*anatomy->samples));
	add_beyond_after(reader);
	count_generations(reader);
	for (size_t group = 0; group < reader->sample_count; group++) {
		struct sample *sample = &anatomy->samples[anatomy->sample_count];

		if (!reader->samples[group].children)
			continue;
		*sample = reader->samples[group];
		sample->group = group < count ? positions[group] : NO_GROUP;
		anatomy->sample_count++;
	}
}

/*
 * The record of a child that wait4 never returns stays in map births, until the map is full, or the
 * next child with its pid takes its place. Sample 0 is that of the roots.
 */
static void note_lost_forks(const struct detail_reader *reader)
{
	uint64_t children = 0, missing;

	for (size_t group = 1; group < reader->sample_count; group++)
		children += reader->samples[group].children;
	missing = children > reader->fork_count ? children - reader->fork_count : 0;
	if (missing)
		run__note(reader->run, "the times of %llu recorded forks are missing: too many children "
				       "were not reaped by wait4",
			  (unsigned long long)missing);
	reader->run->integrity.losses[LOSS_UNRECORDED] += missing;
}

/* What was recorded, and did not arrive or found no place. */
static void note_gaps(const struct detail_reader *reader)
{
	const struct stacks *stacks = reader->run->anatomy->stacks;
	uint64_t records = reader->skeleton->bss->details_lost;
	uint64_t traced = stacks ? stacks->lost + stacks->calls_left_out : 0;

	for (size_t group = 0; group < reader->sample_count; group++)
		records += reader->samples[group].missed;
	if (records)
		run__note(reader->run, "%llu records are missing from the anatomy: they came faster than "
				       "they were read", (unsigned long long)records);
	if (traced)
		run__note(reader->run, "the stacks of %llu faults and calls are missing: there was no room "
				       "for them, or the mappings were being changed",
			  (unsigned long long)traced);
	if (reader->placeless)
		run__note(reader->run, "%llu recorded faults are missing from the anatomy: it keeps at most "
				       "%d rows",
			  (unsigned long long)reader->placeless, 1 << 16);
	if (reader->got_pages_beyond)
		run__note(reader->run, "the symbols that children bound on %llu pages are unknown: there are "
				       "too many different pages", (unsigned long long)reader->got_pages_beyond);
	reader->run->integrity.losses[LOSS_UNRECORDED] +=
		records + traced + reader->placeless + reader->got_pages_beyond;
}

static void finish_layouts(struct detail_reader *reader, const uint32_t *positions, uint32_t count)
{
	struct anatomy *anatomy = reader->run->anatomy;

	anatomy->layouts = checked_calloc(reader->look_count, sizeof(*anatomy->layouts));
	for (size_t i = 0; i < reader->look_count; i++) {
		uint32_t group = recorded_table__get(&reader->recorded, reader->looks[i].child)->group;
		struct layout *layout = &anatomy->layouts[anatomy->layout_count++];

		*layout = reader->looks[i].snapshot.layout;
		layout->group = group < count ? positions[group] : NO_GROUP;
		layout->exe = layout->group == NO_GROUP ? NO_EXE : reader->run->groups[layout->group].parent_exe;
	}
}

/*
 * Did the processes that faulted on this file map it from another device? Then it lies below an
 * overlay, even if it has a name itself: another process may have mapped it directly.
 */
static bool is_below_overlay(const struct detail_reader *reader, const struct object_entry *entry,
			     struct object_key *other)
{
	const char *path = NULL;

	for (uint32_t i = 0; !path && i < entry->user_count; i++)
		path = object_names__at(reader->names, entry->users[i].pid,
					entry->users[i].address, &other->dev, &other->ino);
	return path && other->ino && other->dev != entry->key.dev;
}

/*
 * The number and the identity by which everybody else knows an object. Faults show a file of
 * overlayfs by the inode below, names and mappings by that of the overlay.
 */
static uint32_t public_number(struct detail_reader *reader, const struct object_entry *entry, struct object_key *key)
{
	struct object_key other = { 0 };
	uint32_t number;

	*key = entry->key;
	if (!is_below_overlay(reader, entry, &other))
		return entry->number;
	number = object_table__find(&reader->objects, other.dev, other.ino);
	if (number != NO_OBJECT)
		return number;
	*key = other;
	return entry->number;
}

static void renumber(uint32_t *object, const uint32_t *numbers)
{
	if (*object != NO_OBJECT)
		*object = numbers[*object];
}

static void finish_objects(struct detail_reader *reader)
{
	struct anatomy *anatomy = reader->run->anatomy;
	size_t count = reader->objects.count;
	uint32_t *numbers = checked_calloc(count, sizeof(*numbers));

	anatomy->objects = checked_calloc(count, sizeof(*anatomy->objects));
	anatomy->object_count = count;
	for (size_t i = 0; i < count; i++) {
		struct object_key key;
		const char *path;

		numbers[i] = public_number(reader, reader->objects.entries[i], &key);
		path = object_names__find(reader->names, key.dev, key.ino);
		anatomy->objects[i] = (struct object){
			.path = path ? strdup(path) : NULL,
			.dev = makedev(key.dev >> 20, key.dev & 0xfffff),
			.ino = key.ino,
		};
	}
	for (size_t i = 0; i < anatomy->row_count; i++) {
		renumber(&anatomy->rows[i].place.object, numbers);
		renumber(&anatomy->rows[i].code.object, numbers);
	}
	for (size_t i = 0; i < anatomy->got_page_count; i++)
		renumber(&anatomy->got_pages[i].object, numbers);
	for (size_t i = 0; anatomy->stacks && i < anatomy->stacks->frame_count; i++)
		renumber(&anatomy->stacks->frames[i].place.object, numbers);
	free(numbers);
}

static void note_nameless(struct detail_reader *reader)
{
	const struct anatomy *anatomy = reader->run->anatomy;
	uint64_t lost = object_names__lost(reader->names);
	size_t nameless = 0;

	for (size_t i = 0; i < anatomy->object_count; i++)
		nameless += !anatomy->objects[i].path;
	if (nameless && lost)
		run__note(reader->run,
			  "%zu files of the anatomy have no name: the kernel dropped %llu of its records "
			  "of mapped files",
			  nameless, (unsigned long long)lost);
}

void detail_reader__finish(struct detail_reader *reader, const uint32_t *positions, uint32_t group_count)
{
	struct anatomy *anatomy = reader->run->anatomy;
	uint32_t *order;

	detail_reader__consume(reader);
	anatomy->got_reads = reader->skeleton->bss->got_reads;
	anatomy->got_ns = reader->skeleton->bss->got_ns;
	finish_forks(reader, positions, group_count);
	finish_samples(reader, positions, group_count);
	note_lost_forks(reader);
	finish_layouts(reader, positions, group_count);
	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		uint32_t group = anatomy->got_pages[i].group;

		anatomy->got_pages[i].group = group < group_count ? positions[group] : NO_GROUP;
	}
	anatomy->rows = row_table__rows(&reader->rows, positions, group_count, &order);
	anatomy->row_count = reader->rows.count;
	if (reader->skeleton->rodata->stacks_wanted)
		stacks__finish(reader, order);
	free(order);
	finish_objects(reader);
	note_nameless(reader);
	note_gaps(reader);
}
