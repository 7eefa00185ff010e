// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/watch/watch_profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "model/words/dictionary.h"
#include "report/export/profile.h"

static const struct profile_type types[] = { { "copies", "count" }, { "copied", "bytes" } };

/* While it is written. */
struct writing {
	const struct watch_profile *of;
	struct profile profile;
	struct profile_file *files; /* by object */
	char (*ids)[2 * BUILD_ID_BYTES + 1];
};

static void describe_files(struct writing *writing)
{
	const struct copy_profile *copies = writing->of->copies;

	writing->files = checked_calloc(copies->object_count + 1, sizeof(*writing->files));
	writing->ids = checked_calloc(copies->object_count + 1, sizeof(*writing->ids));
	for (size_t i = 0; i < copies->object_count; i++) {
		const char *path = copies->objects[i].path;

		for (int k = 0; k < BUILD_ID_BYTES; k++)
			sprintf(&writing->ids[i][2 * k], "%02x", copies->ids[i].bytes[k]);
		writing->files[i] = (struct profile_file){ .path = path ? path : "", .build_id = writing->ids[i] };
	}
}

/* What stands in the place of a stack, or of a frame. */
static uint64_t no_frame(struct writing *writing, const char *text)
{
	return profile__frame(&writing->profile, text, &(struct profile_file){ .path = "[no file]" });
}

/* As in the profiles of runs, `?` is before a caller that is not proven: a function may be missing before it. */
static uint64_t frame_of(struct writing *writing, const struct call_stack *stack, size_t depth)
{
	const struct place *place = &writing->of->copies->stacks->frames[stack->frames[depth]].place;
	autofree char *name = NULL;
	struct profile_file file;

	if (place->object == NO_OBJECT)
		return no_frame(writing, "[code without build id]");
	file = writing->files[place->object];
	file.lacks_names = !place->symbol;
	if (!place->symbol)
		return profile__place(&writing->profile, place->offset, &file);
	name = text__of("%s%s", depth < stack->proven ? "" : "? ", place->symbol);
	return profile__frame(&writing->profile, name, &file);
}

static void add_sample(struct writing *writing, const char *unit, enum birth birth, const uint64_t *locations,
		       size_t count, uint64_t copies)
{
	const uint64_t values[] = { copies, copies * page_bytes };
	struct proto sample = { 0 };

	profile__values(&sample, locations, count, values, sizeof(values) / sizeof(values[0]));
	profile__label(&writing->profile, &sample, "unit", unit);
	profile__label(&writing->profile, &sample, "birth", birth_counters[birth].key);
	profile__label(&writing->profile, &sample, "class", fault_counters[FAULT_COW_COPY].key);
	profile__add(&writing->profile, &sample);
}

static void add_copies(struct writing *writing, const struct copy_sample *sample)
{
	static const char *const words[COPY_PLACES] = {
		[COPY_IN_KERNEL] = "[kernel]",
		[COPY_UNKNOWN] = "[stack not found]",
	};
	const struct call_stack *stack;
	autofree uint64_t *locations = NULL;

	if (sample->stack == NO_STACK) {
		const uint64_t location = no_frame(writing, words[sample->place]);

		add_sample(writing, sample->unit, sample->birth, &location, 1, sample->copies);
		return;
	}
	stack = &writing->of->copies->stacks->list[sample->stack];
	locations = checked_calloc(stack->frame_count + 1, sizeof(*locations));
	for (size_t i = 0; i < stack->frame_count; i++)
		locations[i] = frame_of(writing, stack, i);
	add_sample(writing, sample->unit, sample->birth, locations, stack->frame_count, sample->copies);
}

static uint64_t counted(const struct watch_sample *sample, const char *unit, int birth)
{
	for (size_t i = 0; sample && i < sample->unit_count; i++)
		if (!strcmp(sample->units[i].name, unit))
			return sample->units[i].by_birth[birth][FAULT_COW_COPY];
	return 0;
}

static uint64_t known_copies(const struct copy_profile *copies, const char *unit, int birth)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < copies->sample_count; i++)
		if ((int)copies->samples[i].birth == birth && !strcmp(copies->samples[i].unit, unit))
			sum += copies->samples[i].copies;
	return sum;
}

/* What found no room in the kernel half is in the counters alone. (A unit that was forgotten has begun at 0 again.) */
static void add_rest(struct writing *writing, const struct watch_unit *unit, int birth)
{
	const uint64_t now = unit->by_birth[birth][FAULT_COW_COPY];
	const uint64_t before = counted(writing->of->before, unit->name, birth);
	const uint64_t new = before <= now ? now - before : now;
	const uint64_t known = known_copies(writing->of->copies, unit->name, birth);
	uint64_t location;

	if (new <= known)
		return;
	location = no_frame(writing, "[stack not kept]");
	add_sample(writing, unit->name, birth, &location, 1, new - known);
}

static void add_comments(struct writing *writing)
{
	autofree char *version = text__of("forktax %s: copies of pages by copy-on-write faults", writing->of->version);

	profile__comment(&writing->profile, version);
	profile__comment(&writing->profile, writing->of->sample->is_exact ? "exact"
									  : "NOT EXACT: something was not counted");
}

void watch_profile__print(const struct watch_profile *profile, FILE *stream)
{
	struct writing writing = { .of = profile };
	const struct watch_sample *sample = profile->sample;

	describe_files(&writing);
	profile__begin(&writing.profile, types, sizeof(types) / sizeof(types[0]));
	for (size_t i = 0; i < profile->copies->sample_count; i++)
		add_copies(&writing, &profile->copies->samples[i]);
	for (size_t i = 0; i < sample->unit_count; i++)
		for (int birth = 0; birth < BIRTH_COUNT; birth++)
			add_rest(&writing, &sample->units[i], birth);
	profile__began(&writing.profile, (uint64_t)llround((sample->time - profile->seconds) * 1e9));
	profile__took(&writing.profile, (uint64_t)llround(profile->seconds * 1e9));
	add_comments(&writing);
	profile__finish(&writing.profile, stream);
	free(writing.files);
	free(writing.ids);
}
