// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares what was recorded of a pool with its page maps. */
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/bisect.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/page.h"
#include "pool/pool_flow_cross_check.h"
#include "pool/pool_watch.h"
#include "pool/pool_watch_state.h"


/* What is needed to make a flow. */
struct builder {
	const struct pool_watch *watch;
	const struct flow_log *log;
	struct workers_flow *flow;
	uint32_t pool;
	uint32_t *members; /* by process of the log; FLOW_NO_MEMBER: none of the pool */
	uint32_t *processes; /* by member: of the log */
	const struct flow_copy *copies; /* of all, by page, then time */
	const struct flow_copy *by_page; /* of the member that is looked at, by page, then time */
	size_t by_page_count;
	uint32_t *writers; /* by code of the log; FLOW_NONE: none yet */
};

/* When it ended; ABSENT: it lived when the watch ended, which is all that the log knows of. */
static uint64_t end_of(const struct flow_log *log, const struct flow_process *process)
{
	return log->end_ns && process->ended_ns > log->end_ns ? ABSENT : process->ended_ns;
}

/* The pool whose forked members have lived longest in all; UINT32_MAX: there is none. */
static uint32_t main_pool(const struct flow_log *log)
{
	autofree uint64_t *lives = checked_calloc(log->process_count + 1, sizeof(*lives));
	uint64_t now = clock__now_ns(), most = 0;
	uint32_t best = UINT32_MAX;

	for (size_t i = 0; i < log->process_count; i++) {
		const struct flow_process *process = &log->processes[i];
		uint64_t *life = &lives[process->pool], end = end_of(log, process);

		if (process->memory != i || process->executed || (process->pool && process->parent == FLOW_NONE))
			continue;
		*life += (end == ABSENT ? now : end) - process->born_ns;
		if (*life > most) {
			most = *life;
			best = process->pool;
		}
	}
	return best;
}

pid_t pool_watch__member(const struct flow_log *log)
{
	uint32_t pool = main_pool(log);

	for (size_t i = 0; i < log->process_count; i++)
		if (log->processes[i].pool == pool && log->processes[i].memory == i &&
		    end_of(log, &log->processes[i]) == ABSENT)
			return log->processes[i].pid;
	return 0;
}

static uint64_t since(const struct builder *builder, uint64_t ns)
{
	return ns == ABSENT ? ABSENT : ns > builder->log->begin_ns ? ns - builder->log->begin_ns : 0;
}

static void add_member(struct builder *builder, uint32_t process)
{
	const struct flow_process *from = &builder->log->processes[process];
	uint64_t ended = end_of(builder->log, from);
	struct workers_flow *flow = builder->flow;
	uint32_t parent = FLOW_NO_MEMBER;
	struct flow_member *member;

	if (from->parent != FLOW_NONE) /* it may share the memory of a member, and be none itself */
		parent = builder->members[builder->log->processes[from->parent].memory];
	flow->members = checked_grow(flow->members, flow->member_count, sizeof(*member));
	builder->processes = checked_grow(builder->processes, flow->member_count, sizeof(*builder->processes));
	builder->processes[flow->member_count] = process;
	builder->members[process] = flow->member_count;
	member = &flow->members[flow->member_count++];
	*member = (struct flow_member){
		.pid = from->pid,
		.parent = parent,
		.born_ns = from->parent == FLOW_NONE ? ABSENT : since(builder, from->born_ns),
		.ended_ns = since(builder, ended),
		.executed = from->executed,
		.shared_before = ABSENT,
		.shared_after = ABSENT,
	};
	if (*builder->watch->list[process].name)
		member->name = checked_strdup(builder->watch->list[process].name);
}

/* Those that share another's memory (vfork) are no members: what they write, that one writes. */
static void find_members(struct builder *builder)
{
	const struct flow_log *log = builder->log;

	for (size_t i = 0; i < builder->watch->count; i++)
		if (log->processes[i].pool == builder->pool && log->processes[i].memory == i)
			add_member(builder, i);
	for (size_t i = 0; i < builder->watch->count; i++)
		if (log->processes[i].pool == builder->pool)
			builder->members[i] = builder->members[log->processes[i].memory];
}

static int by_time(const void *left, const void *right)
{
	const struct flow_copy *a = left, *b = right;

	return (a->ns > b->ns) - (a->ns < b->ns);
}

static struct flow_writer *writer_of(struct builder *builder, uint32_t code)
{
	struct workers_flow *flow = builder->flow;

	if (builder->writers[code] == FLOW_NONE) {
		flow->writers = checked_grow(flow->writers, flow->writer_count, sizeof(*flow->writers));
		flow->writers[flow->writer_count] = (struct flow_writer){ .code = code };
		builder->writers[code] = flow->writer_count++;
	}
	return &flow->writers[builder->writers[code]];
}

static void take_fills(struct builder *builder)
{
	for (size_t i = 0; i < builder->log->code_count; i++) {
		const struct flow_code *code = &builder->log->codes[i];
		uint32_t member = builder->members[code->process];

		if (member == FLOW_NO_MEMBER || !code->filled)
			continue;
		builder->flow->members[member].filled += code->filled;
		writer_of(builder, i)->filled += code->filled;
	}
}

/* Those after the end of the watch are none of it. */
static void take_copies(struct builder *builder)
{
	struct workers_flow *flow = builder->flow;

	for (size_t i = 0; i < builder->log->copy_count; i++) {
		const struct flow_event_copy *event = &builder->log->copies[i];
		uint32_t member = builder->members[event->process];

		if (member == FLOW_NO_MEMBER || event->ns > builder->log->end_ns)
			continue;
		writer_of(builder, event->code)->copies++;
		flow->copies = checked_grow(flow->copies, flow->copy_count, sizeof(*flow->copies));
		flow->copies[flow->copy_count] = (struct flow_copy){
			.member = member,
			.writer = builder->writers[event->code],
			.address = event->address,
			.ns = since(builder, event->ns),
		};
		flow->members[member].copies++;
		flow->copy_count++;
	}
	if (flow->copy_count)
		qsort(flow->copies, flow->copy_count, sizeof(*flow->copies), by_time);
}

static int by_page(const void *left, const void *right)
{
	const struct flow_copy *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return by_time(left, right);
}

static int by_member(const void *left, const void *right)
{
	const struct flow_copy *a = left, *b = right;

	if (a->member != b->member)
		return a->member < b->member ? -1 : 1;
	return by_page(left, right);
}

static struct flow_copy *sorted(const struct workers_flow *flow, int (*order)(const void *left, const void *right))
{
	struct flow_copy *copies = checked_calloc(flow->copy_count, sizeof(*copies));

	if (flow->copy_count) {
		memcpy(copies, flow->copies, flow->copy_count * sizeof(*copies));
		qsort(copies, flow->copy_count, sizeof(*copies), order);
	}
	return copies;
}

/* Those of the next member: follow those of the last one. */
static void go_to_copies_of(struct builder *builder, uint32_t member)
{
	builder->by_page += builder->by_page_count;
	builder->by_page_count = builder->flow->members[member].copies;
}

static bool is_below(const void *copies, size_t index, const void *page)
{
	return ((const struct flow_copy *)copies)[index].address / page_bytes < *(const uint64_t *)page;
}

/* Of copies by page: the first one of that page or a higher one. */
static size_t first_at(const struct flow_copy *copies, size_t count, uint64_t page)
{
	return bisect(copies, count, is_below, &page);
}

/* Asked of pages that the member itself has not copied. */
static bool is_copied_by_others(const struct builder *builder, uint64_t page)
{
	size_t first = first_at(builder->copies, builder->flow->copy_count, page);

	return first < builder->flow->copy_count && builder->copies[first].address / page_bytes == page;
}

/*
 * A page shared when the member was first read, or copied just before: `before` is 0 then. Where is
 * it now? `now` is 0 if it is not there.
 */
static void settle_page(struct builder *builder, struct flow_member *member,
			page_entry before, page_entry now, uint64_t page, bool is_copied)
{
	member->shared_before++;
	if (now & PAGE_ENTRY_SHARED) {
		member->newly_shared--; /* it is not new */
	} else if (!now) {
		member->unmapped++;
	} else if (before && page_entry__has_same_frame(before, now)) {
		/* A copy has another frame: then one of the two witnesses is wrong. */
		member->unexplained += is_copied;
		member->last_owner += !is_copied;
	} else if (is_copied) {
		member->copied++;
	} else {
		/* If others have copied it, the kernel has moved this one (compaction). */
		member->last_owner += is_copied_by_others(builder, page);
		member->unexplained += !is_copied_by_others(builder, page);
	}
}

/* The first copy of a page by the member that is looked at; NULL: it has copied none. */
static const struct flow_copy *copy_of(const struct builder *builder, uint64_t page)
{
	size_t first = first_at(builder->by_page, builder->by_page_count, page);

	return first < builder->by_page_count && builder->by_page[first].address / page_bytes == page
		       ? &builder->by_page[first]
		       : NULL;
}

/* Had others to copy it, since the member was born, before it was first read? Then it is alone with it. */
static bool was_shared(const struct builder *builder, const struct flow_member *member,
		       uint64_t page, const struct page_set *before)
{
	const struct flow_copy *own = copy_of(builder, page);
	uint64_t begin = member->born_ns == ABSENT ? 0 : member->born_ns;

	/* It has copied it itself: looked at below. (Later it may do so because it has forked meanwhile.) */
	if (own && flow_copy__is_before(builder->flow, own, before))
		return false;
	for (size_t i = first_at(builder->copies, builder->flow->copy_count, page);
	     i < builder->flow->copy_count && builder->copies[i].address / page_bytes == page; i++)
		if (builder->copies[i].ns >= begin && builder->flow->begin_ns + builder->copies[i].ns <= before->end_ns)
			return true;
	return false;
}

/* Pages shared when it was first read, and those copied earlier in the watch. */
static void settle_pages(struct builder *builder, struct flow_member *member,
			 const struct page_set *before, const struct page_set *after)
{
	size_t at = 0;

	member->shared_before = 0;
	member->shared_after = member->newly_shared = after->shared;
	for (size_t i = 0; i < before->count; i++) {
		uint64_t page = page_entry__page(before->list[i]);

		if (before->list[i] & PAGE_ENTRY_SHARED || was_shared(builder, member, page, before))
			settle_page(builder, member, before->list[i], page_set__seek(after, page, &at), page,
				    copy_of(builder, page));
	}
	for (size_t i = 0; i < builder->by_page_count; i++) {
		const struct flow_copy *copy = &builder->by_page[i];
		uint64_t page = copy->address / page_bytes;

		if (copy == copy_of(builder, page) && flow_copy__is_before(builder->flow, copy, before) &&
		    !(page_set__find(before, page) & PAGE_ENTRY_SHARED))
			settle_page(builder, member, 0, page_set__find(after, page), page, true);
	}
}

/* Of a member that has ended, where its pages went is no question. */
static void forget_end(struct flow_member *member)
{
	member->shared_after = ABSENT;
	member->copied = member->last_owner = member->unmapped = member->unexplained = 0;
	member->newly_shared = 0;
}

static void settle_members(struct builder *builder)
{
	struct workers_flow *flow = builder->flow;
	autofree struct flow_copy *all = sorted(flow, by_page), *by_members = sorted(flow, by_member);

	builder->copies = all;
	builder->by_page = by_members;
	for (size_t i = 0; i < flow->member_count; i++) {
		const struct watched *watched = &builder->watch->list[builder->processes[i]];
		struct flow_member *member = &flow->members[i];
		bool lives = member->ended_ns == ABSENT;
		bool read = page_set__is_read(&watched->before);

		go_to_copies_of(builder, i);
		if (member->executed && !lives)
			continue; /* what it shared was gone with the execve, perhaps while it was read */
		if (read && (!lives || page_set__is_read(&watched->after)))
			settle_pages(builder, member, &watched->before, &watched->after);
		if (!lives)
			forget_end(member);
		flow->unread += !read;
	}
}

struct workers_flow *pool_watch__flow(const struct pool_watch *watch, const struct flow_log *log)
{
	struct builder builder = { .watch = watch, .log = log, .pool = main_pool(log) };

	if (builder.pool == UINT32_MAX)
		return NULL;
	builder.flow = checked_calloc(1, sizeof(*builder.flow));
	builder.flow->page_bytes = page_bytes;
	builder.members = checked_calloc(log->process_count, sizeof(*builder.members));
	memset(builder.members, 0xff, log->process_count * sizeof(*builder.members));
	builder.flow->begin_ns = log->begin_ns;
	builder.flow->duration_ns = log->end_ns - log->begin_ns;
	builder.flow->state_ns = ABSENT;
	builder.flow->stacks_lost = log->stacks_lost;
	builder.flow->lost = log->lost;
	builder.flow->beyond = log->beyond;
	builder.flow->unattributed = log->unattributed;
	find_members(&builder);
	builder.writers = checked_calloc(log->code_count, sizeof(*builder.writers));
	memset(builder.writers, 0xff, log->code_count * sizeof(*builder.writers));
	take_copies(&builder);
	take_fills(&builder);
	settle_members(&builder);
	workers_flow__find_half_lives(builder.flow);
	flow_cross_check__make(&(struct flow_readings){ watch, builder.flow, builder.processes, !builder.pool });
	free(builder.members);
	free(builder.writers);
	free(builder.processes);
	return builder.flow;
}
