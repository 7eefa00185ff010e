// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What happens in a child can be summed up only once its group is known, when its first image
 * ends: until then its records wait.
 */
#include "source/anatomy.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "forktax.skel.h"
#include "source/anatomy_forks.h"
#include "source/anatomy_rows.h"
#include "source/fault_timer.h"
#include "source/map_walk.h"
#include "source/object_names.h"
#include "source/recorded.h"
#include "source/snapshot.h"

/* Looked at once, when its first child was born. */
struct parent_look {
	uint64_t child;
	struct snapshot snapshot;
};

struct anatomy_source {
	struct forktax_bpf *skeleton;
	struct run *run;
	struct fault_timer timer;
	struct object_names *names;
	struct object_table objects;
	struct row_table rows;
	struct recorded_table recorded;
	struct sample *samples; /* by index of the group_value */
	size_t sample_count;
	struct grouped_fork *forks; /* group: GROUP_UNKNOWN until finish */
	size_t fork_count;
	struct parent_look *looks;
	size_t look_count;
	uint64_t rows_full; /* faults that found no row */
};

static void *grow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	array = reallocarray(array, count ? 2 * count : 1, size);
	if (!array)
		err(125, "out of memory");
	return array;
}

struct anatomy_source *anatomy_source__open(struct forktax_bpf *skeleton, struct run *run)
{
	struct anatomy_source *source = calloc(1, sizeof(*source));
	int failure;

	if (!source)
		err(125, "out of memory");
	source->skeleton = skeleton;
	source->run = run;
	source->names = object_names__new(bpf_map__fd(skeleton->maps.mmaps));
	run->anatomy = anatomy__new();
	run->anatomy->full = ANATOMY_FULL;
	run->anatomy->every = ANATOMY_EVERY;
	failure = fault_timer__start(&source->timer, skeleton->progs.on_fault_end);
	run->anatomy->durations = !failure;
	if (failure)
		run__note(run, "faults could not be timed (perf_event_open: %s)", strerror(-failure));
	return source;
}

void anatomy_source__close(struct anatomy_source *source)
{
	if (!source)
		return;
	fault_timer__stop(&source->timer);
	object_names__free(source->names);
	object_table__release(&source->objects);
	row_table__release(&source->rows);
	recorded_table__release(&source->recorded);
	free(source->samples);
	free(source->forks);
	free(source->looks);
	free(source);
}

/* The sample of a group, which is numbered by the index of its group_value for now. */
static struct sample *find_sample(struct anatomy_source *source, uint32_t group)
{
	while (group >= source->sample_count) {
		source->samples = grow(source->samples, source->sample_count, sizeof(struct sample));
		source->samples[source->sample_count] = (struct sample){ .group = source->sample_count };
		source->sample_count++;
	}
	return &source->samples[group];
}

static void sum_up(struct anatomy_source *source, struct batch *batch, uint32_t group,
		   const struct fault_record *fault, uint64_t origin)
{
	uint64_t since = fault->begin_ns > origin ? fault->begin_ns - origin : 0;

	if (!row_table__add(&source->rows, &source->objects, &batch->seen, group, fault, since))
		source->rows_full++;
}

static void sum_up_all(struct anatomy_source *source, struct batch *batch, uint32_t group,
		       uint64_t origin)
{
	for (size_t i = 0; i < batch->count; i++)
		sum_up(source, batch, group, &batch->faults[i], origin);
	free(batch->faults);
	batch->faults = NULL;
	batch->count = 0;
}

/* A fault in its parent after the birth of `child`. */
static void take_parent_fault(struct anatomy_source *source, const struct fault_record *fault)
{
	struct recorded *child = recorded_table__get(&source->recorded, fault->child);

	if (child->group == GROUP_UNKNOWN)
		batch__add(&child->after, fault);
	else
		sum_up(source, &child->after, child->group, fault, child->birth_ns);
}

static void take_fault(struct anatomy_source *source, const struct fault_record *fault)
{
	struct recorded *recorded = recorded_table__get(&source->recorded, fault->head.process);

	recorded->received++;
	if (fault->phase == PHASE_PARENT) {
		recorded->received_parent++;
		take_parent_fault(source, fault);
	} else {
		/* All of an image waits for its end, which has the time of its begin. */
		batch__add(&recorded->own, fault);
	}
}

static bool same_page(const struct got_page *page, uint32_t group, uint32_t object,
		      const struct got_pair *pair)
{
	return page->group == group && page->object == object &&
	       page->offset == pair->after->place.offset &&
	       !memcmp(page->before, pair->before->bytes, GOT_PAGE) &&
	       !memcmp(page->after, pair->after->bytes, GOT_PAGE);
}

/* Children of one parent mostly bind alike: equal pairs of pages are kept once. */
static void take_pair(struct anatomy_source *source, uint32_t group, const struct got_pair *pair)
{
	struct anatomy *anatomy = source->run->anatomy;
	const struct place_record *place = &pair->after->place;
	uint32_t object = object_table__number(&source->objects, place->dev, place->ino, 0, 0);
	struct got_page *page;

	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		if (same_page(&anatomy->got_pages[i], group, object, pair)) {
			anatomy->got_pages[i].children++;
			return;
		}
	}
	anatomy->got_pages =
		grow(anatomy->got_pages, anatomy->got_page_count, sizeof(*anatomy->got_pages));
	page = &anatomy->got_pages[anatomy->got_page_count++];
	*page = (struct got_page){
		.group = group,
		.object = object,
		.offset = place->offset,
		.address = pair->before->address,
		.children = 1,
	};
	memcpy(page->before, pair->before->bytes, GOT_PAGE);
	memcpy(page->after, pair->after->bytes, GOT_PAGE);
}

static void end_first_image(struct anatomy_source *source, struct recorded *recorded,
			    const struct image_record *image)
{
	recorded->group = image->group;
	recorded->birth_ns = image->begin_ns;
	sum_up_all(source, &recorded->after, recorded->group, recorded->birth_ns);
	for (unsigned int i = 0; i < recorded->got_count; i++)
		if (recorded->gots[i].before && recorded->gots[i].after)
			take_pair(source, recorded->group, &recorded->gots[i]);
	recorded__drop_gots(recorded);
}

static void add_to_sample(struct sample *sample, const struct recorded *recorded,
			  const struct image_record *image)
{
	bool inherited = image->kind == IMAGE_INHERITED || image->kind == IMAGE_BORROWED;
	uint64_t unattributed = image->faults > image->classified ? image->faults - image->classified : 0;
	uint64_t missed =
		image->classified > recorded->received ? image->classified - recorded->received : 0;

	sample->children += !image->image;
	sample->faults += image->faults;
	sample->unattributed += unattributed;
	sample->missed += missed;
	if (!inherited)
		return;
	sample->child_faults += image->faults - recorded->received_parent;
	sample->child_unattributed += unattributed;
	sample->child_missed += missed;
}

/* Faults that an execve took in the image it builds were recorded before the old image ended. */
static void keep_next(struct recorded *recorded, uint32_t ended)
{
	struct batch *own = &recorded->own, *next = &recorded->next;
	size_t kept = 0;

	for (size_t i = 0; i < own->count; i++) {
		if (own->faults[i].image == ended)
			own->faults[kept++] = own->faults[i];
		else
			batch__add(next, &own->faults[i]);
	}
	own->count = kept;
}

static void take_image(struct anatomy_source *source, const struct image_record *image)
{
	struct recorded *recorded = recorded_table__get(&source->recorded, image->head.process);

	keep_next(recorded, image->image);
	recorded->received -= recorded->next.count;
	if (recorded->group == GROUP_UNKNOWN)
		end_first_image(source, recorded, image);
	sum_up_all(source, &recorded->own, recorded->group, image->begin_ns);
	add_to_sample(find_sample(source, recorded->group), recorded, image);
	batch__release(&recorded->own);
	recorded->own = recorded->next;
	recorded->received = recorded->next.count;
	recorded->received_parent = 0;
	memset(&recorded->next, 0, sizeof(recorded->next));
}

static void take_fork(struct anatomy_source *source, const struct fork_record *record)
{
	source->forks = grow(source->forks, source->fork_count, sizeof(*source->forks));
	source->forks[source->fork_count++] =
		(struct grouped_fork){ .group = GROUP_UNKNOWN, .record = *record };
}

static uint32_t number_object(void *context, uint32_t dev, uint64_t ino, const char *path)
{
	struct anatomy_source *source = context;

	if (path)
		object_names__add(source->names, dev, ino, path);
	return object_table__number(&source->objects, dev, ino, 0, 0);
}

static void take_first_fork(struct anatomy_source *source, const struct first_fork_record *record)
{
	struct parent_look look = { .child = record->child };

	snapshot__take(&look.snapshot, record->head.pid, source->skeleton->progs.list_vmas,
		       number_object, source);
	if (!look.snapshot.layout.vma_count)
		return; /* gone already */
	source->looks = grow(source->looks, source->look_count, sizeof(*source->looks));
	source->looks[source->look_count++] = look;
}

int anatomy_source__take(void *context, void *data, size_t size)
{
	struct anatomy_source *source = context;
	const struct detail *detail = data;

	if (size < sizeof(*detail))
		return 0;
	if (detail->kind == DETAIL_FAULT && size >= sizeof(struct fault_record))
		take_fault(source, data);
	else if (detail->kind == DETAIL_IMAGE && size >= sizeof(struct image_record))
		take_image(source, data);
	else if (detail->kind == DETAIL_FORK && size >= sizeof(struct fork_record))
		take_fork(source, data);
	else if (detail->kind == DETAIL_FIRST_FORK && size >= sizeof(struct first_fork_record))
		take_first_fork(source, data);
	else if (detail->kind == DETAIL_GOT && size >= sizeof(struct got_record))
		recorded__keep_got(recorded_table__get(&source->recorded, detail->process), data);
	return 0;
}

void anatomy_source__consume(struct anatomy_source *source)
{
	object_names__consume(source->names);
}

void anatomy_source__attach(struct anatomy_source *source, int32_t pid)
{
	object_names__read_maps(source->names, pid);
}

struct birth_walk {
	struct anatomy_source *source;
	struct birth_key key;
	struct fork_record record;
};

static void visit_birth(void *context)
{
	struct birth_walk *walk = context;

	take_fork(walk->source, &walk->record);
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
		anatomy->forks = grow(anatomy->forks, anatomy->fork_count, sizeof(*anatomy->forks));
		cost = &anatomy->forks[anatomy->fork_count++];
		look = find_look(source, group, positions, count);
		*cost = fork_cost__of(source->forks + first, last - first);
		cost->group = positions[group];
		cost->vmas_anon = look ? look->snapshot.vmas_anon : ABSENT;
		cost->rss_bytes = look ? look->snapshot.rss_bytes : ABSENT;
	}
}

static void finish_samples(struct anatomy_source *source, const uint32_t *positions, uint32_t count)
{
	struct anatomy *anatomy = source->run->anatomy;

	anatomy->samples = calloc(source->sample_count + 1, sizeof(*anatomy->samples));
	if (!anatomy->samples)
		err(125, "out of memory");
	for (size_t group = 0; group < source->sample_count; group++) {
		struct sample *sample = &anatomy->samples[anatomy->sample_count];

		if (!source->samples[group].children)
			continue;
		*sample = source->samples[group];
		sample->group = group < count ? positions[group] : NO_GROUP;
		anatomy->sample_count++;
	}
}

static void finish_layouts(struct anatomy_source *source, const uint32_t *positions, uint32_t count)
{
	struct anatomy *anatomy = source->run->anatomy;

	anatomy->layouts = calloc(source->look_count + 1, sizeof(*anatomy->layouts));
	if (!anatomy->layouts)
		err(125, "out of memory");
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
 * The number, and the identity, that everybody else knows an object by. Faults know files of
 * overlayfs by the inode below, names and mappings by that of the overlay.
 */
static uint32_t public_number(struct anatomy_source *source, const struct object_entry *entry,
			      struct object_key *key)
{
	const char *path = object_names__find(source->names, entry->key.dev, entry->key.ino);
	struct object_key other = { 0 };
	uint32_t number;

	*key = entry->key;
	for (uint32_t i = 0; !path && i < entry->user_count; i++)
		path = object_names__at(source->names, entry->users[i].pid,
					entry->users[i].address, &other.dev, &other.ino);
	if (!path || !other.ino)
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
	uint32_t *numbers = calloc(count + 1, sizeof(*numbers));

	anatomy->objects = calloc(count + 1, sizeof(*anatomy->objects));
	if (!anatomy->objects || !numbers)
		err(125, "out of memory");
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

void anatomy_source__finish(struct anatomy_source *source, const uint32_t *positions,
			    uint32_t group_count)
{
	struct anatomy *anatomy = source->run->anatomy;

	anatomy_source__consume(source);
	finish_forks(source, positions, group_count);
	finish_samples(source, positions, group_count);
	finish_layouts(source, positions, group_count);
	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		uint32_t group = anatomy->got_pages[i].group;

		anatomy->got_pages[i].group = group < group_count ? positions[group] : NO_GROUP;
	}
	anatomy->rows = row_table__rows(&source->rows, positions, group_count);
	anatomy->row_count = source->rows.count;
	finish_objects(source);
	if (source->rows_full)
		run__note(source->run, "%llu recorded faults are missing in the anatomy: it has more "
				       "than %d different rows",
			  (unsigned long long)source->rows_full, 1 << 16);
}
