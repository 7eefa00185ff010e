// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/flow/flow_reader.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/page.h"
#include "forktax.skel.h"
#include "model/rows/fields.h"
#include "source/ebpf/counts/map_walk.h"
#include "source/ebpf/flow/code_maps.h"
#include "source/ebpf/stacks/perf_map.h"
#include "source/ebpf/stacks/stack_builder.h"

enum { FLOW_RING = 16 << 20 }; /* bytes: 280,000 copies */
enum { COPIES_MOST = 1 << 21, CODES_MOST = 1 << 18 };

struct code_key {
	uint64_t ip, stack;
	uint32_t process, actor;
	int32_t call_nr;
	uint32_t call_abi;
};

struct known_code {
	struct code_key key;
	uint32_t code;
};

struct flow_reader {
	struct forktax_bpf *skeleton;
	struct flow_log *log;
	struct hash current; /* the latest address space of each process, by its id */
	struct hash codes; /* struct known_code */
	struct code_maps *maps; /* one for each of log->processes */
	size_t map_count;
	struct stack_builder stacks;
	struct perf_maps perf_maps;
	struct flow_fill_key fill; /* being walked over */
	uint64_t filled;
};

void flow_reader__configure(struct forktax_bpf *skeleton)
{
	skeleton->rodata->flow = true;
	skeleton->rodata->flow_wakeup = FLOW_RING / 4;
	bpf_map__set_max_entries(skeleton->maps.flow_events, FLOW_RING);
}

struct flow_reader *flow_reader__open(struct forktax_bpf *skeleton, struct flow_log *log)
{
	struct flow_reader *reader = checked_calloc(1, sizeof(*reader));

	log->begin_ns = clock__now_ns();
	reader->skeleton = skeleton;
	reader->log = log;
	reader->stacks = stack_builder__begin();
	return reader;
}

void flow_reader__close(struct flow_reader *reader)
{
	const union hash_value *code;

	if (!reader)
		return;
	for (size_t i = 0; i < reader->map_count; i++)
		code_maps__release(&reader->maps[i]);
	free(reader->maps);
	hash__release(&reader->current);
	for (size_t at = 0; (code = hash__next(&reader->codes, &at));)
		free(code->pointer);
	hash__release(&reader->codes);
	perf_maps__release(&reader->perf_maps);
	shape__free(&stacks_shape, stack_builder__finish(&reader->stacks));
	free(reader);
}

static uint32_t current_of(const struct flow_reader *reader, uint64_t id)
{
	const union hash_value *found = hash__find(&reader->current, &id, sizeof(id));

	return found ? found->number : FLOW_NONE;
}

/* The process has a new address space. */
static struct flow_process *begin(struct flow_reader *reader, const struct flow_event *event)
{
	struct flow_log *log = reader->log;
	const uint32_t memory = log->process_count, previous = current_of(reader, event->process);
	struct flow_process *process;

	log->processes = checked_grow(log->processes, log->process_count, sizeof(*process));
	reader->maps = checked_grow(reader->maps, reader->map_count, sizeof(*reader->maps));
	reader->maps[reader->map_count++] = (struct code_maps){ 0 };
	hash__get(&reader->current, &event->process, sizeof(event->process))->number = memory;
	process = &log->processes[log->process_count++];
	*process = (struct flow_process){
		.id = event->process,
		.pid = event->pid,
		.pool = event->kind == FLOW_ATTACHED ? 0 : memory + 1,
		.image = event->ip,
		.previous = previous,
		.parent = FLOW_NONE,
		.memory = memory,
		.born_ns = event->ns,
		.ended_ns = ABSENT,
	};
	return process;
}

static void end(struct flow_reader *reader, const struct flow_event *event)
{
	uint32_t ended = current_of(reader, event->process);

	if (ended == FLOW_NONE)
		return;
	reader->log->processes[ended].ended_ns = event->ns;
	reader->log->processes[ended].executed = event->kind == FLOW_EXEC;
	if (reader->log->processes[ended].parent != FLOW_NONE) /* others inherit from a root */
		code_maps__release(&reader->maps[ended]);
}

static void take_birth(struct flow_reader *reader, const struct flow_event *event)
{
	uint32_t parent = current_of(reader, event->address);
	struct flow_process *process = begin(reader, event);

	process->parent = parent;
	if (parent != FLOW_NONE && !reader->maps[parent].read_ns)
		code_maps__read(&reader->maps[parent], reader->log->processes[parent].pid);
	if (parent != FLOW_NONE)
		process->pool = reader->log->processes[parent].pool;
	if (event->borrows && parent != FLOW_NONE)
		process->memory = reader->log->processes[parent].memory;
}

/* Whose mappings may be read; 0: it has ended, or executed something else, or its number is another's. */
static int32_t readable_pid(const struct flow_process *process)
{
	return process->ended_ns == ABSENT ? process->pid : 0;
}

/*
 * By the process's own mappings or, if it is gone, by those that it has inherited. False: no code is mapped
 * there, as far as is known.
 */
static bool locate(struct flow_reader *reader, struct flow_code *code)
{
	const struct flow_process *processes = reader->log->processes;
	uint32_t process = code->process;

	while (process != FLOW_NONE &&
	       !code_maps__find(&reader->maps[process], readable_pid(&processes[process]), code))
		process = processes[process].parent;
	return process != FLOW_NONE;
}

static uint32_t number_object(struct flow_log *log, const struct flow_code *code)
{
	struct object *object;

	for (size_t i = 0; i < log->object_count; i++)
		if (log->objects[i].ino == code->ino && log->objects[i].dev == code->dev)
			return i;
	log->objects = checked_grow(log->objects, log->object_count, sizeof(*log->objects));
	object = &log->objects[log->object_count];
	*object = (struct object){ checked_strdup(code->object), code->dev, code->ino, false };
	return log->object_count++;
}

/* The number of a frame; FLOW_NONE: no code lies there. */
static uint32_t number_frame(struct flow_reader *reader, uint32_t process, uint64_t ip)
{
	struct flow_code code = { .process = process, .ip = ip };
	struct frame frame = { .place = { .kind = PLACE_ANON, .object = NO_OBJECT, .offset = ip } };

	if (!locate(reader, &code))
		return FLOW_NONE;
	if (code.object) {
		frame.place.kind = PLACE_FILE;
		frame.place.object = number_object(reader->log, &code);
		frame.place.offset = code.offset;
	} else {
		frame.pid = reader->log->processes[process].pid;
	}
	free(code.object);
	return stack_builder__frame(&reader->stacks, frame);
}

/* The number of a stack by the hash of its addresses; FLOW_NONE: there is none, or it was lost. */
static uint32_t number_stack(struct flow_reader *reader, uint32_t process, uint64_t hash)
{
	uint32_t frames[STACK_FRAMES], count = 0;
	enum stack_stop stop;
	struct raw_stack raw;

	if (!hash)
		return FLOW_NONE;
	if (bpf_map_lookup_elem(bpf_map__fd(reader->skeleton->maps.raw_stacks), &hash, &raw)) {
		reader->log->stacks_lost++;
		return FLOW_NONE;
	}
	stop = raw.count < STACK_FRAMES ? STOP_WHOLE : STOP_CUT;
	for (; count < raw.count && count < STACK_FRAMES; count++) {
		frames[count] = number_frame(reader, process, raw.ips[count]);
		if (frames[count] == FLOW_NONE) {
			stop = STOP_ASTRAY;
			break;
		}
	}
	if (!count)
		return FLOW_NONE;
	return stack_builder__add(&reader->stacks, frames, count, stop,
				  raw.top ? number_frame(reader, process, raw.top) : UINT32_MAX);
}

/* What a process calls its code; else what one calls it that it inherits from. */
static const struct perf_map_entry *find_name(struct flow_reader *reader, uint32_t process, uint64_t ip)
{
	const struct perf_map_entry *entry = NULL;

	for (; !entry && process != FLOW_NONE; process = reader->log->processes[process].parent)
		entry = perf_maps__find(&reader->perf_maps, reader->log->processes[process].pid, ip);
	if (reader->perf_maps.budget.cut)
		reader->log->names_missing = PERF_MAPS_CUT;
	return entry;
}

/* The number of a code in the log; FLOW_NONE: there are too many. */
static uint32_t code_of(struct flow_reader *reader, const struct code_key *key)
{
	const union hash_value *found = hash__find(&reader->codes, key, sizeof(*key));
	struct known_code *known;
	struct flow_log *log = reader->log;
	struct flow_code *code;

	if (found)
		return ((const struct known_code *)found->pointer)->code;
	if (log->code_count == CODES_MOST)
		return FLOW_NONE;
	known = checked_calloc(1, sizeof(*known));
	known->key = *key;
	known->code = log->code_count;
	hash__get(&reader->codes, &known->key, sizeof(known->key))->pointer = known;
	log->codes = checked_grow(log->codes, log->code_count, sizeof(*code));
	code = &log->codes[log->code_count++];
	*code = (struct flow_code){
		.process = key->process,
		.actor = key->actor,
		.ip = key->ip,
		.call_nr = key->call_nr,
		.call_abi = key->call_abi,
		.stack = number_stack(reader, key->process, key->stack),
	};
	if (code->actor != ACTOR_KERNEL)
		locate(reader, code);
	return known->code;
}

/* Of a call only what the kernel wrote in it. */
static struct code_key key_of(uint32_t process, uint64_t ip, uint8_t actor, int32_t call_nr, uint8_t call_abi)
{
	bool is_call = actor == ACTOR_KERNEL && call_nr >= 0;
	struct code_key key;

	memset(&key, 0, sizeof(key));
	key.ip = actor == ACTOR_KERNEL ? 0 : ip;
	key.process = process;
	key.actor = actor < ACTOR_COUNT ? actor : ACTOR_PROGRAM;
	key.call_nr = is_call ? call_nr : -1;
	key.call_abi = is_call ? call_abi : 0;
	return key;
}

static void take_copy(struct flow_reader *reader, const struct flow_event *event)
{
	struct flow_log *log = reader->log;
	uint32_t process = current_of(reader, event->process), code;
	struct code_key key;

	if (process == FLOW_NONE || log->copy_count == COPIES_MOST) {
		log->beyond++;
		return;
	}
	key = key_of(process, event->ip, event->actor, event->call_nr, event->call_abi);
	key.stack = event->stack;
	code = code_of(reader, &key);
	if (code == FLOW_NONE) {
		log->beyond++;
		return;
	}
	log->copies = checked_grow(log->copies, log->copy_count, sizeof(*log->copies));
	log->copies[log->copy_count++] = (struct flow_event_copy){
		.process = process,
		.code = code,
		.address = page__begin(event->address),
		.ns = event->ns,
	};
}

int flow_reader__take(void *context, void *data, size_t size)
{
	struct flow_reader *reader = context;
	const struct flow_event *event = data;

	if (size < sizeof(*event))
		return 0;
	switch (event->kind) {
	case FLOW_COPY:
		take_copy(reader, event);
		break;
	case FLOW_BIRTH:
		take_birth(reader, event);
		break;
	case FLOW_ATTACHED:
		begin(reader, event);
		break;
	case FLOW_EXEC:
		end(reader, event);
		begin(reader, event);
		break;
	case FLOW_END:
		end(reader, event);
		break;
	}
	return 0;
}

static void visit_fill(void *context)
{
	struct flow_reader *reader = context;
	const struct flow_fill_key *fill = &reader->fill;
	const struct flow_process *processes = reader->log->processes;
	uint32_t process = current_of(reader, fill->process), code = FLOW_NONE;

	while (process != FLOW_NONE && (processes[process].image & UINT16_MAX) != fill->image)
		process = processes[process].previous;
	if (process != FLOW_NONE) {
		struct code_key key = key_of(process, fill->ip, fill->actor, fill->call_nr, fill->call_abi);

		code = code_of(reader, &key);
	}
	if (code == FLOW_NONE)
		reader->log->unattributed += reader->filled;
	else
		reader->log->codes[code].filled += reader->filled;
}

static uint32_t process_of(const struct flow_log *log, int32_t pid)
{
	for (size_t i = log->process_count; i-- > 0;)
		if (log->processes[i].pid == pid)
			return i;
	return FLOW_NONE;
}

/* Code of no file: the processes have written their maps by now. */
static void name_code(struct flow_reader *reader)
{
	struct flow_log *log = reader->log;
	struct stacks *stacks = reader->stacks.stacks;
	const struct perf_map_entry *entry;

	for (size_t i = 0; i < log->code_count; i++) {
		struct flow_code *code = &log->codes[i];

		if (code->object || code->actor == ACTOR_KERNEL)
			continue;
		entry = find_name(reader, code->process, code->ip);
		code->symbol = entry ? checked_strdup(entry->name) : NULL;
	}
	for (size_t i = 0; i < stacks->frame_count; i++) {
		struct place *place = &stacks->frames[i].place;

		if (!stacks->frames[i].pid)
			continue;
		entry = find_name(reader, process_of(log, stacks->frames[i].pid), place->offset);
		place->symbol = entry ? checked_strdup(entry->name) : NULL;
		place->symbol_offset = entry ? place->offset - entry->start : 0;
	}
}

void flow_reader__end(struct flow_reader *reader)
{
	reader->log->end_ns = clock__now_ns();
}

void flow_reader__finish(struct flow_reader *reader)
{
	reader->log->lost = reader->skeleton->bss->flow_lost;
	reader->log->unattributed = reader->skeleton->bss->flow_unattributed;
	map_walk(reader->skeleton->maps.flow_fills, &reader->fill, &reader->filled, visit_fill, reader);
	name_code(reader);
	reader->log->stacks = stack_builder__finish(&reader->stacks);
}
