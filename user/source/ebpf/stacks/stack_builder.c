// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/stacks/stack_builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Compared as bytes. */
struct frame_key {
	uint64_t offset;
	uint32_t object, pid;
};

struct stack_builder stack_builder__begin(void)
{
	return (struct stack_builder){ .stacks = checked_calloc(1, sizeof(struct stacks)) };
}

uint32_t stack_builder__frame(struct stack_builder *builder, struct frame frame)
{
	const struct frame_key key = { frame.place.offset, frame.place.object, frame.pid };
	const uint32_t number = hash__number(&builder->frames, &key, sizeof(key));
	struct stacks *stacks = builder->stacks;

	if (number < stacks->frame_count) {
		free(frame.place.section);
		free(frame.place.symbol);
		return number;
	}
	stacks->frames = checked_grow(stacks->frames, stacks->frame_count, sizeof(*stacks->frames));
	stacks->frames[stacks->frame_count] = frame;
	return stacks->frame_count++;
}

uint32_t stack_builder__add(struct stack_builder *builder, const uint32_t *frames, size_t count,
			    enum stack_stop stop, uint32_t top)
{
	struct stacks *stacks = builder->stacks;
	struct call_stack stack = {
		.frames = checked_calloc(count, sizeof(*frames)),
		.frame_count = count,
		.proven = 1,
		.stop = stop,
		.top = top,
	};

	memcpy(stack.frames, frames, count * sizeof(*frames));
	stacks->list = checked_grow(stacks->list, stacks->count, sizeof(*stacks->list));
	stacks->list[stacks->count] = stack;
	return stacks->count++;
}

struct stacks *stack_builder__finish(struct stack_builder *builder)
{
	struct stacks *stacks = builder->stacks;

	hash__release(&builder->frames);
	*builder = (struct stack_builder){ 0 };
	return stacks;
}
