// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/calls/call_reader.h"

#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "model/files/file_calls.h"
#include "model/files/waits.h"
#include "model/words/syscall_names.h"
#include "source/calls/call_stream.h"

enum { CALL_RING = 16 << 20 }; /* bytes */
/* A kilobyte each; a start of more calls than these has done the work of the C library long before. */
enum { ENTRY_STACKS = 1 << 12 };
enum { ENTERED = 64 }; /* threads in calls at once whose stack is kept */
_Static_assert(ENTRY_WORDS == ENTRY_STACK_WORDS, "all that comes is kept");

/* A call that a thread has entered. */
struct entered {
	bool waits; /* for the call itself */
	int32_t tid, nr;
	struct call_entry_stack stack;
};

struct call_reader {
	struct forktax_bpf *skeleton;
	struct call_stream *stream;
	struct run *run;
	struct entered entered[ENTERED]; /* by tid; of two that meet, the newer one */
};

static uint16_t kind_of(const struct file_call *call)
{
	return call->path | call->other << 3 | call->pair << 6 | CALL_KIND_FILES |
	       (call->effect == EFFECT_EXEC ? CALL_KIND_EXEC : 0);
}

static bool concerns_files(const struct file_call *call)
{
	return call->use != FILE_USE_COUNT || call->effect != EFFECT_NONE;
}

static uint16_t kind_of_waiting(const struct waiting_call *call)
{
	return CALL_KIND_FILES | call->memory | (call->memory ? CALL_KIND_MEMORY : 0) |
	       (call->lists ? CALL_KIND_OF_EIGHT : 0);
}

/* What the kernel half has to know of a call (bpf/maps.h). */
static uint16_t kind_of_number(enum abi abi, int32_t nr, bool waits)
{
	const char *name = syscall_name(abi, nr);
	const struct file_call *call = name ? file_call__find(name) : NULL;
	const struct waiting_call *waiting = name && waits ? waiting_call__find(name) : NULL;

	return (call && concerns_files(call) ? kind_of(call) : 0) | (waiting ? kind_of_waiting(waiting) : 0);
}

void call_reader__configure(struct forktax_bpf *skeleton, unsigned int uses)
{
	skeleton->rodata->records_files = uses & CALLS_FOR_FILES;
	skeleton->rodata->records_starts = uses & CALLS_FOR_START;
	skeleton->rodata->start_calls_most = START_CALLS_MOST;
	skeleton->rodata->entry_stacks_most = ENTRY_STACKS;
	skeleton->rodata->call_events_wakeup = CALL_RING / 4;
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int nr = 0; nr < CALL_NUMBERS; nr++)
			skeleton->rodata->call_kinds[abi][nr] = kind_of_number(abi, nr, uses & CALLS_FOR_WAITS);
	bpf_map__set_max_entries(skeleton->maps.call_events, CALL_RING);
}

struct call_reader *call_reader__open(struct forktax_bpf *skeleton, struct run *run, unsigned int uses)
{
	struct call_reader *reader = checked_calloc(1, sizeof(*reader));

	reader->skeleton = skeleton;
	skeleton->bss->files_wanted = uses & CALLS_FOR_FILES;
	skeleton->bss->starts_wanted = uses & CALLS_FOR_START;
	reader->stream = call_stream__new(run, uses);
	reader->run = run;
	return reader;
}

void call_reader__close(struct call_reader *reader)
{
	if (!reader)
		return;
	call_stream__free(reader->stream);
	free(reader);
}

void call_reader__look_at(struct call_reader *reader, uint64_t id, int32_t pid, uint64_t since)
{
	call_stream__look_at(reader->stream, id, pid, since);
}

static uint64_t since_start(const struct call_reader *reader, uint64_t ns)
{
	uint64_t origin = reader->skeleton->bss->root_start_ns;

	return ns > origin ? ns - origin : 0;
}

/* How many bytes path `i` may have in a record of `size` bytes; the last is a NUL. */
static const char *path_of(const struct call_event *event, size_t size, int i)
{
	size_t room = event->path_room, begin = sizeof(*event) + i * room;
	const char *path = (const char *)event + begin;

	if (event->path_states[i] != CALL_PATH_WHOLE && event->path_states[i] != CALL_PATH_CUT)
		return NULL;
	return begin + room <= size && memchr(path, 0, room) ? path : NULL;
}

/* The memory that came in place of a path. */
static void take_memory(struct call_record *call, const struct call_event *event, size_t size)
{
	const uint64_t count = event->arguments[CALL_KIND_PATH(event->kind)];
	const uint64_t bytes = event->kind & CALL_KIND_OF_EIGHT ? count * 8 : count;

	if (event->path_states[0] != CALL_PATH_WHOLE || count > CALL_MEMORY_MOST || bytes > CALL_MEMORY_MOST ||
	    sizeof(*event) + bytes > size)
		return;
	call->memory = event + 1;
	call->memory_size = bytes;
}

static enum path_state state_of(uint8_t state)
{
	static const enum path_state states[] = {
		[CALL_PATH_NONE] = PATH_NONE,
		[CALL_PATH_WHOLE] = PATH_WHOLE,
		[CALL_PATH_CUT] = PATH_CUT,
		[CALL_PATH_UNREADABLE] = PATH_UNREADABLE,
	};

	return state < sizeof(states) / sizeof(states[0]) ? states[state] : PATH_UNREADABLE;
}

static struct entered *entered_of(struct call_reader *reader, int32_t tid)
{
	return &reader->entered[(uint32_t)tid % ENTERED];
}

static void take_stack(struct call_reader *reader, const struct stack_event *event)
{
	struct entered *entered = entered_of(reader, event->head.tid);

	*entered = (struct entered){
		.waits = event->count <= ENTRY_WORDS,
		.tid = event->head.tid,
		.nr = event->nr,
		.stack = { event->ip, event->sp, event->bp, event->link, event->count, { 0 } },
	};
	memcpy(entered->stack.words, event->words, sizeof(entered->stack.words));
}

/* That of the call; NULL: none has come. A denied call is never entered. */
static const struct call_entry_stack *stack_of(struct call_reader *reader, const struct call_event *event)
{
	struct entered *entered = entered_of(reader, event->head.tid);
	const bool waited = entered->waits && entered->tid == event->head.tid &&
			    entered->nr == event->nr && event->end != CALL_DENIED;

	if (entered->tid == event->head.tid)
		entered->waits = false;
	return waited ? &entered->stack : NULL;
}

static void take_call(struct call_reader *reader, const struct call_event *event, size_t size)
{
	const char *name = syscall_name(event->abi, event->nr);
	struct call_record call = {
		.process = event->head.process,
		.tid = event->head.tid,
		.nr = event->nr,
		.abi = event->abi,
		.actor = event->actor,
		.begin_ns = since_start(reader, event->begin_ns),
		.end_ns = since_start(reader, event->end_ns),
		.time_ns = reader->run->timed && event->end == CALL_RETURNED ? event->end_ns - event->begin_ns : ABSENT,
		.entered = event->begin_ns,
		.left = event->end_ns,
		.returned = event->end == CALL_RETURNED,
		.denied = event->end == CALL_DENIED,
		.result = event->result,
		.known = (1 << CALL_ARGUMENTS) - 1,
		.pair_known = event->pair[0] >= 0 && event->pair[1] >= 0,
		.pair = { event->pair[0], event->pair[1] },
		.stack = stack_of(reader, event),
	};
	char unknown[32];

	snprintf(unknown, sizeof(unknown), "unknown(%d)", event->nr);
	call.name = name ? name : unknown;
	memcpy(call.arguments, event->arguments, sizeof(call.arguments));
	if (event->kind & CALL_KIND_MEMORY)
		take_memory(&call, event, size);
	for (int i = 0; i < CALL_PATHS && !(event->kind & CALL_KIND_MEMORY); i++) {
		call.paths[i] = path_of(event, size, i);
		call.path_states[i] = state_of(event->path_states[i]);
	}
	call_stream__call(reader->stream, &call);
	if (event->kind & CALL_KIND_EXEC && call.returned && !call.result)
		call_stream__exec(reader->stream, call.process);
}

int call_reader__take(void *context, void *data, size_t size)
{
	struct call_reader *reader = context;
	const struct call_event_head *head = data;
	const struct life_event *life = data;

	if (size < sizeof(*head))
		return 0;
	if (head->kind == CALL_EVENT_CALL && size >= sizeof(struct call_event))
		take_call(reader, data, size);
	else if (head->kind == CALL_EVENT_STACK && size >= sizeof(struct stack_event))
		take_stack(reader, data);
	else if (head->kind == CALL_EVENT_FORK && size >= sizeof(*life))
		call_stream__fork(reader->stream, life->parent, head->process, life->shares_files);
	else if (head->kind == CALL_EVENT_END && size >= sizeof(*life))
		call_stream__exit(reader->stream, head->process, life->group);
	return 0;
}

void call_reader__finish(struct call_reader *reader, const uint32_t *positions, uint32_t count)
{
	call_stream__missed(reader->stream, reader->skeleton->bss->calls_lost);
	call_stream__finish(reader->stream, positions, count);
	if (reader->run->start)
		reader->run->start->origin_ns = reader->skeleton->bss->root_start_ns;
}
