// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/anatomy/finish_stacks.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "forktax.skel.h"
#include "model/stacks/stacks.h"
#include "model/words/syscall_names.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/counts/map_walk.h"
#include "source/ebpf/stacks/perf_map.h"
#include "source/ebpf/stacks/stack_builder.h"

struct finishing {
	struct detail_reader *reader;
	struct stack_builder builder;
	struct hash known; /* numbers of stacks by their hash */
	struct perf_maps maps;
	struct stack_value value; /* large */
};

/* A child has the code of its parent, but writes no map of it. */
static const struct perf_map_entry *find_name(struct finishing *finishing, uint64_t process,
					      int32_t pid, uint64_t address)
{
	const struct perf_map_entry *entry = perf_maps__find(&finishing->maps, pid, address);

	for (int generation = 0; !entry && process && generation < 8; generation++) {
		const struct recorded_process *child = recorded_table__get(&finishing->reader->recorded, process);

		process = child->parent;
		if (!process)
			break;
		pid = recorded_table__get(&finishing->reader->recorded, process)->pid;
		entry = pid ? perf_maps__find(&finishing->maps, pid, address) : NULL;
	}
	return entry;
}

static struct frame make_frame(struct finishing *finishing, const struct place_record *record, uint64_t address)
{
	const struct stack_value *value = &finishing->value;
	struct frame frame = { .place = { .kind = record->kind, .offset = record->offset, .object = NO_OBJECT } };
	const struct perf_map_entry *entry;

	if (record->kind == PLACE_FILE) {
		frame.place.object = object_table__number(&finishing->reader->objects, record->dev,
							  record->ino, value->pid, address);
		return frame;
	}
	if (record->kind != PLACE_ANON)
		return frame;
	frame.pid = value->pid;
	entry = find_name(finishing, value->process, value->pid, record->offset);
	if (entry) {
		frame.place.symbol = checked_strdup(entry->name);
		frame.place.symbol_offset = record->offset - entry->start;
	}
	return frame;
}

static uint32_t number_frame(struct finishing *finishing, const struct place_record *record, uint64_t address)
{
	return stack_builder__frame(&finishing->builder, make_frame(finishing, record, address));
}

static uint32_t add_stack(struct finishing *finishing)
{
	static const enum stack_stop stops[] = {
		[STACK_WHOLE] = STOP_WHOLE,
		[STACK_CUT] = STOP_CUT,
		[STACK_ASTRAY] = STOP_ASTRAY,
	};
	const struct stack_value *value = &finishing->value;
	uint32_t frames[STACK_FRAMES], top = UINT32_MAX;

	for (uint32_t i = 0; i < value->count; i++)
		frames[i] = number_frame(finishing, &value->frames[i], value->ips[i]);
	if (value->top.kind != PLACE_UNKNOWN)
		top = number_frame(finishing, &value->top, value->top_ip);
	return stack_builder__add(&finishing->builder, frames, value->count,
				  value->end <= STACK_ASTRAY ? stops[value->end] : STOP_ASTRAY, top);
}

/* The number of a stack; UINT32_MAX: the kernel half has none by this hash, or one without a frame. */
static uint32_t number_stack(struct finishing *finishing, uint64_t hash)
{
	const union hash_value *found = hash__find(&finishing->known, &hash, sizeof(hash));
	const int map = bpf_map__fd(finishing->reader->skeleton->maps.stacks);
	struct stack_value *value = &finishing->value;
	uint32_t number = UINT32_MAX;

	if (found)
		return found->number;
	if (!bpf_map_lookup_elem(map, &hash, value) && value->count && value->count <= STACK_FRAMES)
		number = add_stack(finishing);
	hash__get(&finishing->known, &hash, sizeof(hash))->number = number;
	return number;
}

static void add_shares(struct finishing *finishing, const uint32_t *order)
{
	const struct stack_table *table = &finishing->reader->stacks;
	struct stacks *stacks = finishing->builder.stacks;

	stacks->shares = checked_calloc(table->count, sizeof(*stacks->shares));
	for (size_t i = 0; i < table->count; i++) {
		const struct counted_stack *counted = table->entries[i];
		const uint32_t stack = number_stack(finishing, counted->hash);

		if (stack == UINT32_MAX) {
			stacks->lost += counted->faults;
			continue;
		}
		stacks->shares[stacks->share_count++] = (struct stack_share){
			order[counted->row], stack, counted->faults, counted->timed, counted->ns,
		};
	}
}

struct call_walk {
	struct finishing *finishing;
	struct call_stack_key key;
	uint64_t calls;
};

static void visit_call(void *context)
{
	struct call_walk *walk = context;
	struct stacks *stacks = walk->finishing->builder.stacks;
	const struct call_key *call = &walk->key.call;
	const uint32_t abi = call->abi < ABI_COUNT ? call->abi : ABI_NATIVE;
	const char *name = syscall_name(abi, call->nr);
	char *known = name ? checked_strdup(name) : text__of("unknown(%d)", call->nr);

	if (abi != ABI_NATIVE)
		text__replace(&known, "%s (%s)", known, abi_keys[abi]);
	stacks->calls = checked_grow(stacks->calls, stacks->call_count, sizeof(*stacks->calls));
	stacks->calls[stacks->call_count++] = (struct stack_call){
		.call = known,
		.exe = exe_position(walk->key.exe),
		.stack = walk->key.stack ? number_stack(walk->finishing, walk->key.stack) : NO_STACK,
		.calls = walk->calls,
	};
}

void stacks__finish(struct detail_reader *reader, const uint32_t *order)
{
	struct finishing finishing = {
		.reader = reader,
		.builder = stack_builder__begin(),
	};
	struct call_walk walk = { .finishing = &finishing };

	finishing.builder.stacks->lost = reader->skeleton->bss->stacks_lost + reader->stacks.beyond;
	finishing.builder.stacks->calls_left_out = reader->skeleton->bss->calls_unstacked;
	add_shares(&finishing, order);
	map_walk(reader->skeleton->maps.call_stacks, &walk.key, &walk.calls, visit_call, &walk);
	reader->run->anatomy->stacks = stack_builder__finish(&finishing.builder);
	if (finishing.maps.budget.cut)
		run__note(reader->run, PERF_MAPS_CUT);
	hash__release(&finishing.known);
	perf_maps__release(&finishing.maps);
}
