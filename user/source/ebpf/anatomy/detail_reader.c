// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes the records of the ring buffer. What happens in a child can be summed up only once its
 * group is known, when its first image ends: until then its records wait.
 */
#include "source/ebpf/anatomy/detail_reader.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "source/calls/start_log.h"
#include "source/ebpf/anatomy/detail_reader_state.h"

enum { FIRST_PROCESS = 1 }; /* id of the command */

struct detail_reader *detail_reader__open(struct forktax_bpf *skeleton, struct run *run)
{
	struct detail_reader *reader = checked_calloc(1, sizeof(*reader));
	int failure;

	reader->skeleton = skeleton;
	reader->run = run;
	reader->names = object_names__new(bpf_map__fd(skeleton->maps.mmaps));
	run->anatomy = anatomy__new();
	run->anatomy->full = ANATOMY_FULL;
	run->anatomy->every = ANATOMY_EVERY;
	failure = fault_events__start(&reader->timer, skeleton->progs.on_fault_end, FAULT_ENDS);
	run->anatomy->durations = skeleton->bss->timing = !failure;
	if (failure)
		run__note(run, "faults could not be timed (perf_event_open: %s)", strerror(-failure));
	return reader;
}

void detail_reader__close(struct detail_reader *reader)
{
	if (!reader)
		return;
	fault_events__stop(&reader->timer);
	object_names__free(reader->names);
	object_table__release(&reader->objects);
	row_table__release(&reader->rows);
	stack_table__release(&reader->stacks);
	recorded_table__release(&reader->recorded);
	free(reader->samples);
	for (size_t i = 0; i < reader->page_user_count; i++)
		free(reader->page_users[i].processes);
	free(reader->page_users);
	free(reader->forks);
	free(reader->looks);
	free(reader);
}

/* The sample of a group, which is numbered by the index of its group_value for now. */
static struct sample *find_sample(struct detail_reader *reader, uint32_t group)
{
	while (group >= reader->sample_count) {
		reader->samples = checked_grow(reader->samples, reader->sample_count, sizeof(struct sample));
		reader->samples[reader->sample_count] = (struct sample){ .group = reader->sample_count };
		reader->sample_count++;
	}
	return &reader->samples[group];
}

static void sum_up(struct detail_reader *reader, struct batch *batch, uint32_t group,
		   const struct fault_record *fault, uint64_t origin)
{
	uint64_t since = fault->begin_ns > origin ? fault->begin_ns - origin : 0;
	uint32_t row;

	if (!row_table__add(&reader->rows, &reader->objects, &batch->image, group, fault, since, &row))
		reader->placeless++;
	if (fault->stack)
		stack_table__add(&reader->stacks, row, fault->stack, fault->duration_ns);
}

static void sum_up_all(struct detail_reader *reader, struct batch *batch, uint32_t group, uint64_t origin)
{
	for (size_t i = 0; i < batch->count; i++)
		sum_up(reader, batch, group, &batch->faults[i], origin);
	free(batch->faults);
	batch->faults = NULL;
	batch->count = 0;
}

/* A fault in its parent after the birth of `child`. */
static void take_parent_fault(struct detail_reader *reader, const struct fault_record *fault)
{
	struct recorded_process *child = recorded_table__get(&reader->recorded, fault->child);

	if (child->group == GROUP_UNKNOWN)
		batch__add(&child->after, fault);
	else
		sum_up(reader, &child->after, child->group, fault, child->birth_ns);
}

/* Those of the command's first image, one by one: for the phases of its start. */
static void keep_for_start(struct detail_reader *reader, const struct fault_record *fault)
{
	const uint64_t origin = reader->skeleton->bss->root_start_ns;
	const struct start_fault kept = {
		.begin_ns = fault->begin_ns > origin ? fault->begin_ns - origin : 0,
		.ns = fault->duration_ns,
		.actor = fault->actor,
		.class = fault->class,
	};

	if (fault->head.process == FIRST_PROCESS && !fault->image)
		start_faults__add(reader->run->start, &kept);
}

static void take_fault(struct detail_reader *reader, const struct fault_record *fault)
{
	struct recorded_process *recorded = recorded_table__get(&reader->recorded, fault->head.process);

	if (reader->run->start)
		keep_for_start(reader, fault);
	recorded->pid = fault->head.pid;
	recorded->received++;
	if (fault->phase == PHASE_PARENT) {
		recorded->received_parent++;
		take_parent_fault(reader, fault);
	} else {
		/* Faults of an image wait for its end, whose record has its begin. */
		batch__add(&recorded->own, fault);
	}
}

static void take_beyond(struct detail_reader *reader, const struct beyond_record *beyond)
{
	struct recorded_process *recorded = recorded_table__get(&reader->recorded, beyond->head.process);

	recorded->received++;
	recorded->beyond++;
	if (!beyond->child)
		return;
	recorded->received_parent++;
	recorded->beyond_parent++;
	recorded_table__get(&reader->recorded, beyond->child)->beyond_after++;
}

/*
 * Each parent has its own addresses, so a shell that runs one program again and again brings new
 * pages each time. Pages beyond this limit are taken to be bound as those that are kept.
 */
enum { GOT_PAGES_MOST = 4096 };

static bool same_page(const struct got_page *page, uint32_t group, uint32_t object, const struct got_pair *pair)
{
	return page->group == group && page->object == object && page->offset == pair->after->place.offset &&
	       !memcmp(page->before, pair->before->bytes, GOT_PIECE) &&
	       !memcmp(page->after, pair->after->bytes, GOT_PIECE);
}

static void add_user(struct page_users *users, uint64_t process)
{
	users->processes = checked_grow(users->processes, users->count, sizeof(*users->processes));
	users->processes[users->count++] = process;
}

/* Children of one parent mostly bind alike: equal pairs of pages are kept once. */
static void take_pair(struct detail_reader *reader, uint32_t group, uint64_t process, const struct got_pair *pair)
{
	struct anatomy *anatomy = reader->run->anatomy;
	const struct place_record *place = &pair->after->place;
	uint32_t object = object_table__number(&reader->objects, place->dev, place->ino, 0, 0);
	struct got_page *page;

	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		if (same_page(&anatomy->got_pages[i], group, object, pair)) {
			anatomy->got_pages[i].children++;
			add_user(&reader->page_users[i], process);
			return;
		}
	}
	if (anatomy->got_page_count == GOT_PAGES_MOST) {
		reader->got_pages_beyond++;
		return;
	}
	anatomy->got_pages = checked_grow(anatomy->got_pages, anatomy->got_page_count, sizeof(*anatomy->got_pages));
	reader->page_users = checked_grow(reader->page_users, reader->page_user_count, sizeof(*reader->page_users));
	reader->page_users[reader->page_user_count] = (struct page_users){ 0 };
	add_user(&reader->page_users[reader->page_user_count++], process);
	page = &anatomy->got_pages[anatomy->got_page_count++];
	*page = (struct got_page){
		.group = group,
		.object = object,
		.offset = place->offset,
		.address = pair->before->address,
		.children = 1,
	};
	memcpy(page->before, pair->before->bytes, GOT_PIECE);
	memcpy(page->after, pair->after->bytes, GOT_PIECE);
}

static void end_first_image(struct detail_reader *reader, struct recorded_process *recorded,
			    const struct image_record *image)
{
	recorded->group = image->group;
	recorded->birth_ns = image->begin_ns;
	sum_up_all(reader, &recorded->after, recorded->group, recorded->birth_ns);
	for (size_t i = 0; i < recorded->got_count; i++)
		if (recorded->gots[i].before && recorded->gots[i].after)
			take_pair(reader, recorded->group, recorded->id, &recorded->gots[i]);
	recorded_process__drop_gots(recorded);
}

static void add_to_sample(struct sample *sample, const struct recorded_process *recorded,
			  const struct image_record *image)
{
	bool inherited = image->kind == IMAGE_INHERITED || image->kind == IMAGE_BORROWED;
	uint64_t unattributed = image->faults > image->classified ? image->faults - image->classified : 0;
	uint64_t known = recorded->received + image->unsampled;
	uint64_t missed = image->classified > known ? image->classified - known : 0;

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
static void keep_next(struct recorded_process *recorded, uint32_t ended)
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

static void take_image(struct detail_reader *reader, const struct image_record *image)
{
	struct recorded_process *recorded = recorded_table__get(&reader->recorded, image->head.process);

	keep_next(recorded, image->image);
	recorded->received -= recorded->next.count;
	if (recorded->group == GROUP_UNKNOWN)
		end_first_image(reader, recorded, image);
	sum_up_all(reader, &recorded->own, recorded->group, image->begin_ns);
	add_to_sample(find_sample(reader, recorded->group), recorded, image);
	recorded->is_sampled |= !image->image;
	batch__release(&recorded->own);
	recorded->own = recorded->next;
	recorded->received = recorded->next.count;
	recorded->received_parent = 0;
	recorded->beyond = recorded->beyond_parent = 0;
	memset(&recorded->next, 0, sizeof(recorded->next));
}

void detail_reader__take_fork(struct detail_reader *reader, const struct fork_record *record)
{
	struct recorded_process *child = recorded_table__get(&reader->recorded, record->head.process);

	child->parent = record->parent;
	child->forked = record->forked;
	child->execed = record->execed;
	reader->forks = checked_grow(reader->forks, reader->fork_count, sizeof(*reader->forks));
	reader->forks[reader->fork_count++] = (struct grouped_fork){ .group = GROUP_UNKNOWN, .record = *record };
}

static uint32_t number_object(void *context, uint32_t dev, uint64_t ino, const char *path)
{
	struct detail_reader *reader = context;

	if (path)
		object_names__add(reader->names, dev, ino, path);
	return object_table__number(&reader->objects, dev, ino, 0, 0);
}

/* For a parent that has ended already, or has executed something else. */
static bool reconstruct(struct detail_reader *reader, const struct first_fork_record *record, struct layout *layout)
{
	struct mapping_record *mappings;
	size_t count;

	object_names__consume(reader->names);
	count = object_names__mappings(reader->names, record->head.pid, record->ns, &mappings);
	layout_recorded__make(layout, mappings, count, number_object, reader);
	free(mappings);
	run__note(reader->run,
		  layout->vma_count ? "process %d ended, or executed another program, before its memory "
				      "could be read: its objects are known, their pages are not"
				    : "process %d ended, or executed another program, before its memory "
				      "could be read: neither its layout nor the providers of symbols "
				      "are known",
		  record->head.pid);
	return layout->vma_count;
}

static void take_first_fork(struct detail_reader *reader, const struct first_fork_record *record)
{
	struct parent_look look = { .child = record->child };

	snapshot__take(&look.snapshot, record, reader->skeleton->progs.list_vmas, number_object, reader);
	if (!look.snapshot.layout.vma_count && !reconstruct(reader, record, &look.snapshot.layout))
		return;
	reader->looks = checked_grow(reader->looks, reader->look_count, sizeof(*reader->looks));
	reader->looks[reader->look_count++] = look;
}

int detail_reader__take(void *context, void *data, size_t size)
{
	struct detail_reader *reader = context;
	const struct detail *detail = data;

	if (size < sizeof(*detail))
		return 0;
	if (detail->kind == DETAIL_FAULT && size >= sizeof(struct fault_record))
		take_fault(reader, data);
	else if (detail->kind == DETAIL_BEYOND && size >= sizeof(struct beyond_record))
		take_beyond(reader, data);
	else if (detail->kind == DETAIL_IMAGE && size >= sizeof(struct image_record))
		take_image(reader, data);
	else if (detail->kind == DETAIL_FORK && size >= sizeof(struct fork_record))
		detail_reader__take_fork(reader, data);
	else if (detail->kind == DETAIL_FIRST_FORK && size >= sizeof(struct first_fork_record))
		take_first_fork(reader, data);
	else if (detail->kind == DETAIL_GOT && size >= sizeof(struct got_record))
		recorded_process__keep_got(recorded_table__get(&reader->recorded, detail->process), data);
	return 0;
}

/*
 * The kernel's events slow every fault on the machine. They pause once enough children of every
 * kind have been timed, until a new kind is born.
 */
static void pause_timer(struct detail_reader *reader)
{
	struct forktax_bpf__bss *bss = reader->skeleton->bss;
	bool done = bss->life[LIFE_PROCESSES] > ANATOMY_FULL && !bss->kinds_open;

	if (!reader->timer.count)
		return;
	if (done)
		bss->timing = false;
	fault_events__pause(&reader->timer, done);
	if (!done)
		bss->timing = true;
}

void detail_reader__consume(struct detail_reader *reader)
{
	object_names__consume(reader->names);
	pause_timer(reader);
}

void detail_reader__attach(struct detail_reader *reader, int32_t pid)
{
	object_names__read_maps(reader->names, pid);
}
