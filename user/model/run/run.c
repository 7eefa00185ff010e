// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/run/run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"

const char *const image_kind_keys[IMAGE_KIND_COUNT] = {
	[IMAGE_INHERITED] = "inherited",
	[IMAGE_BORROWED] = "borrowed",
	[IMAGE_EXEC] = "exec",
	[IMAGE_ATTACHED] = "attached",
};

uint64_t syscall_row__sum(const uint64_t by_actor[ACTOR_COUNT])
{
	uint64_t sum = 0;

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		sum += by_actor[actor];
	return sum;
}

/* Of the counts by actor at that place in each row. */
static uint64_t sum_of(const struct syscall_table *table, size_t place)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < table->count; i++)
		sum += syscall_row__sum((const uint64_t *)((const char *)&table->rows[i] + place));
	return sum;
}

uint64_t syscall_table__calls(const struct syscall_table *table)
{
	return sum_of(table, offsetof(struct syscall_row, calls));
}

uint64_t syscall_table__errors(const struct syscall_table *table)
{
	return sum_of(table, offsetof(struct syscall_row, errors));
}

uint64_t syscall_table__denied(const struct syscall_table *table)
{
	return sum_of(table, offsetof(struct syscall_row, denied));
}

static int by_calls(const void *left, const void *right)
{
	const struct syscall_row *a = left, *b = right;
	uint64_t a_calls = syscall_row__sum(a->calls), b_calls = syscall_row__sum(b->calls);
	int names;

	if (a_calls != b_calls)
		return a_calls < b_calls ? 1 : -1;
	names = strcmp(a->name, b->name);
	return names ? names : (int)a->abi - (int)b->abi;
}

void syscall_table__sort(struct syscall_table *table)
{
	if (table->count) /* qsort() wants no NULL, not even for nothing */
		qsort(table->rows, table->count, sizeof(*table->rows), by_calls);
}

const struct syscall_row *syscall_table__find(const struct syscall_table *table, const char *name, enum abi abi)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct syscall_row *row = &table->rows[i];

		if ((row->abi == abi || (abi__is_main(row->abi) && abi__is_main(abi))) && row->name &&
		    !strcmp(row->name, name))
			return row;
	}
	return NULL;
}

uint64_t process__syscalls(const struct process *process)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < process->image_count; i++)
		sum += process->images[i].syscalls;
	return sum;
}

void process__faults(const struct process *process, struct faults *sum)
{
	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < process->image_count; i++)
		faults__add(sum, &process->images[i].faults);
}

bool integrity__has_gaps(const struct integrity *integrity)
{
	/* The other losses cost a name or a class, or are part of what was counted. */
	return integrity->losses[LOSS_STORAGE_FAILURES] || integrity->losses[LOSS_MAP_FULL] ||
	       integrity->losses[LOSS_RECURSION_MISSES];
}

bool integrity__is_exact(const struct integrity *integrity)
{
	return !integrity__has_gaps(integrity) && !integrity->losses[LOSS_UNSURE_DENIALS] &&
	       !integrity->losses[LOSS_UNSURE_CALLS] && !integrity->losses[LOSS_UNRECORDED] &&
	       !integrity->losses[LOSS_UNFINISHED];
}

bool run__may_leave_running(const struct run *run)
{
	return run__is_attached(run) && run->kernel; /* a log may be cut off */
}

bool run__is_exact(const struct run *run)
{
	struct integrity integrity = run->integrity;

	if (run__may_leave_running(run))
		integrity.losses[LOSS_UNFINISHED] = 0;
	return integrity__is_exact(&integrity);
}

bool run__is_attached(const struct run *run)
{
	return run->attached_count || run->cgroup_count || run->whole_machine;
}

struct run *run__new(void)
{
	struct run *run = checked_calloc(1, sizeof(*run));

	run->status = -1;
	run->machine.page_bytes = ABSENT;
	run->integrity.exact = true;
	return run;
}

uint64_t run__page_bytes(const struct run *run)
{
	return run->machine.page_bytes == ABSENT ? (uint64_t)page_bytes : run->machine.page_bytes;
}

uint64_t run__page_at(const struct run *run, uint64_t offset)
{
	return offset / run__page_bytes(run);
}

bool run__has(const struct run *run, enum run_data data)
{
	return run->origins[data] == ORIGIN_COUNTED;
}

const struct image *run__first_image(const struct run *run)
{
	return run->process_count && run->processes[0].image_count ? &run->processes[0].images[0] : NULL;
}

const struct process *run__process(const struct run *run, uint64_t id)
{
	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].id == id)
			return &run->processes[i];
	return NULL;
}

const struct exe *run__first_exe(const struct run *run)
{
	const struct image *image = run__first_image(run);

	return image && image->exe < run->exe_count ? &run->exes[image->exe] : NULL;
}

uint64_t run__roots(const struct run *run)
{
	return run->totals[LIFE_PROCESSES] - run->totals[LIFE_FORKS];
}

uint64_t run__children(const struct run *run)
{
	uint64_t children = 0;

	for (uint32_t i = 0; i < run->group_count; i++)
		children += run->groups[i].children;
	return children;
}

bool run__counts(const struct run *run, enum metric metric)
{
	return metric == METRIC_SYSCALLS ||
	       run__has(run, metric == METRIC_FAULTS ? HAS_PROCESS_FAULTS : HAS_FAULT_CLASSES);
}

static int by_birth(const void *left, const void *right)
{
	const struct process *a = left, *b = right;
	bool a_root = !a->parent, b_root = !b->parent;

	if (a_root != b_root)
		return b_root - a_root;
	return (a->id > b->id) - (a->id < b->id);
}

void run__sort_processes(struct run *run)
{
	if (run->process_count) /* qsort() wants no NULL, not even for nothing */
		qsort(run->processes, run->process_count, sizeof(*run->processes), by_birth);
}

/* One at a time: those of a run that was loaded have no room to spare. */
static void make_room_for_note(struct integrity *integrity)
{
	integrity->notes = checked(reallocarray(integrity->notes, integrity->note_count + 1, sizeof(char *)));
}

void run__note(struct run *run, const char *format, ...)
{
	struct integrity *integrity = &run->integrity;
	va_list arguments;

	make_room_for_note(integrity);
	va_start(arguments, format);
	integrity->notes[integrity->note_count++] = text__of_list(format, arguments);
	va_end(arguments);
}

void run__doubt(struct run *run, const char *format, ...)
{
	struct integrity *integrity = &run->integrity;
	va_list arguments;

	make_room_for_note(integrity);
	memmove(integrity->notes + 1, integrity->notes, integrity->note_count++ * sizeof(char *));
	va_start(arguments, format);
	integrity->notes[0] = text__of_list(format, arguments);
	va_end(arguments);
	integrity->exact = false;
	integrity->doubts++;
}

void run__forget_notes(struct run *run)
{
	struct integrity *integrity = &run->integrity;

	for (size_t i = 0; i < integrity->note_count; i++)
		free(integrity->notes[i]);
	integrity->note_count = integrity->doubts = 0;
}

const struct layout *run__parent_layout(const struct run *run, uint32_t group)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct layout *layout = anatomy__layout(anatomy, group);

	for (size_t i = 0; !layout && i < anatomy->layout_count; i++)
		if (anatomy->layouts[i].exe == run->groups[group].parent_exe)
			layout = &anatomy->layouts[i];
	return layout;
}
