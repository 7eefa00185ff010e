// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/names/flow_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/unite.h"
#include "resolve/names/file_identity.h"
#include "resolve/names/stack_names.h"

void flow_stacks__resolve(struct flow_log *log)
{
	for (size_t i = 0; i < log->object_count; i++) {
		struct object *object = &log->objects[i];

		object->changed = file_identity__of(object->path, object->dev, object->ino) == FILE_HAS_CHANGED;
	}
	if (log->stacks)
		stacks__resolve(log->stacks, log->objects, log->object_count);
}

static struct flow_frame frame_of(const struct flow_log *log, const struct frame *frame, bool proven)
{
	const struct place *place = &frame->place;

	return (struct flow_frame){
		.object = place->object == NO_OBJECT ? NULL : checked_strdup(log->objects[place->object].path),
		.symbol = place->symbol ? checked_strdup(place->symbol) : NULL,
		.offset = place->symbol ? 0 : place->offset,
		.proven = proven,
	};
}

void flow_stacks__take(struct flow_writer *writer, const struct flow_log *log, uint32_t stack)
{
	const struct call_stack *call_stack = &log->stacks->list[stack];
	struct flow_stack *taken = checked_calloc(1, sizeof(*taken));

	taken->copies = writer->copies;
	taken->stop = call_stack->stop;
	taken->frame_count = call_stack->frame_count;
	taken->frames = checked_calloc(taken->frame_count, sizeof(*taken->frames));
	for (size_t i = 0; i < taken->frame_count; i++)
		taken->frames[i] = frame_of(log, &log->stacks->frames[call_stack->frames[i]], i < call_stack->proven);
	writer->stacks = taken;
	writer->stack_count = 1;
}

void flow_stacks__join(struct flow_writer *writer, struct flow_writer *other)
{
	for (size_t i = 0; i < other->stack_count; i++) {
		writer->stacks = checked_grow(writer->stacks, writer->stack_count, sizeof(*writer->stacks));
		writer->stacks[writer->stack_count++] = other->stacks[i];
	}
	free(other->stacks);
	other->stacks = NULL;
	other->stack_count = 0;
}

static int by_text(const char *left, const char *right)
{
	return left && right ? strcmp(left, right) : !!left - !!right;
}

static int compare_frames(const struct flow_frame *a, const struct flow_frame *b)
{
	int order = by_text(a->symbol, b->symbol);

	order = order ? order : by_text(a->object, b->object);
	order = order ? order : (a->offset > b->offset) - (a->offset < b->offset);
	return order ? order : (int)a->proven - (int)b->proven;
}

/* Stacks that are the same for a reader follow each other. */
static int by_frames(const void *left, const void *right)
{
	const struct flow_stack *a = left, *b = right;

	for (size_t i = 0; i < a->frame_count && i < b->frame_count; i++) {
		const int order = compare_frames(&a->frames[i], &b->frames[i]);

		if (order)
			return order;
	}
	if (a->frame_count != b->frame_count)
		return a->frame_count < b->frame_count ? -1 : 1;
	return (int)a->stop - (int)b->stop;
}

static int by_copies(const void *left, const void *right)
{
	const struct flow_stack *a = left, *b = right;

	if (a->copies != b->copies)
		return a->copies > b->copies ? -1 : 1;
	return by_frames(left, right);
}

static void release(struct flow_stack *stack)
{
	for (size_t i = 0; i < stack->frame_count; i++) {
		free(stack->frames[i].object);
		free(stack->frames[i].symbol);
	}
	free(stack->frames);
}

static void join(void *kept, void *more)
{
	((struct flow_stack *)kept)->copies += ((struct flow_stack *)more)->copies;
	release(more);
}

void flow_stacks__settle(struct flow_writer *writer)
{
	struct flow_stack *stacks = writer->stacks;
	const size_t kept = unite(stacks, writer->stack_count, sizeof(*stacks), by_frames, join);

	if (!kept)
		return;
	qsort(stacks, kept, sizeof(*stacks), by_copies);
	/* Stacks without copies are those of code that only filled new pages: they are left out. */
	for (writer->stack_count = 0; writer->stack_count < kept && writer->stack_count < FLOW_STACKS &&
				      stacks[writer->stack_count].copies;)
		writer->stack_count++;
	for (size_t i = writer->stack_count; i < kept; i++)
		release(&stacks[i]);
}
