// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recorded faults as a profile (profile.proto of google/pprof). A sample is a row of the anatomy, or its
 * part with one call stack: the leaf is what was touched, its caller the code that touched it; group, phase, class,
 * actor and system call are labels (`pprof -tagroot`, `-tagfocus`).
 */
#include <inttypes.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "report/anatomy/words_anatomy.h"
#include "report/export/profile.h"
#include "report/words.h"

/* Everything in it has a name already. */
static uint64_t frame_of(struct profile *profile, const char *name, const char *path)
{
	return profile__frame(profile, name, path);
}

static char *file_of(const struct run *run, const struct place *place)
{
	return place__has_object(place) ? names__object(run, place->object, true)
					: text__of("[%s]", place_counters[place->kind].header);
}

/* "main_arena .data", ".got.plt", "[stack]": the page itself is no part of it. */
static char *touched(const struct place *place)
{
	if (place->symbol)
		return text__of("%s%s%s", place->symbol, place->section ? " " : "",
				place->section ? place->section : "");
	if (place->section)
		return checked_strdup(place->section);
	return text__of("[%s]", place_counters[place->kind].header);
}

static uint64_t code_frame(struct profile *profile, const struct run *run, const struct anatomy_row *row)
{
	const bool is_kernel = row->actor == ACTOR_KERNEL;
	autofree char *file = is_kernel ? checked_strdup("[kernel]") : file_of(run, &row->code);
	autofree char *name = NULL;

	if (is_kernel)
		name = text__of("%s", row->call ? row->call : "[kernel]");
	else
		name = row->code.symbol ? checked_strdup(row->code.symbol) : words__code(run, row);
	return frame_of(profile, *name ? name : file, file);
}

static void add_labels(struct profile *profile, struct proto *sample, const struct run *run,
		       const struct anatomy_row *row)
{
	autofree char *group = names__group(run, row->group, false);

	profile__label(profile, sample, "group", group);
	profile__label(profile, sample, "phase", phase_counters[row->phase].key);
	profile__label(profile, sample, "class", fault_counters[row->class].key);
	profile__label(profile, sample, "actor", actor_counters[row->actor].key);
	if (row->call)
		profile__label(profile, sample, "syscall", row->call);
}

/* Functions alone, where they are known: a profile sums them up. */
static uint64_t caller_frame(struct profile *profile, const struct run *run, const struct call_stack *stack,
			     size_t depth)
{
	const struct frame *frame = &run->anatomy->stacks->frames[stack->frames[depth]];
	const struct place *place = &frame->place;
	autofree char *file = frame->pid ? checked_strdup("[no file]") : file_of(run, place);
	autofree char *name = place->symbol ? text__of("%s%s", depth < stack->proven ? "" : "? ", place->symbol)
					    : words__frame(run, stack, depth);

	return frame_of(profile, name, file);
}

/* Faults of a row that have this stack (NULL: none), with their values in the order of the sample types. */
static void add_sample(struct profile *profile, const struct run *run, const struct anatomy_row *row,
		       const struct call_stack *stack, uint64_t faults, double ns)
{
	const bool copies = fault_class__copies(row->class);
	const uint64_t values[] = {
		faults,
		copies ? faults : 0,
		copies ? faults * run__page_bytes(run) : 0,
		(uint64_t)llround(ns),
	};
	const size_t frames = stack ? stack->frame_count : 0;
	autofree char *name = touched(&row->place), *file = file_of(run, &row->place);
	autofree uint64_t *locations = checked_calloc(frames + 2, sizeof(*locations));
	struct proto sample = { 0 };
	size_t count = 0;

	locations[count++] = frame_of(profile, name, file);
	/* The innermost frame is the code itself; for faults of the kernel, its caller. */
	if (!stack || row->actor == ACTOR_KERNEL)
		locations[count++] = code_frame(profile, run, row);
	for (size_t i = 0; i < frames; i++)
		locations[count++] = caller_frame(profile, run, stack, i);
	profile__values(&sample, locations, count, values, sizeof(values) / sizeof(values[0]));
	add_labels(profile, &sample, run, row);
	profile__add(profile, &sample);
}

/* A sample for each stack of a row, and one for what has none. Returns where the next row's shares begin. */
static size_t add_row(struct profile *profile, const struct run *run, size_t index, size_t first)
{
	const struct anatomy_row *row = &run->anatomy->rows[index];
	const struct stacks *stacks = run->anatomy->stacks;
	double ns = anatomy_row__all_ns(row);
	uint64_t faults = row->faults;
	size_t i = first;

	for (; stacks && i < stacks->share_count && stacks->shares[i].row == index; i++) {
		const struct stack_share *share = &stacks->shares[i];
		const double part = stack_share__ns(share, row);

		add_sample(profile, run, row, &stacks->list[share->stack], share->faults, part);
		faults -= share->faults;
		ns -= part;
	}
	if (faults)
		add_sample(profile, run, row, NULL, faults, ns > 0 ? ns : 0);
	return i;
}

static const struct profile_type types[] = {
	{ "faults", "count" }, { "copies", "count" }, { "copied", "bytes" }, { "time", "nanoseconds" },
};

/* Comments: what is not visible in the profile. */
static void add_comments(struct profile *profile, const struct run *run)
{
	autofree char *command = run->command_count ? words__command(run->command) : NULL;
	char *texts[] = {
		text__of("forktax %s: %s", run->version, command ? command : "running processes"),
		text__of("recorded: of the children of a kind the first %" PRIu64
			 ", then every %" PRIu64 "th; faults of those alone",
			 run->anatomy->full, run->anatomy->every),
		text__of("%s", run->integrity.exact ? "exact" : "NOT EXACT: see the report"),
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		profile__comment(profile, texts[i]);
		free(texts[i]);
	}
}

void export__pprof(const struct run *run, FILE *stream)
{
	struct profile profile = { 0 };
	size_t share = 0;

	profile__begin(&profile, types, sizeof(types) / sizeof(types[0]));
	if (run->exe_count && exe__file(&run->exes[0]))
		profile__file(&profile, exe__file(&run->exes[0]));
	for (size_t i = 0; i < run->anatomy->row_count; i++)
		share = add_row(&profile, run, i, share);
	if (run->started != ABSENT)
		profile__began(&profile, run->started);
	if (run__has(run, HAS_CLOCK))
		profile__took(&profile, run->wall_ns);
	add_comments(&profile, run);
	profile__finish(&profile, stream);
}
