// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of the call stacks of an anatomy. */
#include "model/rows/field_rows.h"
#include "model/run/run_fields.h"
#include "model/stacks/stacks.h"

const char *const stack_stop_keys[STACK_STOP_COUNT] = {
	[STOP_WHOLE] = "whole",
	[STOP_CUT] = "cut",
	[STOP_ASTRAY] = "astray",
};

static const struct words place_words = WORDS_OF(place_counters);
static const struct words stop_words = WORDS_OF(stack_stop_keys);

static const struct anatomy *anatomy_of(const struct scope *scope)
{
	return ((const struct run *)scope__root(scope))->anatomy;
}

static size_t anatomy_rows(const struct scope *scope)
{
	return anatomy_of(scope)->row_count;
}

static size_t all_frames(const struct scope *scope)
{
	return anatomy_of(scope)->stacks->frame_count;
}

static size_t all_stacks(const struct scope *scope)
{
	return anatomy_of(scope)->stacks->count;
}

static bool has_symbol(const struct scope *scope)
{
	return ((const struct frame *)scope->self)->place.symbol;
}

#define S struct frame
static const struct field frame_fields[] = {
	KEY("place", place.kind, place_words),
	INDEX("object_index", place.object, run__objects, NULLABLE,
	      .note = "index into objects; null: none"),
	IDENTITY("offset", place.offset,
		 .note = "in the file, bytes; for code without a file, its address in process pid"),
	TEXT("section", place.section, NULLABLE),
	TEXT("symbol", place.symbol, NULLABLE),
	COUNT("symbol_offset", place.symbol_offset, .when = has_symbol,
	      .note = "null without a symbol"),
	INTEGER("pid", pid, 0, INT32_MAX, .note = "of code without a file; 0: code of an object"),
};
static const struct shape frame_shape = SHAPE_OF(frame,
	.note = "an instruction that faulted, or a return address");
#undef S

static const struct field frame_index = { .kind = FIELD_INDEX, .limit = all_frames };

#define S struct call_stack
static const struct field call_stack_fields[] = {
	VALUES("frames", frames, frame_count, frame_index,
	       .note = "indexes into frames, the innermost first"),
	COUNT("proven", proven,
	      .note = "of these, the innermost ones that call frame information proves; further out "
		      "a function may be missing"),
	KEY("stop", stop, stop_words,
	    .note = "why the stack ends: whole (complete), cut (too long), astray (no frame pointer)"),
};
static const struct shape call_stack_shape = SHAPE_OF(call_stack);
#undef S

#define S struct stack_share
static const struct field stack_share_fields[] = {
	INDEX("row", row, anatomy_rows, .note = "index into anatomy"),
	INDEX("stack", stack, all_stacks, .note = "index into list"),
	COUNT("faults", faults),
	COUNT("timed", timed, .note = "faults whose duration is known"),
	COUNT("timed_ns", ns, .note = "sum of these durations"),
};
static const struct shape stack_share_shape = SHAPE_OF(stack_share,
	.note = "the faults of a row that have the same stack");
#undef S

#define S struct stack_call
static const struct field stack_call_fields[] = {
	TEXT("call", call),
	INDEX("exe", exe, run__exes, NULLABLE, .note = "index into exes"),
	INDEX("stack", stack, all_stacks, NULLABLE, .note = "index into list; null: none"),
	COUNT("calls", calls),
};
static const struct shape stack_call_shape = SHAPE_OF(stack_call,
	.note = "system calls of the recorded processes, by executable and call stack");
#undef S

#define S struct stacks
static const struct field stacks_fields[] = {
	COUNT("lost", lost, .note = "faults and calls without a stack, because there was no room"),
	COUNT("calls_left_out", calls_left_out, .note = "calls that are not listed, because there was no room"),
	LIST("frames", frames, frame_count, frame_shape, .lines = true),
	LIST("list", list, count, call_stack_shape, .lines = true),
	LIST("shares", shares, share_count, stack_share_shape, .lines = true),
	LIST("calls", calls, call_count, stack_call_shape, .lines = true, .note = "most calls first"),
};
const struct shape stacks_shape = SHAPE_OF(stacks);
#undef S
