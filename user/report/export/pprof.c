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
#include <string.h>
#include <zlib.h>

#include "base/autofree.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "report/anatomy/words_anatomy.h"
#include "report/export/protobuf.h"
#include "report/words.h"

enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION,
       PROFILE_STRING, PROFILE_TIME = 9, PROFILE_DURATION, PROFILE_COMMENT = 13,
       PROFILE_DEFAULT_TYPE };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

struct profile {
	struct proto message;
	struct texts strings, files, frames; /* as number_of() numbers them: string 0 is the empty one */
};

/* The number of a text, from 1 on. If it is new, the caller writes the text. */
static uint64_t number_of(struct texts *texts, const char *text, bool *is_new)
{
	const uint64_t count = texts->numbers.count, number = texts__number(texts, text);

	*is_new = number == count;
	return number + 1;
}

static uint64_t string(struct profile *profile, const char *text)
{
	uint64_t number;
	bool is_new;

	if (!*text)
		return 0;
	number = number_of(&profile->strings, text, &is_new);
	if (is_new)
		proto__text(&profile->message, PROFILE_STRING, text);
	return number;
}

/*
 * The file as a mapping, without addresses: everything in it has a name already. What is no file has
 * none (0). The first one gives the profile its name.
 */
static uint64_t mapping(struct profile *profile, const char *file)
{
	struct proto message = { 0 };
	uint64_t number;
	bool is_new;

	if (*file == '[')
		return 0;
	number = number_of(&profile->files, file, &is_new);
	if (!is_new)
		return number;
	proto__number(&message, MAPPING_ID, number);
	proto__number(&message, MAPPING_FILE, string(profile, file));
	proto__number(&message, MAPPING_HAS_FUNCTIONS, 1);
	proto__part(&profile->message, PROFILE_MAPPING, &message);
	return number;
}

/* A frame is a location with one function, both of the same number. */
static uint64_t frame_of(struct profile *profile, const char *name, const char *file)
{
	struct proto function = { 0 }, location = { 0 }, line = { 0 };
	autofree char *both = text__of("%s\n%s", file, name);
	uint64_t number;
	bool is_new;

	number = number_of(&profile->frames, both, &is_new);
	if (!is_new)
		return number;
	proto__number(&function, FUNCTION_ID, number);
	proto__number(&function, FUNCTION_NAME, string(profile, name));
	proto__number(&function, FUNCTION_SYSTEM_NAME, string(profile, name));
	proto__number(&function, FUNCTION_FILE, string(profile, file));
	proto__part(&profile->message, PROFILE_FUNCTION, &function);
	proto__number(&line, LINE_FUNCTION, number);
	proto__number(&location, LOCATION_ID, number);
	proto__number(&location, LOCATION_MAPPING, mapping(profile, file));
	proto__part(&location, LOCATION_LINE, &line);
	proto__part(&profile->message, PROFILE_LOCATION, &location);
	return number;
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

static uint64_t code_frame(struct profile *profile, const struct run *run,
			   const struct anatomy_row *row)
{
	const bool is_kernel = row->actor == ACTOR_KERNEL;
	autofree char *file = is_kernel ? checked_strdup("[kernel]") : file_of(run, &row->code);
	autofree char *name = NULL;
	uint64_t number;

	if (is_kernel)
		name = text__of("%s", row->call ? row->call : "[kernel]");
	else
		name = row->code.symbol ? checked_strdup(row->code.symbol) : words__code(run, row);
	number = frame_of(profile, *name ? name : file, file);
	return number;
}

static void label(struct profile *profile, struct proto *sample, const char *key, const char *text)
{
	struct proto message = { 0 };

	proto__number(&message, LABEL_KEY, string(profile, key));
	proto__number(&message, LABEL_TEXT, string(profile, text));
	proto__part(sample, SAMPLE_LABEL, &message);
}

static void add_labels(struct profile *profile, struct proto *sample, const struct run *run,
		       const struct anatomy_row *row)
{
	autofree char *group = names__group(run, row->group, false);

	label(profile, sample, "group", group);
	label(profile, sample, "phase", phase_counters[row->phase].key);
	label(profile, sample, "class", fault_counters[row->class].key);
	label(profile, sample, "actor", actor_counters[row->actor].key);
	if (row->call)
		label(profile, sample, "syscall", row->call);
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
	const uint64_t number = frame_of(profile, name, file);

	return number;
}

/* Faults of a row that have this stack (NULL: none), with their values in the order of the sample types. */
static void add_sample(struct profile *profile, const struct run *run, const struct anatomy_row *row,
		       const struct call_stack *stack, uint64_t faults, double ns)
{
	const bool copies = fault_class__copies(row->class);
	const uint64_t values[] = {
		faults,
		copies ? faults : 0,
		copies ? faults * PAGE_BYTES : 0,
		(uint64_t)llround(ns),
	};
	const size_t frames = stack ? stack->frame_count : 0;
	autofree char *name = touched(&row->place), *file = file_of(run, &row->place);
	autofree uint64_t *locations = checked_calloc(frames + 2, sizeof(*locations));
	struct proto sample = { 0 };
	size_t count = 0;

	locations[count++] = frame_of(profile, name, file);
	locations[count++] = code_frame(profile, run, row);
	/* The innermost frame is the code itself; for faults of the kernel, its caller. */
	for (size_t i = row->actor != ACTOR_KERNEL; i < frames; i++)
		locations[count++] = caller_frame(profile, run, stack, i);
	proto__packed(&sample, SAMPLE_LOCATION, locations, count);
	proto__packed(&sample, SAMPLE_VALUE, values, sizeof(values) / sizeof(values[0]));
	add_labels(profile, &sample, run, row);
	proto__part(&profile->message, PROFILE_SAMPLE, &sample);
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

static void add_types(struct profile *profile)
{
	static const char *const types[][2] = {
		{ "faults", "count" }, { "copies", "count" }, { "copied", "bytes" }, { "time", "nanoseconds" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct proto type = { 0 };

		proto__number(&type, TYPE_TYPE, string(profile, types[i][0]));
		proto__number(&type, TYPE_UNIT, string(profile, types[i][1]));
		proto__part(&profile->message, PROFILE_SAMPLE_TYPE, &type);
	}
	proto__number(&profile->message, PROFILE_DEFAULT_TYPE, string(profile, types[0][0]));
}

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
		proto__number(&profile->message, PROFILE_COMMENT, string(profile, texts[i]));
		free(texts[i]);
	}
}

static void write_compressed(const struct proto *message, FILE *stream)
{
	enum { GZIP = 16 };
	z_stream zip = { .next_in = message->bytes, .avail_in = message->size };
	unsigned char *bytes;
	size_t room;

	if (deflateInit2(&zip, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP, MAX_MEM_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		checked(NULL);
	room = deflateBound(&zip, message->size);
	bytes = checked(malloc(room));
	zip.next_out = bytes;
	zip.avail_out = room;
	deflate(&zip, Z_FINISH);
	fwrite(bytes, 1, zip.total_out, stream);
	deflateEnd(&zip);
	free(bytes);
}

void export__pprof(const struct run *run, FILE *stream)
{
	struct profile profile = { 0 };
	size_t share = 0;

	proto__text(&profile.message, PROFILE_STRING, "");
	add_types(&profile);
	if (run->exe_count && exe__file(&run->exes[0]))
		mapping(&profile, exe__file(&run->exes[0]));
	for (size_t i = 0; i < run->anatomy->row_count; i++)
		share = add_row(&profile, run, i, share);
	if (run->started != ABSENT)
		proto__number(&profile.message, PROFILE_TIME, run->started);
	if (run__has(run, HAS_CLOCK))
		proto__number(&profile.message, PROFILE_DURATION, run->wall_ns);
	add_comments(&profile, run);
	write_compressed(&profile.message, stream);
	proto__free(&profile.message);
	texts__release(&profile.strings);
	texts__release(&profile.files);
	texts__release(&profile.frames);
}
