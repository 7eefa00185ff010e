// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What happens in a child can be summed up only once its group is known, when its first image
 * ends: until then its records wait.
 */
#include "source/ebpf/anatomy/recorder_state.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "source/ebpf/anatomy/recorded_layout.h"

struct anatomy_source *anatomy_source__open(struct forktax_bpf *skeleton, struct run *run)
{
	struct anatomy_source *source = checked_calloc(1, sizeof(*source));
	int failure;

	source->skeleton = skeleton;
	source->run = run;
	source->names = object_names__new(bpf_map__fd(skeleton->maps.mmaps));
	run->anatomy = anatomy__new();
	run->anatomy->full = ANATOMY_FULL;
	run->anatomy->every = ANATOMY_EVERY;
	failure = fault_timer__start(&source->timer, skeleton->progs.on_fault_end);
	run->anatomy->durations = skeleton->bss->timing = !failure;
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
	for (size_t i = 0; i < source->page_user_count; i++)
		free(source->page_users[i].processes);
	free(source->page_users);
	free(source->forks);
	free(source->looks);
	free(source);
}

/* The sample of a group, which is numbered by the index of its group_value for now. */
static struct sample *find_sample(struct anatomy_source *source, uint32_t group)
{
	while (group >= source->sample_count) {
		source->samples = checked_grow(source->samples, source->sample_count, sizeof(struct sample));
		source->samples[source->sample_count] = (struct sample){ .group = source->sample_count };
		source->sample_count++;
	}
	return &source->samples[group];
}

static void sum_up(struct anatomy_source *source, struct batch *batch, uint32_t group,
		   const struct fault_record *fault, uint64_t origin)
{
	uint64_t since = fault->begin_ns > origin ? fault->begin_ns - origin : 0;

	if (!row_table__add(&source->rows, &source->objects, &batch->image, group, fault, since))
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

static void take_beyond(struct anatomy_source *source, const struct beyond_record *beyond)
{
	struct recorded *recorded = recorded_table__get(&source->recorded, beyond->head.process);

	recorded->received++;
	recorded->beyond++;
	if (!beyond->child)
		return;
	recorded->received_parent++;
	recorded->beyond_parent++;
	recorded_table__get(&source->recorded, beyond->child)->beyond_after++;
}

/*
 * Each parent has its own addresses, so that a shell that runs a program again and again has ever
 * new pages. What is not kept is taken to be bound as the others are.
 */
enum { GOT_PAGES_MOST = 4096 };

static bool same_page(const struct got_page *page, uint32_t group, uint32_t object,
		      const struct got_pair *pair)
{
	return page->group == group && page->object == object &&
	       page->offset == pair->after->place.offset &&
	       !memcmp(page->before, pair->before->bytes, GOT_PAGE) &&
	       !memcmp(page->after, pair->after->bytes, GOT_PAGE);
}

static void add_user(struct page_users *users, uint64_t process)
{
	users->processes = checked_grow(users->processes, users->count, sizeof(*users->processes));
	users->processes[users->count++] = process;
}

/* Children of one parent mostly bind alike: equal pairs of pages are kept once. */
static void take_pair(struct anatomy_source *source, uint32_t group, uint64_t process,
		      const struct got_pair *pair)
{
	struct anatomy *anatomy = source->run->anatomy;
	const struct place_record *place = &pair->after->place;
	uint32_t object = object_table__number(&source->objects, place->dev, place->ino, 0, 0);
	struct got_page *page;

	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		if (same_page(&anatomy->got_pages[i], group, object, pair)) {
			anatomy->got_pages[i].children++;
			add_user(&source->page_users[i], process);
			return;
		}
	}
	if (anatomy->got_page_count == GOT_PAGES_MOST)
		return;
	anatomy->got_pages =
		checked_grow(anatomy->got_pages, anatomy->got_page_count, sizeof(*anatomy->got_pages));
	source->page_users = checked_grow(source->page_users, source->page_user_count,
					  sizeof(*source->page_users));
	source->page_users[source->page_user_count] = (struct page_users){ 0 };
	add_user(&source->page_users[source->page_user_count++], process);
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
			take_pair(source, recorded->group, recorded->id, &recorded->gots[i]);
	recorded__drop_gots(recorded);
}

static void add_to_sample(struct sample *sample, const struct recorded *recorded,
			  const struct image_record *image)
{
	bool inherited = image->kind == IMAGE_INHERITED || image->kind == IMAGE_BORROWED;
	uint64_t unattributed = image->faults > image->classified ? image->faults - image->classified : 0;
	uint64_t told = recorded->received + image->unsampled;
	uint64_t missed = image->classified > told ? image->classified - told : 0;

	sample->children += !image->image;
	sample->faults += image->faults;
	sample->unattributed += unattributed;
	sample->missed += missed;
	sample->unsampled += image->unsampled;
	sample->beyond += recorded->beyond;
	if (!inherited)
		return;
	sample->child_faults += image->faults - recorded->received_parent - image->unsampled;
	sample->child_unattributed += unattributed;
	sample->child_beyond += recorded->beyond - recorded->beyond_parent;
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
	recorded->is_sampled |= !image->image;
	batch__release(&recorded->own);
	recorded->own = recorded->next;
	recorded->received = recorded->next.count;
	recorded->received_parent = 0;
	recorded->beyond = recorded->beyond_parent = 0;
	memset(&recorded->next, 0, sizeof(recorded->next));
}

void anatomy_source__take_fork(struct anatomy_source *source, const struct fork_record *record)
{
	struct recorded *child = recorded_table__get(&source->recorded, record->head.process);

	child->parent = record->parent;
	child->forked = record->forked;
	child->execed = record->execed;
	source->forks = checked_grow(source->forks, source->fork_count, sizeof(*source->forks));
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

/* The parent is gone already, or has executed something else. */
static bool reconstruct(struct anatomy_source *source, const struct first_fork_record *record,
			struct layout *layout)
{
	struct mapping_record *mappings;
	size_t count;

	object_names__consume(source->names);
	count = object_names__mappings(source->names, record->head.pid, record->ns, &mappings);
	layout_recorded__make(layout, mappings, count, number_object, source);
	free(mappings);
	run__note(source->run,
		  layout->vma_count ? "process %d ended, or executed something else, before its memory "
				      "could be looked at: its objects are known, their pages are not"
				    : "process %d ended, or executed something else, before its memory "
				      "could be looked at: neither its layout nor the providers of "
				      "symbols are known",
		  record->head.pid);
	return layout->vma_count;
}

static void take_first_fork(struct anatomy_source *source, const struct first_fork_record *record)
{
	struct parent_look look = { .child = record->child };

	snapshot__take(&look.snapshot, record, source->skeleton->progs.list_vmas, number_object,
		       source);
	if (!look.snapshot.layout.vma_count && !reconstruct(source, record, &look.snapshot.layout))
		return;
	source->looks = checked_grow(source->looks, source->look_count, sizeof(*source->looks));
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
	else if (detail->kind == DETAIL_BEYOND && size >= sizeof(struct beyond_record))
		take_beyond(source, data);
	else if (detail->kind == DETAIL_IMAGE && size >= sizeof(struct image_record))
		take_image(source, data);
	else if (detail->kind == DETAIL_FORK && size >= sizeof(struct fork_record))
		anatomy_source__take_fork(source, data);
	else if (detail->kind == DETAIL_FIRST_FORK && size >= sizeof(struct first_fork_record))
		take_first_fork(source, data);
	else if (detail->kind == DETAIL_GOT && size >= sizeof(struct got_record))
		recorded__keep_got(recorded_table__get(&source->recorded, detail->process), data);
	return 0;
}

/*
 * The kernel's events cost every fault on the machine. Once enough children of every kind have been
 * timed, they are done without, until a new kind is born.
 */
static void pause_timer(struct anatomy_source *source)
{
	struct forktax_bpf__bss *bss = source->skeleton->bss;
	bool done = bss->life[LIFE_PROCESSES] > ANATOMY_FULL && !bss->kinds_open;

	if (!source->timer.count)
		return;
	if (done)
		bss->timing = false;
	fault_timer__pause(&source->timer, done);
	if (!done)
		bss->timing = true;
}

void anatomy_source__consume(struct anatomy_source *source)
{
	object_names__consume(source->names);
	pause_timer(source);
}

void anatomy_source__attach(struct anatomy_source *source, int32_t pid)
{
	object_names__read_maps(source->names, pid);
}
