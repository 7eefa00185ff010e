// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/start/start_causes.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/start/object_faults.h"
#include "base/memory.h"
#include "model/anatomy/anatomy.h"
#include "model/start/start.h"

static enum start_cause_kind kind_of_call(enum start_reason reason)
{
	switch (reason) {
	case REASON_EXEC:
		return START_BY_EXEC;
	case REASON_PRELOAD:
	case REASON_CACHE:
	case REASON_CACHE_GONE:
	case REASON_SEARCH:
	case REASON_SEARCH_DIRECTORY:
	case REASON_OPEN_LIBRARY:
	case REASON_ELF_HEADER:
	case REASON_PROGRAM_HEADERS:
	case REASON_IDENTITY:
	case REASON_CLOSE_LIBRARY:
	case REASON_SEGMENT_ALL:
	case REASON_SEGMENT_CODE:
	case REASON_SEGMENT_CONST:
	case REASON_SEGMENT_DATA:
	case REASON_BSS:
	case REASON_HOLE:
	case REASON_RELRO:
	case REASON_TEXT_RELOCATIONS:
		return START_BY_LIBRARIES;
	case REASON_LOCALE:
	case REASON_GCONV:
		return START_BY_LOCALE;
	case REASON_NSS:
		return START_BY_NAMES;
	case REASON_BREAK:
	case REASON_HEAP:
	case REASON_HEAP_END:
	case REASON_MEMORY:
	case REASON_MEMORY_GONE:
	case REASON_MEMORY_RIGHTS:
	case REASON_RESIZE:
		return START_BY_MEMORY;
	case REASON_SIGNAL:
	case REASON_SIGNAL_MASK:
	case REASON_SIGNAL_END:
	case REASON_SIGNAL_STACK:
		return START_BY_SIGNALS;
	case REASON_FILE:
	case REASON_UNMAP:
	case REASON_TIME_ZONE:
	case REASON_TERMINFO:
		return START_BY_FILES;
	case REASON_CREATE:
	case REASON_WAIT:
	case REASON_EXEC_OTHER:
		return START_BY_CHILDREN;
	default:
		return START_BY_CALLS;
	}
}

static struct start_cause *cause_of(struct start_causes *causes, enum start_cause_kind kind, uint32_t object)
{
	for (size_t i = 0; i < causes->count; i++)
		if (causes->list[i].kind == kind && causes->list[i].object == object)
			return &causes->list[i];
	causes->list = checked_grow(causes->list, causes->count, sizeof(*causes->list));
	causes->list[causes->count] = (struct start_cause){ .kind = kind, .object = object };
	return &causes->list[causes->count++];
}

static int by_path(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* How many different files the calls for files name, and the one that most of them name. */
static void count_files(const struct start *start, struct start_cause *cause)
{
	const char **paths = checked_calloc(start->call_count, sizeof(*paths));
	size_t count = 0, most = 0;

	for (size_t i = 0; i < start->call_count; i++)
		if (start->calls[i].subject && kind_of_call(start->calls[i].reason) == START_BY_FILES)
			paths[count++] = start->calls[i].subject;
	if (count)
		qsort(paths, count, sizeof(*paths), by_path);
	for (size_t i = 0, same = 0; i < count; i++) {
		same = i && !strcmp(paths[i - 1], paths[i]) ? same + 1 : 1;
		cause->count += same == 1;
		if (same > most) {
			most = same;
			cause->named = paths[i];
		}
	}
	free(paths);
}

/* On the clock of the first thread: other threads call and wait at the same time. */
static double clock_ns(const struct start *start, const struct start_call *call)
{
	return call->ns == ABSENT || call->tid != start->calls[0].tid ? 0 : (double)call->ns;
}

static void add_calls(struct start_causes *causes, const struct start *start)
{
	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];
		const enum start_cause_kind kind = kind_of_call(call->reason);
		struct start_cause *cause = cause_of(causes, kind, NO_OBJECT);

		if (kind == START_BY_FILES && !cause->calls)
			count_files(start, cause);
		cause->calls++;
		cause->ns += clock_ns(start, call);
	}
}

static struct start_cause *cause_of_row(struct start_causes *causes, const struct anatomy_row *row)
{
	const bool has_object = place__has_object(&row->place);

	if (row->actor == ACTOR_LDSO)
		return cause_of(causes, START_BY_LDSO, NO_OBJECT);
	switch (row->class) {
	case FAULT_ZERO_FILL:
	case FAULT_ZERO_PAGE:
		return cause_of(causes, START_BY_FILLS, NO_OBJECT);
	case FAULT_FILE_COW:
	case FAULT_COW_COPY:
		return has_object ? cause_of(causes, START_BY_COPIES, row->place.object)
				  : cause_of(causes, START_BY_FAULTS, NO_OBJECT);
	case FAULT_FILE_MAP:
		return cause_of(causes, START_BY_MAPS, row->place.object);
	default:
		return cause_of(causes, START_BY_FAULTS, NO_OBJECT);
	}
}

/* Those of the kernel are in the time of a call. */
static void add_rows(struct start_causes *causes, const struct anatomy *anatomy)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];
		struct start_cause *cause;

		if (row->group != NO_GROUP || row->phase != PHASE_EXEC || row->actor == ACTOR_KERNEL)
			continue;
		cause = cause_of_row(causes, row);
		cause->faults += (double)row->faults;
		cause->ns += anatomy_row__all_ns(row);
	}
}

/* The rows are those of all images. Where the first one has executed another program, only the phases are its own. */
static void add_sums(struct start_causes *causes, const struct start *start)
{
	for (int phase = 0; phase < START_PHASE_COUNT; phase++) {
		for (int actor = 0; actor < ACTOR_COUNT; actor++) {
			const struct start_sum *sum = &start->phases[phase];
			const uint64_t faults = start_sum__faults_by(sum, actor);
			struct start_cause *cause;

			if (actor == ACTOR_KERNEL || !faults)
				continue;
			cause = cause_of(causes, actor == ACTOR_LDSO ? START_BY_LDSO : START_BY_FAULTS, NO_OBJECT);
			cause->faults += (double)faults;
			cause->ns += (double)sum->fault_ns[actor];
		}
	}
}

static void add_faults(struct start_causes *causes, const struct run *run)
{
	if (start__knows_faults(run))
		add_rows(causes, run->anatomy);
	else
		add_sums(causes, run->start);
}

static int by_cost(const void *left, const void *right)
{
	const struct start_cause *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->calls + a->faults != b->calls + b->faults)
		return a->calls + a->faults > b->calls + b->faults ? -1 : 1;
	return a->kind != b->kind ? (int)a->kind - (int)b->kind : (a->object > b->object) - (a->object < b->object);
}

struct start_causes start_causes__of(const struct run *run)
{
	struct start_causes causes = { 0 };

	add_calls(&causes, run->start);
	add_faults(&causes, run);
	if (causes.count)
		qsort(causes.list, causes.count, sizeof(*causes.list), by_cost);
	return causes;
}

void start_causes__free(struct start_causes *causes)
{
	free(causes->list);
	*causes = (struct start_causes){ 0 };
}
