// SPDX-License-Identifier: GPL-2.0-or-later
/* Call stacks for programs: every frame of each, and which faults have which. */
#include "base/text.h"
#include "format/column.h"
#include "model/stacks/stacks.h"
#include "report/cells.h"
#include "report/report_sections.h"

struct frame_line {
	uint64_t stack, depth;
	const char *kind, *section, *symbol, *proven, *stop;
	struct cell object, offset, symbol_offset, pid;
};

static const struct column frame_columns[] = {
	{ "stack", COUNT_OF(struct frame_line, stack) },
	{ "depth", COUNT_OF(struct frame_line, depth) },
	{ "kind", TEXT_OF(struct frame_line, kind) },
	{ "object", COLUMN_TEXT, CELL_OF(struct frame_line, object) },
	{ "offset", COLUMN_COUNT, CELL_OF(struct frame_line, offset) },
	{ "section", TEXT_OF(struct frame_line, section) },
	{ "symbol", TEXT_OF(struct frame_line, symbol) },
	{ "symbol offset", COLUMN_COUNT, CELL_OF(struct frame_line, symbol_offset) },
	{ "pid", COLUMN_COUNT, CELL_OF(struct frame_line, pid) },
	{ "proven", TEXT_OF(struct frame_line, proven) },
	{ "stop", TEXT_OF(struct frame_line, stop) },
};

static void add_frame(struct table *table, const struct run *run, size_t stack, size_t depth)
{
	const struct stacks *stacks = run->anatomy->stacks;
	const struct call_stack *whole = &stacks->list[stack];
	const struct frame *frame = &stacks->frames[whole->frames[depth]];
	const struct place *place = &frame->place;

	table__add(table,
		   &(struct frame_line){
			   .stack = stack,
			   .depth = depth,
			   .kind = place_counters[place->kind].key,
			   .object = place->object == NO_OBJECT ? cell__blank()
								: cell__object(run, place->object),
			   .offset = cell__count(place->offset),
			   .section = place->section,
			   .symbol = place->symbol,
			   .symbol_offset = place->symbol ? cell__count(place->symbol_offset)
							  : cell__blank(),
			   .pid = frame->pid ? cell__count(frame->pid) : cell__blank(),
			   .proven = depth < whole->proven ? "yes" : "no",
			   .stop = depth + 1 == whole->frame_count ? stack_stop_keys[whole->stop] : NULL,
		   });
}

struct table *report__stack_frames(const struct run *run, const struct report_options *options)
{
	const struct stacks *stacks = run->anatomy->stacks;
	struct table *table;

	if (!stacks)
		return NULL;
	table = table__new("Call stacks");
	TABLE_COLUMNS(table, frame_columns, NULL);
	for (size_t stack = 0; stack < stacks->count; stack++)
		for (size_t depth = 0; depth < stacks->list[stack].frame_count; depth++)
			add_frame(table, run, stack, depth);
	return table;
}

struct share_line {
	uint64_t row, stack;
	struct stack_share share;
};

static const struct column share_columns[] = {
	{ "row", COUNT_OF(struct share_line, row) },
	{ "stack", COUNT_OF(struct share_line, stack) },
	{ "faults", COUNT_OF(struct share_line, share.faults) },
	{ "timed", COUNT_OF(struct share_line, share.timed) },
	{ "ns", COUNT_OF(struct share_line, share.ns) },
};

struct table *report__stack_shares(const struct run *run, const struct report_options *options)
{
	const struct stacks *stacks = run->anatomy->stacks;
	struct table *table;

	if (!stacks)
		return NULL;
	table = table__new("Faults by row and call stack");
	TABLE_COLUMNS(table, share_columns, NULL);
	for (size_t i = 0; i < stacks->share_count; i++) {
		const struct stack_share *share = &stacks->shares[i];

		table__add(table, &(struct share_line){ share->row, share->stack, *share });
	}
	return table;
}

static struct cell exe_of(const void *subject, const void *row, int index)
{
	return cell__exe(subject, ((const struct stack_call *)row)->exe);
}

static struct cell stack_of(const void *subject, const void *row, int index)
{
	const struct stack_call *call = row;

	return call->stack == NO_STACK ? cell__blank() : cell__count(call->stack);
}

static const struct column call_columns[] = {
	{ "call", TEXT_OF(struct stack_call, call) },
	{ "executable", COLUMN_TEXT, .cell = exe_of },
	{ "stack", COLUMN_COUNT, .cell = stack_of },
	{ "calls", COUNT_OF(struct stack_call, calls) },
};

struct table *report__stack_calls(const struct run *run, const struct report_options *options)
{
	const struct stacks *stacks = run->anatomy->stacks;
	struct table *table;

	if (!stacks)
		return NULL;
	table = table__new("System calls by call stack");
	TABLE_COLUMNS(table, call_columns, run);
	for (size_t i = 0; i < stacks->call_count; i++)
		table__add(table, &stacks->calls[i]);
	return table;
}
