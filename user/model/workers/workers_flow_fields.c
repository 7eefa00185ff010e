// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of the watch over a pool: "flow" of schema forktax-workers/1. */
#include "model/rows/field_rows.h"
#include "model/run/run_fields.h"
#include "model/workers/workers.h"
#include "model/workers/workers_flow_fields.h"

static const struct workers_flow *flow_of(const struct scope *scope)
{
	return ((const struct workers *)scope__root(scope))->flow;
}

static size_t flow_members(const struct scope *scope)
{
	return flow_of(scope)->member_count;
}

static size_t flow_writers(const struct scope *scope)
{
	return flow_of(scope)->writer_count;
}

static const void *half_life(const struct scope *scope, union computed *computed)
{
	computed->count = ((const struct flow_member *)scope->self)->half_life_ns;
	return computed;
}

static const void *is_exact(const struct scope *scope, union computed *computed)
{
	computed->flag = workers_flow__is_exact(scope->self);
	return computed;
}

#define S struct flow_frame
static const struct field flow_frame_fields[] = {
	TEXT("object", object, NULLABLE, .note = "file of the code; null: none"),
	TEXT("symbol", symbol, NULLABLE),
	IDENTITY("offset", offset, .note = "without a symbol: in the file, or an address if there is none; else 0"),
	BOOL("proven", proven, .note = "a caller, and none is missing before it"),
};
static const struct shape flow_frame_shape = SHAPE_OF(flow_frame);
#undef S

static const struct words stop_words = WORDS_OF(stack_stop_keys);

#define S struct flow_stack
static const struct field flow_stack_fields[] = {
	COUNT("copies", copies),
	KEY("stop", stop, stop_words, .note = "why there are no more frames"),
	LIST("frames", frames, frame_count, flow_frame_shape, .note = "the innermost first"),
};
static const struct shape flow_stack_shape = SHAPE_OF(flow_stack);
#undef S

#define S struct flow_writer
static const struct field flow_writer_fields[] = {
	KEY("actor", actor, actor_words),
	TEXT("object", object, NULLABLE, .note = "file of the code"),
	COUNT("offset", offset, NULLABLE,
		 .note = "in it, of the first instruction seen; an address if there is no file"),
	TEXT("symbol", symbol, NULLABLE),
	TEXT("call", call, NULLABLE, .note = "the system call in which the kernel wrote"),
	COUNT("copies", copies),
	COUNT("filled", filled, .note = "pages of new memory"),
	COUNT("members", members, .note = "that it copied pages in"),
	LIST("stacks", stacks, stack_count, flow_stack_shape, OLDER, .max = FLOW_STACKS,
	     .note = "call stacks with most copies, if they were asked for"),
};
static const struct shape flow_writer_shape = SHAPE_OF(flow_writer, .note = "code that wrote");
#undef S

#define S struct flow_copy
static const struct field flow_copy_fields[] = {
	INDEX("member", member, flow_members),
	INDEX("writer", writer, flow_writers),
	IDENTITY("page", address, .note = "its address"),
	COUNT("ns", ns, .note = "since the watch began"),
};
static const struct shape flow_copy_shape = SHAPE_OF(flow_copy);
#undef S

#define S struct flow_member
static const struct field flow_member_fields[] = {
	INTEGER("pid", pid, 1, INT32_MAX),
	INDEX("parent", parent, flow_members, NULLABLE, .note = "in members; null: none of them"),
	TEXT("name", name, NULLABLE, .note = "null: it ended before it was read"),
	COUNT("born_ns", born_ns, NULLABLE, .note = "null: before the watch, or the master"),
	COUNT("ended_ns", ended_ns, NULLABLE, .note = "null: it is still a member"),
	BOOL("executed", executed, OLDER, .note = "it executed another program: a helper, and no worker"),
	COUNT("shared_before", shared_before, NULLABLE,
	      .note = "pages shared at the beginning; for a member created later: soon after its "
		      "creation, and the pages copied by then; null: not read"),
	COUNT("shared_after", shared_after, NULLABLE, .note = "null: ended, or not read"),
	COUNT("copied", copied, .note = "shared at the beginning, copied since, by an event"),
	COUNT("last_owner", last_owner, .note = "shared at the beginning, now the only one with the frame"),
	COUNT("unmapped", unmapped, .note = "shared at the beginning, not there any more"),
	COUNT("unexplained", unexplained,
	      .note = "another frame now, without a copy: filled again, merged, written from outside"),
	COUNT("newly_shared", newly_shared, .note = "shared now, and not at the beginning"),
	COUNT("copies", copies, .note = "events"),
	COUNT("filled", filled, .note = "pages of new memory, by events"),
	COMPUTED("half_life_ns", FIELD_COUNT, half_life, NULLABLE,
		 .note = "from birth or the beginning until half of shared_before was copied; null: not reached, or "
			 "not known"),
};
static const struct shape flow_member_shape = SHAPE_OF(flow_member);
#undef S

#define S struct flow_cross_check
static const struct field flow_cross_check_fields[] = {
	COUNT("before_bytes", before_bytes, NULLABLE, .note = "sum of Pss_Anon at the beginning"),
	COUNT("copied_bytes", copied_bytes, NULLABLE),
	COUNT("filled_bytes", filled_bytes, NULLABLE),
	COUNT("given_back_bytes", given_back_bytes, NULLABLE),
	COUNT("after_bytes", after_bytes, NULLABLE, .note = "sum of Pss_Anon at the end"),
	BOOL("matches", matches, .note = "the sum is right within 1 KiB for each member"),
};
static const struct shape flow_cross_check_shape = SHAPE_OF(flow_cross_check);
#undef S

static void complete_flow(void *flow)
{
	workers_flow__find_half_lives(flow);
}

#define S struct workers_flow
static const struct field flow_integrity_fields[] = {
	COMPUTED("exact", FIELD_BOOL, is_exact, .note = "every copy was recorded, and all new memory has its code"),
	BOOL("events_exact", events_exact, .note = "no event was missed on the way"),
	COUNT("lost", lost, .note = "copies that found no room in the kernel's buffer"),
	COUNT("beyond", beyond, .note = "copies beyond the number that is kept"),
	COUNT("unattributed", unattributed, OLDER,
	      .note = "pages of new memory of the trace: by code beyond the number that is kept"),
	COUNT("stacks_lost", stacks_lost, OLDER, .note = "places of code whose call stack was lost before it was read"),
	COUNT("unread", unread, .note = "members whose memory was not read when they were new"),
};
static const struct shape flow_integrity_shape = SHAPE_OF(flow_integrity);

static const struct field flow_fields[] = {
	COUNT("begin_ns", begin_ns, .note = "of the watch, by CLOCK_MONOTONIC"),
	COUNT("duration_ns", duration_ns),
	COUNT("state_ns", state_ns, NULLABLE, .note = "when the state was read"),
	SECTION("integrity", flow_integrity_shape),
	OBJECT("cross_check", cross_check, flow_cross_check_shape),
	BOOL("orphans", orphans, OLDER, .note = "the members have no master"),
	LIST("members", members, member_count, flow_member_shape, .lines = true,
	     .note = "the master first, unless they are orphans"),
	LIST("writers", writers, writer_count, flow_writer_shape, .lines = true),
	LIST("copies", copies, copy_count, flow_copy_shape, .lines = true, .note = "by time"),
};
const struct shape workers_flow_shape = SHAPE_OF(flow, .complete = complete_flow,
	.note = "what happened to the memory during the watch");
#undef S
