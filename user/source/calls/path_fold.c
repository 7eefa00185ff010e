// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/path_fold.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

enum { SETTLED_AT = 1 << 16, SEGMENTS_MOST = 1 << 20 };

/* What a thread did until it created or woke another one, and what came before that. */
struct segment {
	struct segment *before; /* counted in its `holders` */
	struct path_stretch stretch;
	uint64_t owner; /* thread */
	uint32_t holders; /* threads and segments that point to it */
	uint32_t depth; /* these two: while paths are compared */
	uint32_t look;
	bool is_main;
	bool settled; /* it is in the sums */
};

/* A thread that lives. Its stretch has begun, and not ended. */
struct thread {
	uint64_t number;
	struct segment *before;
	struct path_stretch stretch;
	bool continues; /* the stretch does, what `before` has */
};

struct path_fold {
	struct hash threads; /* by number */
	struct path_sums sums;
	size_t segments, settle_at;
	size_t own_threads; /* of the command's own process, that live */
	struct segment *last; /* where the last one of these has ended; NULL: one lives */
	uint32_t look;
	uint64_t begin_ns, end_ns;
	bool begun, ended, overflown;
};

struct path_fold *path_fold__new(void)
{
	struct path_fold *fold = checked_calloc(1, sizeof(*fold));

	fold->settle_at = SETTLED_AT;
	return fold;
}

static void let_go(struct path_fold *fold, struct segment *segment)
{
	while (segment && !--segment->holders) {
		struct segment *before = segment->before;

		free(segment);
		fold->segments--;
		segment = before;
	}
}

static struct segment *hold(struct segment *segment)
{
	if (segment)
		segment->holders++;
	return segment;
}

void path_fold__free(struct path_fold *fold)
{
	union hash_value *value;

	if (!fold)
		return;
	for (size_t at = 0; (value = hash__next(&fold->threads, &at));) {
		struct thread *thread = value->pointer;

		let_go(fold, thread->before);
		free(thread);
	}
	hash__release(&fold->threads);
	let_go(fold, fold->last);
	path_sums__release(&fold->sums);
	free(fold);
}

static struct thread *find_thread(const struct path_fold *fold, uint64_t number)
{
	union hash_value *value = hash__find(&fold->threads, &number, sizeof(number));

	return value ? value->pointer : NULL;
}

static struct thread *new_thread(struct path_fold *fold, uint64_t number)
{
	struct thread *thread = checked_calloc(1, sizeof(*thread));

	thread->number = number;
	hash__get(&fold->threads, &number, sizeof(number))->pointer = thread;
	return thread;
}

static const enum path_part parts_of_waits[PATH_WAITS] = {
	[PATH_WAITS_CPU] = PATH_PART_READY,
	[PATH_WAITS_DEVICE] = PATH_PART_DEVICE,
	[PATH_WAITS_OTHERS] = PATH_PART_OTHERS,
	[PATH_WAITS_UNKNOWN] = PATH_PART_UNKNOWN,
};

static void add_waits(struct path_stretch *stretch, const struct path_event *event)
{
	for (int wait = 0; wait < PATH_WAITS; wait++) {
		stretch->ns[parts_of_waits[wait]] += event->waits[wait];
		stretch->idle_ns[parts_of_waits[wait]] += event->idle[wait];
	}
}

/* The waits of a stretch are no longer than it is. */
static void end_stretch(struct path_stretch *stretch, const struct path_event *event)
{
	uint64_t left;

	stretch->end_ns = event->ns > stretch->begin_ns ? event->ns : stretch->begin_ns;
	left = stretch->end_ns - stretch->begin_ns;
	add_waits(stretch, event);
	for (int wait = 0; wait < PATH_WAITS; wait++) {
		uint64_t *ns = &stretch->ns[parts_of_waits[wait]];

		*ns = *ns < left ? *ns : left;
		left -= *ns;
	}
	stretch->ns[PATH_PART_CPU] = left;
}

/* Nobody but the thread has seen where that segment ended. */
static bool may_extend(const struct thread *thread)
{
	const struct segment *before = thread->before;

	return thread->continues && before && before->holders == 1 && before->owner == thread->number &&
	       !before->settled;
}

static void note_ready(struct path_fold *fold, const struct thread *thread, const struct path_event *event)
{
	ready_time__add(&fold->sums.ready, thread->stretch.begin_ns, event->ns, event->idle[PATH_WAITS_CPU]);
}

/* What the thread has done until now becomes a segment; it goes on from there. */
static void cut(struct path_fold *fold, struct thread *thread, const struct path_event *event)
{
	struct segment *segment = thread->before;

	note_ready(fold, thread, event);
	end_stretch(&thread->stretch, event);
	if (may_extend(thread)) {
		path_stretch__extend(&segment->stretch, &thread->stretch);
	} else {
		segment = checked_calloc(1, sizeof(*segment));
		segment->before = thread->before;
		segment->stretch = thread->stretch;
		segment->owner = thread->number;
		segment->holders = 1;
		thread->before = segment;
		fold->segments++;
	}
	path_stretch__begin(&thread->stretch, segment->stretch.end_ns);
	thread->continues = true;
}

/* The thread goes on from where `other` is, which has been cut just now. */
static void follow(struct path_fold *fold, struct thread *thread, const struct thread *other, enum path_link link)
{
	struct segment *before = thread->before;

	thread->before = hold(other->before);
	let_go(fold, before);
	path_stretch__begin(&thread->stretch, other->stretch.begin_ns);
	thread->stretch.link = link;
	thread->continues = false;
}

/* Marks the path of a thread, with the distances from its end. */
static void mark_main(struct path_fold *fold, const struct thread *thread)
{
	uint32_t depth = 0;

	for (struct segment *segment = thread->before; segment; segment = segment->before) {
		segment->look = fold->look;
		segment->is_main = true;
		segment->depth = depth++;
	}
}

/* Where the path of a thread meets the marked one; NULL: somewhere where others do, or nowhere. */
static struct segment *meet(struct path_fold *fold, const struct thread *thread, bool *nowhere)
{
	struct segment *segment = thread->before;

	for (; segment && segment->look != fold->look; segment = segment->before) {
		segment->look = fold->look;
		segment->is_main = false;
	}
	*nowhere |= !segment;
	return segment && segment->is_main ? segment : NULL;
}

/* The last segment that the paths of all threads have; NULL: there is none. */
static struct segment *last_common(struct path_fold *fold)
{
	struct segment *common = NULL;
	bool nowhere = false;
	union hash_value *value;

	fold->look++;
	for (size_t at = 0; (value = hash__next(&fold->threads, &at));) {
		const struct thread *thread = value->pointer;
		struct segment *met;

		if (!common) {
			mark_main(fold, thread);
			common = thread->before;
			nowhere |= !common;
			if (nowhere)
				break;
			continue;
		}
		met = meet(fold, thread, &nowhere);
		if (met && met->depth > common->depth)
			common = met;
	}
	return nowhere ? NULL : common;
}

/* Adds a path to the sums, from its beginning on. */
static void add_path(struct path_fold *fold, struct segment *last)
{
	struct segment **list = NULL;
	size_t count = 0;

	for (struct segment *segment = last; segment && !segment->settled; segment = segment->before) {
		list = checked_grow(list, count, sizeof(struct segment *));
		list[count++] = segment;
	}
	while (count) {
		struct segment *segment = list[--count];

		segment->settled = true;
		if (!fold->ended || path_stretch__clamp(&segment->stretch, fold->end_ns))
			path_sums__add(&fold->sums, &segment->stretch);
	}
	free(list);
}

/* Sums up what the command's path has for certain, whatever comes. */
static void settle(struct path_fold *fold)
{
	struct segment *common = last_common(fold);

	if (common) {
		add_path(fold, common);
		let_go(fold, common->before);
		common->before = NULL;
	}
	fold->overflown = fold->segments > SEGMENTS_MOST;
	fold->settle_at = 2 * fold->segments > SETTLED_AT ? 2 * fold->segments : SETTLED_AT;
}

/* Is it one of the process that is the command itself? */
static bool is_own(const struct thread *thread)
{
	return !thread->stretch.process;
}

void path_fold__take_birth(struct path_fold *fold, const struct path_birth *birth, struct path_fold_line line)
{
	const struct path_event *event = &birth->event;
	struct thread *creator = event->kind == PATH_CREATES ? find_thread(fold, event->thread) : NULL, *thread;

	if (fold->last || (event->kind == PATH_CREATES && (!creator || find_thread(fold, event->other))))
		return;
	thread = new_thread(fold, event->other);
	thread->stretch.exe = event->exe;
	if (!creator) {
		fold->begun = true;
		fold->begin_ns = event->ns;
		thread->stretch.process = path_sums__process(&fold->sums, birth, NULL, line);
		path_stretch__begin(&thread->stretch, event->ns);
		thread->stretch.link = PATH_LINK_BEGIN;
		fold->own_threads = 1;
		return;
	}
	cut(fold, creator, event);
	thread->stretch.process = path_sums__process(&fold->sums, birth, &creator->stretch, line);
	thread->stretch.executed = thread->stretch.process == creator->stretch.process && creator->stretch.executed;
	follow(fold, thread, creator, PATH_LINK_BIRTH);
	fold->own_threads += is_own(thread);
}

void path_fold__take_place(struct path_fold *fold, uint32_t number, struct path_fold_line line)
{
	path_sums__place(&fold->sums, number, line);
}

static void take_wake(struct path_fold *fold, struct thread *waker, const struct path_event *event)
{
	struct thread *woken = find_thread(fold, event->other);

	cut(fold, waker, event);
	if (!woken || woken == waker)
		return;
	follow(fold, woken, waker, PATH_LINK_WAKE);
	woken->stretch.call_nr = event->call_nr;
	woken->stretch.call_abi = event->call_abi;
}

/* The command's own execve is part of its first program. */
static void take_exec(struct path_fold *fold, struct thread *thread, const struct path_event *event)
{
	const bool is_first = thread->stretch.link == PATH_LINK_BEGIN && !thread->continues;

	if (is_first)
		add_waits(&thread->stretch, event);
	else
		cut(fold, thread, event);
	thread->stretch.exe = event->exe;
	thread->stretch.executed = true;
	if (is_first)
		return;
	thread->stretch.link = PATH_LINK_EXEC;
	thread->continues = false;
}

static void take_end(struct path_fold *fold, struct thread *thread, const struct path_event *event)
{
	if (is_own(thread) && !--fold->own_threads) {
		cut(fold, thread, event);
		fold->last = hold(thread->before);
	} else {
		note_ready(fold, thread, event);
	}
	hash__remove(&fold->threads, &thread->number, sizeof(thread->number));
	let_go(fold, thread->before);
	free(thread);
}

/* `thread`: its last one; NULL: that has ended already. */
static void take_last(struct path_fold *fold, struct thread *thread, const struct path_event *event)
{
	if (thread)
		cut(fold, thread, event);
	fold->ended = true;
	fold->end_ns = event->ns;
	add_path(fold, thread ? thread->before : fold->last);
}

void path_fold__take(struct path_fold *fold, const struct path_event *event)
{
	struct thread *thread = find_thread(fold, event->thread);

	if (fold->ended || fold->overflown)
		return;
	if (fold->last) { /* what others do is of no matter any more */
		if (event->kind == PATH_COMMAND_ENDS)
			take_last(fold, NULL, event);
		return;
	}
	if (!thread)
		return;
	if (event->kind == PATH_WAKES)
		take_wake(fold, thread, event);
	else if (event->kind == PATH_EXECUTES)
		take_exec(fold, thread, event);
	else if (event->kind == PATH_ENDS)
		take_end(fold, thread, event);
	else if (event->kind == PATH_COMMAND_ENDS)
		take_last(fold, thread, event);
	if (fold->segments >= fold->settle_at && !fold->ended)
		settle(fold);
}

const uint64_t *path_fold__idle(const struct path_fold *fold)
{
	return fold->sums.idle_ns;
}

const char *path_fold__finish(struct path_fold *fold, struct critical_path *path)
{
	if (fold->overflown)
		return "too many threads have paths of their own";
	if (!fold->begun || !fold->ended)
		return "the end of the command was not seen";
	path->wall_ns = fold->end_ns - fold->begin_ns;
	path_sums__finish(&fold->sums, fold->begin_ns, path);
	return NULL;
}
