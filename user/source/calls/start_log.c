// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/start_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct start_log {
	struct start *start;
	struct start_call last[START_LAST_CALLS]; /* a ring, filled when the list is full */
	uint64_t late; /* calls that came then */
	bool has_started; /* its first execve has come */
	bool has_ended; /* by the execve of something else */
	uint64_t taken;
};

struct start_log *start_log__new(struct start *start)
{
	struct start_log *log = checked_calloc(1, sizeof(*log));

	log->start = start;
	return log;
}

static void release_call(struct start_call *call)
{
	free(call->name);
	free(call->path);
	free(call->stack);
}

static size_t kept_late(const struct start_log *log)
{
	return log->late < START_LAST_CALLS ? log->late : START_LAST_CALLS;
}

void start_log__free(struct start_log *log)
{
	for (size_t i = 0; log && i < kept_late(log); i++)
		release_call(&log->last[i]);
	free(log);
}

static bool executes(const struct call_record *call)
{
	return call->returned && !call->result && (!strcmp(call->name, "execve") || !strcmp(call->name, "execveat"));
}

static struct start_call copy_of(const struct call_record *record)
{
	struct start_call call = {
		.name = checked_strdup(record->name),
		.abi = record->abi,
		.actor = record->actor,
		.tid = record->tid,
		.begin_ns = record->begin_ns,
		.ns = record->returned && record->end_ns != ABSENT && record->end_ns >= record->begin_ns
			      ? record->end_ns - record->begin_ns
			      : ABSENT,
		.returned = record->returned,
		.denied = record->denied,
		.result = record->returned ? (uint64_t)record->result : 0,
		.phase = START_WHOLE,
	};

	for (int i = 0; i < CALL_ARGUMENTS; i++) {
		call.known[i] = record->known >> i & 1;
		call.arguments[i] = call.known[i] ? record->arguments[i] : 0;
	}
	if (record->stack) {
		call.stack = checked_calloc(1, sizeof(*call.stack));
		*call.stack = *record->stack;
	}
	/* rename and link have two paths: the first, which existed before. */
	if (record->paths[0] && (record->path_states[0] == PATH_WHOLE || record->path_states[0] == PATH_CUT)) {
		call.path = checked_strdup(record->paths[0]);
		call.path_cut = record->path_states[0] == PATH_CUT;
	}
	return call;
}

/* Replaces the oldest of the last calls. */
static void keep_late(struct start_log *log, const struct start_call *call)
{
	struct start_call *place = &log->last[log->late % START_LAST_CALLS];

	if (log->late >= START_LAST_CALLS) {
		log->start->left_out += !place->denied;
		log->start->left_out_errors += !place->denied && start_call__errno(place);
		release_call(place);
	}
	*place = *call;
	log->late++;
}

bool start_log__call(struct start_log *log, const struct call_record *record)
{
	struct start *start = log->start;
	struct start_call call;

	if (log->has_ended || log->taken++ >= START_CALLS_MOST)
		return false;
	log->has_ended = log->has_started && executes(record);
	log->has_started = true;
	call = copy_of(record);
	if (start->call_count >= START_FIRST_CALLS) {
		keep_late(log, &call);
		return true;
	}
	start->calls = checked_grow(start->calls, start->call_count, sizeof(*start->calls));
	start->calls[start->call_count++] = call;
	return true;
}

static int by_begin(const void *left, const void *right)
{
	const struct start_call *a = left, *b = right;

	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

void start_log__finish(struct start_log *log)
{
	struct start *start = log->start;
	size_t late = kept_late(log);

	start->calls = checked(reallocarray(start->calls, start->call_count + late + 1, sizeof(*start->calls)));
	memcpy(start->calls + start->call_count, log->last, late * sizeof(*log->last));
	start->call_count += late;
	log->late = 0;
	qsort(start->calls, start->call_count, sizeof(*start->calls), by_begin);
}

void start_faults__add(struct start *start, const struct start_fault *fault)
{
	if (start->fault_count >= START_FAULTS)
		return;
	start->fault_list = checked_grow(start->fault_list, start->fault_count, sizeof(*start->fault_list));
	start->fault_list[start->fault_count++] = *fault;
}
