// SPDX-License-Identifier: GPL-2.0-or-later
/* The end of a recorded run: groups are known, and every object has had its chance of a name. */
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "source/ebpf/anatomy/recorder_state.h"
#include "source/ebpf/counts/map_walk.h"

struct birth_walk {
	struct anatomy_source *source;
	struct birth_key key;
	struct fork_record record;
};

static void visit_birth(void *context)
{
	struct birth_walk *walk = context;

	anatomy_source__take_fork(walk->source, &walk->record);
}

static int by_group(const void *left, const void *right)
{
	const struct grouped_fork *a = left, *b = right;

	return a->group < b->group ? -1 : a->group > b->group;
}

static uint32_t parent_exe(const struct anatomy_source *source, uint32_t position)
{
	return position == NO_GROUP ? NO_EXE : source->run->groups[position].parent_exe;
}

/* The look at the parent of a group's children; else at one that ran the same executable. */
static const struct parent_look *find_look(struct anatomy_source *source, uint32_t group,
					   const uint32_t *positions, uint32_t count)
{
	const struct parent_look *similar = NULL;

	for (size_t i = 0; i < source->look_count; i++) {
		uint32_t other =
			recorded_table__get(&source->recorded, source->looks[i].child)->group;

		if (other == group)
			return &source->looks[i];
		if (other < count &&
		    parent_exe(source, positions[other]) == parent_exe(source, positions[group]))
			similar = &source->looks[i];
	}
	return similar;
}

/* Forks of one group each, in the order of the groups. */
static void finish_forks(struct anatomy_source *source, const uint32_t *positions, uint32_t count)
{
	struct anatomy *anatomy = source->run->anatomy;
	struct birth_walk walk = { .source = source };
	size_t last;

	/* Never reaped by wait4, or the ring had no room. */
	map_walk(source->skeleton->maps.births, &walk.key, &walk.record, visit_birth, &walk);
	for (size_t i = 0; i < source->fork_count; i++)
		source->forks[i].group =
			recorded_table__get(&source->recorded, source->forks[i].record.head.process)
				->group;
	if (source->fork_count)
		qsort(source->forks, source->fork_count, sizeof(*source->forks), by_group);
	for (size_t first = 0; first < source->fork_count; first = last) {
		uint32_t group = source->forks[first].group;
		const struct parent_look *look;
		struct fork_cost *cost;

		for (last = first; last < source->fork_count && source->forks[last].group == group;)
			last++;
		if (group >= count || positions[group] == NO_GROUP)
			continue;
		anatomy->forks = checked_grow(anatomy->forks, anatomy->fork_count, sizeof(*anatomy->forks));
		cost = &anatomy->forks[anatomy->fork_count++];
		look = find_look(source, group, positions, count);
		*cost = fork_cost__of(source->forks + first, last - first);
		cost->group = positions[group];
		cost->vmas_anon = look ? look->snapshot.vmas_anon : ABSENT;
		cost->rss_bytes = look ? look->snapshot.rss_bytes : ABSENT;
	}
}

/* Copies in parents beyond what is recorded of a thread: by the group of the child. */
static void add_beyond_after(struct anatomy_source *source)
{
	for (size_t i = 0; i < source->recorded.count; i++) {
		const struct recorded *child = source->recorded.entries[i];

		if (child->group < source->sample_count)
			source->samples[child->group].parent_beyond += child->beyond_after;
	}
}

static void count_generations(struct anatomy_source *source)
{
	struct anatomy *anatomy = source->run->anatomy;

	for (size_t i = 0; i < source->recorded.count; i++) {
		const struct recorded *child = source->recorded.entries[i];

		if (child->is_sampled && child->group && child->group < source->sample_count)
			source->samples[child->group].generations[recorded__generation(
				&source->recorded, child)]++;
	}
	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		const struct page_users *users = &source->page_users[i];

		for (size_t k = 0; k < users->count; k++) {
			const struct recorded *child =
				recorded_table__get(&source->recorded, users->processes[k]);

			anatomy->got_pages[i].generations[recorded__generation(&source->recorded,
									       child)]++;
		}
	}
}

static void finish_samples(struct anatomy_source *source, const uint32_t *positions, uint32_t count)
{
	struct anatomy *anatomy = source->run->anatomy;

	anatomy->samples = checked_calloc(source->sample_count, sizeof(*anatomy->samples));
	add_beyond_after(source);
	count_generations(source);
	for (size_t group = 0; group < source->sample_count; group++) {
		struct sample *sample = &anatomy->samples[anatomy->sample_count];

		if (!source->samples[group].children)
			continue;
		*sample = source->samples[group];
		sample->group = group < count ? positions[group] : NO_GROUP;
		anatomy->sample_count++;
	}
}

/*
 * The record of a child that wait4 never returns stays in map births, until the map is full, or the
 * next child with its pid takes its place. Sample 0 is that of the roots.
 */
static void note_lost_forks(const struct anatomy_source *source)
{
	uint64_t children = 0;

	for (size_t group = 1; group < source->sample_count; group++)
		children += source->samples[group].children;
	if (children > source->fork_count)
		run__note(source->run, "the times of %llu recorded forks are missing: too many children "
				       "were not reaped by wait4",
			  (unsigned long long)(children - source->fork_count));
}

static void finish_layouts(struct anatomy_source *source, const uint32_t *positions, uint32_t count)
{
	struct anatomy *anatomy = source->run->anatomy;

	anatomy->layouts = checked_calloc(source->look_count, sizeof(*anatomy->layouts));
	for (size_t i = 0; i < source->look_count; i++) {
		uint32_t group =
			recorded_table__get(&source->recorded, source->looks[i].child)->group;
		struct layout *layout = &anatomy->layouts[anatomy->layout_count++];

		*layout = source->looks[i].snapshot.layout;
		layout->group = group < count ? positions[group] : NO_GROUP;
		layout->exe = layout->group == NO_GROUP
				      ? NO_EXE
				      : source->run->groups[layout->group].parent_exe;
	}
}

/*
 * Did the processes that faulted on this file map it from another device? That is an overlay. That
 * the file below has a name is no evidence against it: another process may have mapped that one.
 */
static bool is_below_overlay(const struct anatomy_source *source, const struct object_entry *entry,
			     struct object_key *other)
{
	const char *path = NULL;

	for (uint32_t i = 0; !path && i < entry->user_count; i++)
		path = object_names__at(source->names, entry->users[i].pid,
					entry->users[i].address, &other->dev, &other->ino);
	return path && other->ino && other->dev != entry->key.dev;
}

/*
 * The number, and the identity, that everybody else knows an object by. Faults know files of
 * overlayfs by the inode below, names and mappings by that of the overlay.
 */
static uint32_t public_number(struct anatomy_source *source, const struct object_entry *entry,
			      struct object_key *key)
{
	struct object_key other = { 0 };
	uint32_t number;

	*key = entry->key;
	if (!is_below_overlay(source, entry, &other))
		return entry->number;
	number = object_table__find(&source->objects, other.dev, other.ino);
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

static void finish_objects(struct anatomy_source *source)
{
	struct anatomy *anatomy = source->run->anatomy;
	size_t count = source->objects.count;
	uint32_t *numbers = checked_calloc(count, sizeof(*numbers));

	anatomy->objects = checked_calloc(count, sizeof(*anatomy->objects));
	anatomy->object_count = count;
	for (size_t i = 0; i < count; i++) {
		struct object_key key;
		const char *path;

		numbers[i] = public_number(source, source->objects.entries[i], &key);
		path = object_names__find(source->names, key.dev, key.ino);
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
	free(numbers);
}

static void note_nameless(struct anatomy_source *source)
{
	const struct anatomy *anatomy = source->run->anatomy;
	uint64_t lost = object_names__lost(source->names);
	size_t nameless = 0;

	for (size_t i = 0; i < anatomy->object_count; i++)
		nameless += !anatomy->objects[i].path;
	if (nameless && lost)
		run__note(source->run,
			  "%zu files of the anatomy have no name: the kernel dropped %llu of its reports "
			  "of mapped files",
			  nameless, (unsigned long long)lost);
}

void anatomy_source__finish(struct anatomy_source *source, const uint32_t *positions,
			    uint32_t group_count)
{
	struct anatomy *anatomy = source->run->anatomy;

	anatomy_source__consume(source);
	anatomy->got_reads = source->skeleton->bss->got_reads;
	anatomy->got_ns = source->skeleton->bss->got_ns;
	finish_forks(source, positions, group_count);
	finish_samples(source, positions, group_count);
	note_lost_forks(source);
	finish_layouts(source, positions, group_count);
	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		uint32_t group = anatomy->got_pages[i].group;

		anatomy->got_pages[i].group = group < group_count ? positions[group] : NO_GROUP;
	}
	anatomy->rows = row_table__rows(&source->rows, positions, group_count);
	anatomy->row_count = source->rows.count;
	finish_objects(source);
	note_nameless(source);
	if (source->rows_full)
		run__note(source->run, "%llu recorded faults are missing in the anatomy: it has more "
				       "than %d different rows",
			  (unsigned long long)source->rows_full, 1 << 16);
}
