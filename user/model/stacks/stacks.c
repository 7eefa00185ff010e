// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/stacks/stacks.h"

#include "base/text.h"
#include "model/rows/field_rows.h"
#include "model/run/run_check.h"
#include "model/run/run_fields.h"

double stack_share__ns(const struct stack_share *share, const struct anatomy_row *row)
{
	if (share->timed)
		return (double)share->ns / share->timed * share->faults;
	return row->faults ? anatomy_row__all_ns(row) / row->faults * share->faults : 0;
}

/* What call stacks owe to the rows of the anatomy. */

static char *check_share(const struct stacks *stacks, size_t index)
{
	const struct stack_share *share = &stacks->shares[index], *before = share - 1;

	if (index && (share->row < before->row || (share->row == before->row && share->stack <= before->stack)))
		return text__of("stacks.shares[%zu]: not in the order of rows and stacks", index);
	if (!share->faults)
		return text__of("stacks.shares[%zu]: no faults", index);
	if (share->timed > share->faults || (share->ns && !share->timed))
		return text__of("stacks.shares[%zu]: more faults were timed than it has", index);
	return NULL;
}

/* What the shares of one row, which follow each other from `first` on, may add up to. */
static char *check_row(const struct anatomy *anatomy, size_t first)
{
	const struct stacks *stacks = anatomy->stacks;
	const struct anatomy_row *row = &anatomy->rows[stacks->shares[first].row];
	uint64_t faults = row->faults, timed = row->timed, ns = row->ns; /* what is left of them */

	for (size_t i = first; i < stacks->share_count && stacks->shares[i].row == stacks->shares[first].row; i++) {
		const struct stack_share *share = &stacks->shares[i];

		if (share->faults > faults || share->timed > timed || share->ns > ns)
			return text__of("stacks.shares[%zu]: the stacks of a row have more faults, or more "
					"time, than the row", i);
		faults -= share->faults;
		timed -= share->timed;
		ns -= share->ns;
	}
	return NULL;
}

/* Of the calls of the run, those of the recorded processes: no more of one name than there were. */
static char *check_calls(const struct run *run)
{
	const struct stacks *stacks = run->anatomy->stacks;
	uint64_t left = 0;

	for (size_t i = 0; i < run->table.count; i++)
		left += syscall_row__sum(run->table.rows[i].calls);
	for (size_t i = 0; i < stacks->call_count; i++) {
		if (!stacks->calls[i].calls)
			return text__of("stacks.calls[%zu]: no calls", i);
		if (stacks->calls[i].calls > left && integrity__is_exact(&run->integrity))
			return text__of("stacks.calls[%zu]: more calls than the run has", i);
		left -= stacks->calls[i].calls < left ? stacks->calls[i].calls : left;
	}
	return NULL;
}

char *stacks__contradiction(const struct run *run)
{
	const struct stacks *stacks = run->anatomy->stacks;
	char *found = NULL;

	for (size_t i = 0; stacks && i < stacks->count && !found; i++)
		if (!stacks->list[i].proven || stacks->list[i].proven > stacks->list[i].frame_count)
			found = text__of("stacks.list[%zu]: \"proven\" is not between 1 and the number of its frames",
					 i);
	for (size_t i = 0; stacks && i < stacks->share_count && !found; i++)
		found = check_share(stacks, i);
	for (size_t i = 0; stacks && i < stacks->share_count && !found; i++)
		if (!i || stacks->shares[i].row != stacks->shares[i - 1].row)
			found = check_row(run->anatomy, i);
	return found || !stacks ? found : check_calls(run);
}

const char *const stack_stop_keys[STACK_STOP_COUNT] = {
	[STOP_WHOLE] = "whole",
	[STOP_CUT] = "cut",
	[STOP_ASTRAY] = "astray",
};

/* What is saved of them. */

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
	INDEX("object_index", place.object, run__objects, NULLABLE, .note = "index into objects; null: none"),
	IDENTITY("offset", place.offset,
		 .note = "in the file, bytes; for code without a file, its address in process pid"),
	TEXT("section", place.section, NULLABLE),
	TEXT("symbol", place.symbol, NULLABLE),
	COUNT("symbol_offset", place.symbol_offset, .when = has_symbol, .note = "null without a symbol"),
	INTEGER("pid", pid, 0, INT32_MAX, .note = "of code without a file; 0: code of an object"),
};
static const struct shape frame_shape = SHAPE_OF(frame, .note = "an instruction that faulted, or a return address");
#undef S

static const struct field frame_index = { .kind = FIELD_INDEX, .limit = all_frames };

#define S struct call_stack
static const struct field call_stack_fields[] = {
	VALUES("frames", frames, frame_count, frame_index, .note = "indexes into frames, the innermost first"),
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
