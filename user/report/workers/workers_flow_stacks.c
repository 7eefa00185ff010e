// SPDX-License-Identifier: GPL-2.0-or-later
/* Who called the code that copied the pages of a pool. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "model/workers/workers_flow_fields.h"
#include "report/cells.h"
#include "report/options.h"
#include "report/saved_table.h"
#include "report/shown.h"
#include "report/words.h"
#include "report/workers/workers_flow_report.h"

enum { WRITERS_SHOWN = 5, STACKS_SHOWN = 4 };

struct stack_line {
	struct cell copies, share, frame;
};

static const struct column stack_columns[] = {
	{ "copies", COLUMN_COUNT, CELL_OF(struct stack_line, copies) },
	{ "%", COLUMN_NUMBER, CELL_OF(struct stack_line, share) },
	{ "call stack", COLUMN_TEXT, CELL_OF(struct stack_line, frame) },
};

/* "? gc_collect (libpython3.11.so.1.0)": as other call stacks are printed. */
static char *frame_text(const struct flow_frame *frame)
{
	autofree char *code = frame->symbol ? text__of("%s", frame->symbol) : text__of("at 0x%" PRIx64, frame->offset);

	return text__of("%s%s (%s)", frame->proven ? "" : "? ", code,
			frame->object ? text__file_name(frame->object) : "no file");
}

static void add_line(struct table *table, char *frame, const char *before)
{
	const struct stack_line line = { .frame = cell__own(text__of("%s%s", before, frame)) };

	table__add(table, &line);
	free(frame);
}

static void add_stack(struct table *table, const struct workers_flow *flow, const struct flow_stack *stack)
{
	const struct stack_line line = {
		cell__count(stack->copies),
		cell__number(100.0 * stack->copies / flow->copy_count, 1),
		cell__own(frame_text(&stack->frames[0])),
	};

	table__add(table, &line);
	for (size_t i = 1; i < stack->frame_count; i++)
		add_line(table, frame_text(&stack->frames[i]), "  ");
	if (words__stack_end(stack->stop))
		add_line(table, text__of("%s", words__stack_end(stack->stop)), "");
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

struct table *workers_flow__stack_table(const struct workers_flow *flow, const struct report_options *options)
{
	const bool all = options->all_workers && !options->top;
	const size_t writers = least(room__of_pool(options, 0, WRITERS_SHOWN).rows, flow->writer_count);
	struct table *table = table__titled(text__of("Copies by call stack"), NULL);
	uint64_t shown = 0;

	table__keep_order(table);
	TABLE_COLUMNS(table, stack_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < writers; i++) {
		const struct flow_writer *writer = &flow->writers[i];
		const size_t stacks = all ? writer->stack_count : least(STACKS_SHOWN, writer->stack_count);

		for (size_t k = 0; k < stacks; k++) {
			add_stack(table, flow, &writer->stacks[k]);
			shown += writer->stacks[k].copies;
		}
	}
	if (shown && shown < flow->copy_count) {
		const struct stack_line rest = {
			cell__count(flow->copy_count - shown),
			cell__number(100.0 * (flow->copy_count - shown) / flow->copy_count, 1),
			cell__text(all ? "others, or without a call stack" :
				   "others, or without a call stack (--json has more)"),
		};

		table__add(table, &rest);
	}
	return table;
}

static void add_frames(struct table *table, const struct shape *shape, const struct workers_flow *flow, size_t writer)
{
	for (size_t k = 0; k < flow->writers[writer].stack_count; k++) {
		const struct flow_stack *stack = &flow->writers[writer].stacks[k];

		for (size_t i = 0; i < stack->frame_count; i++) {
			table__row(table);
			table__count(table, writer);
			table__count(table, k);
			table__count(table, i);
			table__count(table, stack->copies);
			saved_table__put(table, shape, flow, &stack->frames[i]);
			table__text(table, i + 1 == stack->frame_count ? stack_stop_keys[stack->stop] : NULL);
		}
	}
}

struct table *workers_flow__stack_frames(const struct workers_flow *flow)
{
	const struct shape *writers = saved_table__shape(&workers_flow_shape, "writers");
	const struct shape *frames = saved_table__shape(saved_table__shape(writers, "stacks"), "frames");
	struct table *table = table__new("Call stacks");

	table__column(table, "writer", COLUMN_COUNT);
	table__column(table, "stack", COLUMN_COUNT);
	table__column(table, "depth", COLUMN_COUNT);
	table__column(table, "copies", COLUMN_COUNT);
	saved_table__add_columns(table, frames);
	table__column(table, "stop", COLUMN_TEXT);
	for (size_t i = 0; i < flow->writer_count; i++)
		add_frames(table, frames, flow, i);
	return table;
}
