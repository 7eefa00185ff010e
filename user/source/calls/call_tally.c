// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/call_tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/run/call_errors.h"
#include "source/calls/durations.h"

/* Calls of one image: of a process, after so many execves. */
struct image_calls {
	uint64_t process;
	uint32_t execs;
	uint64_t calls, denied;
};

/* What a process has called, until its group is known. */
struct process_calls {
	struct syscall_table table;
	struct image_calls *images; /* owned */
	size_t image_count;
};

struct group_calls {
	struct syscall_table table;
	struct histogram per_child; /* calls of finished children that made any */
	uint64_t total; /* of these */
};

struct call_tally {
	struct syscall_table all;
	struct durations *durations; /* by row of `all`; owned */
	struct group_calls *groups; /* by number; owned */
	size_t group_count;
	struct image_calls *images; /* of processes that are gone; owned */
	size_t image_count;
};

struct call_tally *call_tally__new(void)
{
	return checked_calloc(1, sizeof(struct call_tally));
}

static void release_table(struct syscall_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		syscall_row__release_errnos(&table->rows[i]);
		free(table->rows[i].buckets);
		free(table->rows[i].name);
	}
	free(table->rows);
	*table = (struct syscall_table){ 0 };
}

void call_tally__free(struct call_tally *tally)
{
	if (!tally)
		return;
	for (size_t i = 0; tally->durations && i < tally->all.count; i++)
		durations__free(&tally->durations[i]);
	release_table(&tally->all);
	for (size_t i = 0; i < tally->group_count; i++) {
		release_table(&tally->groups[i].table);
		histogram__free(&tally->groups[i].per_child);
	}
	free(tally->durations);
	free(tally->groups);
	free(tally->images);
	free(tally);
}

/* Of another row, or of a call; the number may be unknown. */
static struct syscall_row *row_of(struct syscall_table *table, const char *name, enum abi abi, int32_t nr)
{
	struct syscall_row *row = (struct syscall_row *)syscall_table__find(table, name, abi);

	if (row)
		return row;
	table->rows = checked_grow(table->rows, table->count, sizeof(*table->rows));
	row = &table->rows[table->count++];
	*row = (struct syscall_row){ .name = checked_strdup(name), .abi = abi, .nr = nr,
				     .min_ns = ABSENT, .max_ns = ABSENT, .p99_ns = ABSENT };
	return row;
}

static void add_call(struct syscall_row *row, const struct call_record *call)
{
	enum actor actor = call->actor < ACTOR_COUNT ? call->actor : (enum actor)ACTOR_UNKNOWN;
	bool failed = call_record__failed(call);

	if (call->denied) {
		row->denied[actor]++;
		return;
	}
	row->calls[actor]++;
	row->unfinished[actor] += !call->returned;
	row->errors[actor] += failed;
	if (failed)
		syscall_row__add_error(row, (int)-call->result, actor, 1);
	if (call->returned && call->time_ns != ABSENT)
		row->time_ns[actor] += call->time_ns;
}

static void add_to_all(struct call_tally *tally, const struct call_record *call)
{
	size_t before = tally->all.count;
	struct syscall_row *row = row_of(&tally->all, call->name, call->abi, call->nr);
	size_t index = row - tally->all.rows;

	if (tally->all.count > before) {
		tally->durations = checked_grow(tally->durations, before, sizeof(*tally->durations));
		tally->durations[index] = (struct durations){ 0 };
	}
	add_call(row, call);
	if (!call->denied && call->returned && call->time_ns != ABSENT)
		durations__add(&tally->durations[index], call->time_ns);
}

static void add_to_image(struct process_calls *calls, const struct stream_process *process, bool denied)
{
	struct image_calls *image;

	if (!calls->image_count || calls->images[calls->image_count - 1].execs != process->execs) {
		calls->images = checked_grow(calls->images, calls->image_count, sizeof(*calls->images));
		calls->images[calls->image_count++] =
			(struct image_calls){ .process = process->id, .execs = process->execs };
	}
	image = &calls->images[calls->image_count - 1];
	image->calls += !denied;
	image->denied += denied;
}

void call_tally__call(struct call_tally *tally, struct stream_process *process,
		      const struct call_record *call)
{
	if (!process->calls)
		process->calls = checked_calloc(1, sizeof(*process->calls));
	add_to_all(tally, call);
	add_call(row_of(&process->calls->table, call->name, call->abi, call->nr), call);
	add_to_image(process->calls, process, call->denied);
}

static void add_row(struct syscall_table *table, const struct syscall_row *more)
{
	struct syscall_row *row = row_of(table, more->name, more->abi, more->nr);

	for (int actor = 0; actor < ACTOR_COUNT; actor++) {
		row->calls[actor] += more->calls[actor];
		row->errors[actor] += more->errors[actor];
		row->denied[actor] += more->denied[actor];
		row->time_ns[actor] += more->time_ns[actor];
		row->unfinished[actor] += more->unfinished[actor];
	}
	syscall_row__add_errnos(row, more);
}

static struct group_calls *group_of(struct call_tally *tally, uint32_t number)
{
	while (tally->group_count <= number) {
		tally->groups = checked_grow(tally->groups, tally->group_count, sizeof(*tally->groups));
		tally->groups[tally->group_count++] = (struct group_calls){ 0 };
	}
	return &tally->groups[number];
}

static void keep_images(struct call_tally *tally, const struct process_calls *calls)
{
	for (size_t i = 0; i < calls->image_count; i++) {
		tally->images = checked_grow(tally->images, tally->image_count, sizeof(*tally->images));
		tally->images[tally->image_count++] = calls->images[i];
	}
}

void call_tally__exit(struct call_tally *tally, struct stream_process *process, uint32_t group,
		      bool finished)
{
	struct process_calls *calls = process->calls;
	struct group_calls *to = group_of(tally, group);
	uint64_t sum;

	if (!calls)
		return;
	sum = syscall_table__calls(&calls->table);
	for (size_t i = 0; i < calls->table.count; i++)
		add_row(&to->table, &calls->table.rows[i]);
	if (finished && sum) {
		histogram__add(&to->per_child, sum, 1);
		to->total += sum;
	}
	keep_images(tally, calls);
	process_calls__free(calls);
	process->calls = NULL;
}

void process_calls__free(struct process_calls *calls)
{
	if (!calls)
		return;
	release_table(&calls->table);
	free(calls->images);
	free(calls);
}

/* At this rank among all children; many of them made no such call. */
static uint64_t at_rank(struct histogram *per_child, uint64_t children, uint64_t rank)
{
	uint64_t without = children > per_child->count ? children - per_child->count : 0;

	return rank < without ? 0 : histogram__at(per_child, rank - without);
}

static void describe(struct distribution *calls, struct group_calls *counted, uint64_t children)
{
	*calls = (struct distribution){ .total = counted->total };
	if (!children)
		return;
	calls->min = at_rank(&counted->per_child, children, 0);
	calls->median = at_rank(&counted->per_child, children, (children - 1) / 2);
	calls->max = at_rank(&counted->per_child, children, children - 1);
	if (children == 1)
		calls->min = calls->median = calls->max = counted->total;
	calls->rounded = children > 1 && calls->max > DIST_EXACT;
}

static void replace(struct syscall_table *table, struct syscall_table *by)
{
	release_table(table);
	*table = *by;
	*by = (struct syscall_table){ 0 };
	for (size_t i = 0; i < table->count; i++)
		syscall_row__sort_errnos(&table->rows[i]);
	syscall_table__sort(table);
}

static void replace_groups(struct call_tally *tally, struct run *run, const uint32_t *positions,
			   uint32_t count)
{
	struct group_calls none = { 0 };

	for (size_t i = 0; i < run->group_count; i++) {
		release_table(&run->groups[i].table);
		describe(&run->groups[i].of[METRIC_SYSCALLS], &none, run->groups[i].children);
	}
	for (uint32_t i = 1; i < tally->group_count && i < count; i++) {
		struct group *group = positions[i] < run->group_count ? &run->groups[positions[i]] : NULL;

		if (!group)
			continue;
		describe(&group->of[METRIC_SYSCALLS], &tally->groups[i], group->children);
		replace(&group->table, &tally->groups[i].table);
	}
}

static int by_process(const void *left, const void *right)
{
	const struct image_calls *a = left, *b = right;

	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return (a->execs > b->execs) - (a->execs < b->execs);
}

/*
 * The execve that begins a root is a call of the image that it begins; other images end with theirs.
 * What is not listed any longer, the last one in the list has.
 */
static struct image *image_of(struct process *process, uint32_t execs)
{
	size_t index = execs - (process->birth == BIRTH_ROOT && execs);

	if (index < process->image_count)
		return &process->images[index];
	return process->image_count ? &process->images[process->image_count - 1] : NULL;
}

static void replace_images(struct call_tally *tally, struct process *process)
{
	size_t low = 0, high = tally->image_count;

	for (size_t i = 0; i < process->image_count; i++)
		process->images[i].syscalls = process->images[i].denied = 0;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (tally->images[middle].process < process->id)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < tally->image_count && tally->images[low].process == process->id; low++) {
		struct image *image = image_of(process, tally->images[low].execs);

		if (!image)
			continue;
		image->syscalls += tally->images[low].calls;
		image->denied += tally->images[low].denied;
	}
}

void call_tally__finish(struct call_tally *tally, struct run *run, const uint32_t *positions,
			uint32_t count)
{
	for (size_t i = 0; i < tally->all.count; i++) {
		durations__fill(&tally->durations[i], &tally->all.rows[i]);
		durations__free(&tally->durations[i]);
	}
	free(tally->durations);
	tally->durations = NULL;
	replace(&run->table, &tally->all);
	replace(&run->root_table, &group_of(tally, 0)->table);
	replace_groups(tally, run, positions, count);
	if (tally->image_count)
		qsort(tally->images, tally->image_count, sizeof(*tally->images), by_process);
	for (size_t i = 0; i < run->process_count; i++)
		replace_images(tally, &run->processes[i]);
}
