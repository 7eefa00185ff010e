// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/names/stack_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elf/cfi.h"
#include "elf/elf_machine.h"
#include "elf/mapping.h"
#include "elf/symbols.h"
#include "model/stacks/stacks.h"

/* What a frame is in the stacks, and what its file says of it then. */
struct frame_role {
	bool leaf, caller; /* the code that faulted; what returns there; or both */
	bool astray; /* a caller, but there is no call before it */
	enum elf_frame_kind as_leaf, as_caller;
};

static struct frame_role *roles_of(const struct stacks *stacks)
{
	struct frame_role *roles = checked_calloc(stacks->frame_count, sizeof(*roles));

	for (size_t i = 0; i < stacks->count; i++) {
		const struct call_stack *stack = &stacks->list[i];

		roles[stack->frames[0]].leaf = true;
		for (size_t k = 1; k < stack->frame_count; k++)
			roles[stack->frames[k]].caller = true;
		if (stack->top != UINT32_MAX)
			roles[stack->top].caller = true;
	}
	return roles;
}

/* `back` of a caller is 1: it is the call, not what follows it, which may be another function. */
static void name_frame(struct frame *frame, struct elf_file *file, uint64_t address, uint64_t back)
{
	const struct elf_symbols *symbols = elf_symbols__of(file);
	const char *section = elf_symbols__section(symbols, address - back), *symbol;
	uint64_t distance;

	symbol = elf_symbols__symbol(symbols, address - back, &distance);
	frame->place.section = section ? checked_strdup(section) : NULL;
	if (!symbol)
		return;
	frame->place.symbol = checked_strdup(symbol);
	frame->place.symbol_offset = distance + back;
}

static void look_at_frame(struct frame *frame, struct elf_file *file, struct frame_role *role)
{
	const uint64_t back = role->leaf ? 0 : 1;
	uint64_t address;

	if (!elf_mapping__address(&file->object, frame->place.offset - back, ELF_READ | ELF_EXEC, &address))
		return;
	address += back;
	name_frame(frame, file, address, back);
	if (role->leaf)
		role->as_leaf = elf_cfi__frame(file, address);
	if (!role->caller)
		return;
	role->as_caller = elf_cfi__frame(file, address - 1);
	role->astray = !elf_code__follows_call(&file->object, frame->place.offset);
}

static void look_at_object(struct stacks *stacks, const struct object *objects, uint32_t object,
			   struct frame_role *roles)
{
	struct elf_file *file = elf_file__open(objects[object].path);

	for (size_t i = 0; file->opened == ELF_OPENED && i < stacks->frame_count; i++)
		if (stacks->frames[i].place.object == object)
			look_at_frame(&stacks->frames[i], file, &roles[i]);
	elf_file__close(file);
}

/* What is known of the caller of a frame. */
enum caller { CALLER_PROVEN, CALLER_CLAIMED /* by the chain alone */, CALLER_ON_TOP, CALLER_NONE, CALLER_UNKNOWN };

static enum caller caller_of(enum elf_frame_kind kind)
{
	static const enum caller callers[] = {
		[ELF_FRAME_UNKNOWN] = CALLER_CLAIMED,
		[ELF_FRAME_BY_POINTER] = CALLER_PROVEN,
		[ELF_FRAME_ON_TOP] = CALLER_ON_TOP,
		[ELF_FRAME_OUTERMOST] = CALLER_NONE,
		[ELF_FRAME_ELSEWHERE] = CALLER_UNKNOWN,
	};

	return callers[kind];
}

/* A stack while it grows from the innermost frame on. */
struct growing {
	uint32_t *frames;
	size_t count, proven;
	enum caller caller; /* of the last frame */
};

static void add(struct growing *growing, uint32_t frame, enum elf_frame_kind kind)
{
	if (growing->proven == growing->count && growing->caller != CALLER_CLAIMED)
		growing->proven++;
	growing->frames[growing->count++] = frame;
	growing->caller = caller_of(kind);
}

/* Only of the innermost function it is known what was on top of the stack. */
static void add_top(struct growing *growing, const struct call_stack *stack, const struct frame_role *roles)
{
	if (growing->caller != CALLER_ON_TOP)
		return;
	growing->caller = CALLER_UNKNOWN;
	if (stack->top != UINT32_MAX && !roles[stack->top].astray)
		add(growing, stack->top, roles[stack->top].as_caller);
}

/*
 * What C libraries begin main() and threads with: nobody asks who called it, and it saves no frame pointer. (glibc,
 * musl, Go; by the names that their symbol tables have.)
 */
static bool begins(const struct frame *frame)
{
	static const char *const names[] = { "__libc_start_call_main", "__libc_start_main", "_start",
					     "start_thread", "__clone3", "clone3", "__clone", "clone",
					     "libc_start_main_stage2", "_start_c", "start",
					     "runtime.goexit", "runtime.rt0_go", "runtime.mstart" };

	for (size_t i = 0; frame->place.symbol && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(frame->place.symbol, names[i]))
			return true;
	return false;
}

/*
 * Keeps the frames that can be believed. The chain of frame pointers leaves out functions that have saved none:
 * what it shows behind such a function is a caller, but not that function's own.
 */
static void verify(struct call_stack *stack, const struct frame_role *roles, const struct frame *all)
{
	struct growing growing = { .frames = checked_calloc(stack->frame_count + 1, sizeof(*growing.frames)) };

	add(&growing, stack->frames[0], roles[stack->frames[0]].as_leaf);
	add_top(&growing, stack, roles);
	for (size_t k = 1; growing.caller <= CALLER_CLAIMED && k < stack->frame_count; k++) {
		const struct frame_role *role = &roles[stack->frames[k]];

		if (role->astray)
			growing.caller = CALLER_UNKNOWN;
		else
			add(&growing, stack->frames[k], role->as_caller);
	}
	if (growing.caller == CALLER_NONE || begins(&all[growing.frames[growing.count - 1]]))
		stack->stop = STOP_WHOLE;
	else if (growing.caller > CALLER_CLAIMED || stack->stop == STOP_WHOLE)
		stack->stop = STOP_ASTRAY;
	free(stack->frames);
	stack->frames = growing.frames;
	stack->frame_count = growing.count;
	stack->proven = growing.proven;
}

void stacks__resolve(struct stacks *stacks, const struct object *objects, size_t object_count)
{
	struct frame_role *roles = roles_of(stacks);

	for (uint32_t i = 0; i < object_count; i++)
		if (objects[i].path && !objects[i].changed)
			look_at_object(stacks, objects, i, roles);
	for (size_t i = 0; i < stacks->count; i++)
		verify(&stacks->list[i], roles, stacks->frames);
	free(roles);
}
