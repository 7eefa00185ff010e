// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of the anatomy of a start. docs/schema/schema.md says what rows cannot. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/run/run_fields.h"
#include "model/start/start.h"

static const struct words role_words = WORDS_OF(start_role_keys);
static const struct words phase_words = WORDS_OF(start_phase_counters);
static const struct words part_words = WORDS_OF(start_part_keys);
static const struct words reason_words = WORDS_OF(start_reason_keys);

/* Who made a call, where that may not be known. */
#define COUNTER(id, key, ...) [ACTOR_##id] = key,
static const char *const caller_keys[] = {
#include "actors.def"
	[ACTOR_COUNT] = "unknown",
};
#undef COUNTER
static const struct words caller_words = WORDS_OF(caller_keys);

static bool sees_faults(const struct scope *scope)
{
	return run__has(scope__root(scope), HAS_PROCESS_FAULTS);
}

static const struct field actor_count = { .kind = FIELD_COUNT };
static const struct field part_ns = { .kind = FIELD_NUMBER, .nullable = true };

#define S struct start_sum
static const struct field sum_fields[] = {
	COUNT("ns", ns, NULLABLE, .note = "null: this start has no such phase"),
	COUNT("calls", calls),
	COUNT("errors", errors),
	COUNT("denied", denied, .note = "by seccomp; not in calls"),
	MAP("faults_by_actor", faults, actor_words, class_counts, .closed = true, .when = sees_faults,
	    .note = "by actor and class"),
	MAP("fault_ns", fault_ns, actor_words, actor_count, .closed = true, .when = sees_faults,
	    .note = "durations of the timed faults"),
	MAP("timed", timed, actor_words, actor_count, .closed = true, .when = sees_faults,
	    .note = "faults with a known duration"),
};
static const struct shape sum_shape = SHAPE_OF(sum, .note = "one phase of a start");
#undef S
static const struct field phase_element = { .kind = FIELD_OBJECT, .shape = &sum_shape };

#define ARGUMENT(i) \
	{ .key = "a" #i, .kind = FIELD_IDENTITY, .place = offsetof(S, arguments[i]), \
	  .nullable = true, .flag = offsetof(S, known[i]) }

#define S struct start_call
static const struct field start_call_fields[] = {
	TEXT("name", name),
	KEY("abi", abi, abi_words),
	KEY("actor", actor, caller_words),
	INTEGER("tid", tid, 0, INT32_MAX),
	COUNT("begin_ns", begin_ns),
	COUNT("ns", ns, NULLABLE),
	BOOL("returned", returned),
	BOOL("denied", denied),
	{ .key = "result", .kind = FIELD_OFFSET, AT(result, uint64_t),
	  .note = "as the kernel returned it: a negative errno if it failed" },
	ARGUMENT(0), ARGUMENT(1), ARGUMENT(2), ARGUMENT(3), ARGUMENT(4), ARGUMENT(5),
	TEXT("path", path, NULLABLE),
	BOOL("path_cut", path_cut),
	KEY("phase", phase, phase_words),
	KEY("reason", reason, reason_words),
	BOOL("by_shape", by_shape, OLDER,
	     .note = "the reason follows from the call alone: which code made it is unknown"),
	TEXT("subject", subject, NULLABLE, .note = "of the reason: a file, an object, a signal"),
	{ .kind = FIELD_MEMORY, .place = offsetof(S, stack) },
};
static const struct shape start_call_shape = SHAPE_OF(start_call);
#undef S

static char *search_law(const struct scope *scope)
{
	const struct start_search *search = scope->self;

	if (search->failed > search->tries)
		return text__of("more failures than tries to find %s", search->name);
	return NULL;
}

#define S struct start_search
static const struct field start_search_fields[] = {
	TEXT("name", name),    TEXT("found", found, NULLABLE, .note = "where; null: nowhere"),
	COUNT("tries", tries), COUNT("failed", failed),
	COUNT("ns", ns),
};
static const struct shape start_search_shape = SHAPE_OF(start_search, .law = search_law);
#undef S

/* Of a damaged file: none. */
static size_t anatomy_objects(const struct scope *scope)
{
	const struct run *run = scope__root(scope);

	return run->anatomy ? run->anatomy->object_count : 0;
}

static size_t start_objects(const struct scope *scope)
{
	return ((const struct start *)scope->outer->self)->object_count;
}

static char *object_law(const struct scope *scope)
{
	const struct start_object *object = scope->self;

	if (object->through != NO_OBJECT && object->through >= scope->index)
		return text__of("%s was loaded because of an object that was loaded after it", object->path);
	return NULL;
}

#define S struct start_object
static const struct field start_object_fields[] = {
	TEXT("path", path, .note = "as opened"),
	KEY("role", role, role_words),
	INDEX("object_index", object, anatomy_objects, NULLABLE,
	      .note = "index into objects of the anatomy; null: no fault fell on it"),
	INDEX("through", through, start_objects, NULLABLE,
	      .note = "index of the nearest object without which it would not be loaded; null: none"),
	COUNT("needed_by", needed_by, NULLABLE,
	      .note = "number of these objects whose DT_NEEDED name it; 0: it was preloaded"),
	COUNT("bound_to", bound_to, NULLABLE,
	      .note = "symbols that other objects bind to it, called or not; once per object"),
	COUNT("calls", calls, NULLABLE, .note = "calls of ld.so that open, map and protect it"),
	COUNT("ns", ns, NULLABLE, .note = "of these calls"),
	MAP("relocations", relocations, relocation_words, relocation_count),
	BOOL("lazy", is_lazy, .note = "its JUMP_SLOTs are bound at their first call"),
};
static const struct shape start_object_shape = SHAPE_OF(start_object, .law = object_law,
	.note = "an object that ld.so linked before the program's entry");
#undef S

#define S struct start_marks
static const struct field start_marks_fields[] = {
	COUNT("first_ns", first, NULLABLE),
	COUNT("entry_ns", entry, NULLABLE),
	COUNT("main_ns", main, NULLABLE),
	COUNT("returned_ns", returned, NULLABLE),
	COUNT("exit_ns", exit, NULLABLE),
	COUNT("end_ns", end, NULLABLE),
};
static const struct shape start_marks_shape = SHAPE_OF(start_marks,
	.note = "times at which the image reached them, since the entry of execve");
#undef S

struct sums {
	uint64_t ns, calls, errors, denied, faults;
};

static struct sums add_phases(const struct start_sum phases[START_PHASE_COUNT])
{
	struct sums sums = { 0 };

	for (int i = 0; i < START_PHASE_COUNT; i++) {
		const struct start_sum *phase = &phases[i];

		sums.ns += phase->ns == ABSENT ? 0 : phase->ns;
		sums.calls += phase->calls;
		sums.errors += phase->errors;
		sums.denied += phase->denied;
		sums.faults += start_sum__faults(phase);
	}
	return sums;
}

static struct sums add_calls(const struct start *start)
{
	struct sums sums = { .calls = start->left_out, .errors = start->left_out_errors };

	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		sums.calls += !call->denied;
		sums.denied += call->denied;
		sums.errors += !call->denied && start_call__errno(call);
	}
	return sums;
}

static char *start_law(const struct scope *scope)
{
	const struct start *start = scope->self;
	const struct sums phases = add_phases(start->phases), calls = add_calls(start);

	if (start->call_count > START_FIRST_CALLS + START_LAST_CALLS)
		return text__of("the start lists %zu calls, more than are kept", start->call_count);
	if (phases.calls != calls.calls || phases.errors != calls.errors || phases.denied != calls.denied)
		return text__of("the phases of the start have %" PRIu64 " calls (%" PRIu64 " failed), its list %" PRIu64
				" (%" PRIu64 ")",
				phases.calls, phases.errors, calls.calls, calls.errors);
	if (phases.faults + start->unplaced != start->image_faults)
		return text__of("the phases of the start have %" PRIu64 " faults, and %" PRIu64
				" are in none, but it has %" PRIu64,
				phases.faults, start->unplaced, start->image_faults);
	if (start->marks.end != ABSENT && phases.ns != start->marks.end)
		return text__of("the phases of the start take %" PRIu64 " ns, the start %" PRIu64,
				phases.ns, start->marks.end);
	for (size_t i = 1; i < start->call_count; i++)
		if (start->calls[i].begin_ns < start->calls[i - 1].begin_ns)
			return text__of("the calls of the start are not in the order of time");
	return NULL;
}

#define S struct start
static const struct field start_fields[] = {
	OBJECT("marks", marks, start_marks_shape),
	TEXT("unmarked", unmarked, NULLABLE, .note = "why marks are missing"),
	MAP("phases", phases, phase_words, phase_element, .closed = true,
	    .note = "they add up to the time from execve to the end of the image"),
	MAP("untraced", untraced, part_words, part_ns, .closed = true, .note = "medians of untraced runs"),
	COUNT("image_faults", image_faults, .when = sees_faults, .note = "by the kernel's count"),
	COUNT("unplaced", unplaced, .when = sees_faults, .note = "of these, faults in no phase"),
	COUNT("left_out", left_out, .note = "calls that are counted but not listed"),
	COUNT("left_out_errors", left_out_errors),
	COUNT("beyond", beyond, .note = "further calls; they are in no phase, and may have failed"),
	COUNT("missed", missed, .note = "calls that were lost"),
	LIST("calls", calls, call_count, start_call_shape, .lines = true),
	LIST("searches", searches, search_count, start_search_shape, .lines = true),
	LIST("linked", objects, object_count, start_object_shape, .lines = true, OLDER,
	     .note = "objects that ld.so linked before the program's entry, in the order of lookup; "
		     "empty: unknown"),
	LIST("advice", advice, advice_count, advice_shape, .lines = true, .note = "in the order of the rules"),
	{ .kind = FIELD_MEMORY, .place = offsetof(S, fault_list) },
};
const struct shape start_shape = SHAPE_OF(start, .law = start_law,
	.note = "the first image of the command, call by call; times in ns since the entry of its "
		"execve");
#undef S

void start__forget_files(struct start *start)
{
	for (size_t i = 0; i < start->file_count; i++) {
		free(start->files[i].directory);
		free(start->files[i].suffix);
		free(start->files[i].biggest);
		free(start->files[i].again);
	}
	free(start->files);
	start->files = NULL;
	start->file_count = 0;
}

void start__free(struct start *start)
{
	if (start)
		start__forget_files(start);
	shape__free(&start_shape, start);
}
