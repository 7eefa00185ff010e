// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/copy_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Zeroed, and without padding: a key of a hash table. */
struct copy_log_key {
	uint64_t unit, stack; /* numbers; stack + 1; 0: none */
	uint32_t birth, place;
};

struct copy_log_sample {
	struct copy_log_key *key;
	uint64_t copies;
};

/* 0: it has none, or there is no room. Takes the stack over. */
static uint64_t number_of_stack(struct copy_log *log, struct unit_copies *copies)
{
	const union hash_value *known = hash__find(&log->stacks, &copies->key.stack, sizeof(copies->key.stack));
	uint64_t number;

	if (!copies->stack)
		return 0;
	if (known)
		return known->number + 1;
	if (log->stacks.count >= COPY_LOG_STACKS)
		return 0;
	number = hash__number(&log->stacks, &copies->key.stack, sizeof(copies->key.stack));
	log->stack_list = checked_grow(log->stack_list, number, sizeof(*log->stack_list));
	log->stack_list[number] = copies->stack;
	copies->stack = NULL;
	return number + 1;
}

/* NULL: there is no room. Without a stack there always is: there are few units, births and places. */
static struct copy_log_sample *find_sample(struct copy_log *log, const struct copy_log_key *key)
{
	const union hash_value *known = hash__find(&log->samples, key, sizeof(*key));
	struct copy_log_sample *sample;
	uint64_t number;

	if (known)
		return &log->list[known->number];
	number = log->samples.count;
	if (number >= COPY_LOG_SAMPLES && key->stack)
		return NULL;
	log->list = checked_grow(log->list, number, sizeof(*log->list));
	sample = &log->list[number];
	*sample = (struct copy_log_sample){ .key = checked_calloc(1, sizeof(*key)) };
	*sample->key = *key;
	hash__number(&log->samples, sample->key, sizeof(*key));
	return sample;
}

static void forget_stack(struct copy_log_key *key)
{
	key->stack = 0;
	if (key->place == COPY_BY_STACK)
		key->place = COPY_UNKNOWN;
}

void copy_log__add(struct copy_log *log, const char *unit, struct unit_copies *copies)
{
	struct copy_log_key key = {
		.unit = texts__number(&log->units, unit),
		.stack = number_of_stack(log, copies),
		.birth = copies->key.birth,
		.place = copies->key.place,
	};
	struct copy_log_sample *sample;

	if (!key.stack)
		forget_stack(&key);
	sample = find_sample(log, &key);
	if (!sample) {
		forget_stack(&key);
		sample = find_sample(log, &key);
	}
	sample->copies += copies->copies;
}

static uint32_t object_of(struct copy_profile *profile, struct hash *objects, const struct copy_frame *frame)
{
	struct copy_file_id id;
	size_t known = objects->count;
	uint64_t number;

	memcpy(id.bytes, frame->build_id, sizeof(id.bytes));
	/* A key of more than 16 bytes has to stay; so the first ones, which no two files have in common. */
	number = hash__number(objects, id.bytes, 16);
	if (number < known)
		return number;
	profile->objects = checked_grow(profile->objects, known, sizeof(*profile->objects));
	profile->ids = checked_grow(profile->ids, known, sizeof(*profile->ids));
	profile->objects[known] = (struct object){ 0 };
	profile->ids[known] = id;
	profile->object_count = known + 1;
	return number;
}

/* A frame for each place in a file, and one for all code that lies in none. */
static uint32_t frame_of(struct copy_profile *profile, struct hash *objects, struct hash *frames,
			 const struct copy_frame *frame)
{
	struct stacks *stacks = profile->stacks;
	struct {
		uint64_t object, offset;
	} key = { frame->is_known ? object_of(profile, objects, frame) : NO_OBJECT, frame->offset };
	const uint64_t known = frames->count, number = hash__number(frames, &key, sizeof(key));

	if (number < known)
		return number;
	stacks->frames = checked_grow(stacks->frames, known, sizeof(*stacks->frames));
	stacks->frames[known] = (struct frame){
		.place = { .kind = frame->is_known ? PLACE_FILE : PLACE_UNKNOWN, .object = key.object,
			   .offset = frame->offset },
	};
	stacks->frame_count = known + 1;
	return number;
}

static void add_stack(struct copy_profile *profile, struct hash *objects, struct hash *frames,
		      const struct copy_stack *from)
{
	struct stacks *stacks = profile->stacks;
	struct call_stack *stack;

	stacks->list = checked_grow(stacks->list, stacks->count, sizeof(*stacks->list));
	stack = &stacks->list[stacks->count++];
	*stack = (struct call_stack){
		.stop = from->count < COPY_FRAMES ? STOP_WHOLE : STOP_CUT,
		.top = UINT32_MAX,
		.frames = checked_calloc(from->count + 1, sizeof(*stack->frames)),
	};
	for (uint64_t i = 0; i < from->count && i < COPY_FRAMES; i++)
		stack->frames[stack->frame_count++] = frame_of(profile, objects, frames, &from->frames[i]);
}

struct copy_profile *copy_log__profile(const struct copy_log *log)
{
	struct copy_profile *profile = checked_calloc(1, sizeof(*profile));
	struct hash objects = { 0 }, frames = { 0 };

	profile->stacks = checked_calloc(1, sizeof(*profile->stacks));
	for (size_t i = 0; i < log->stacks.count; i++)
		add_stack(profile, &objects, &frames, log->stack_list[i]);
	profile->samples = checked_calloc(log->samples.count + 1, sizeof(*profile->samples));
	for (size_t i = 0; i < log->samples.count; i++) {
		const struct copy_log_sample *sample = &log->list[i];

		profile->samples[profile->sample_count++] = (struct copy_sample){
			.unit = checked_strdup(log->units.list[sample->key->unit]),
			.birth = sample->key->birth,
			.place = sample->key->place,
			.stack = sample->key->stack ? sample->key->stack - 1 : NO_STACK,
			.copies = sample->copies,
		};
	}
	hash__release(&objects);
	hash__release(&frames);
	return profile;
}

void copy_log__release(struct copy_log *log)
{
	for (size_t i = 0; i < log->samples.count; i++)
		free(log->list[i].key);
	for (size_t i = 0; i < log->stacks.count; i++)
		free(log->stack_list[i]);
	free(log->list);
	free(log->stack_list);
	hash__release(&log->samples);
	hash__release(&log->stacks);
	texts__release(&log->units);
	*log = (struct copy_log){ 0 };
}
