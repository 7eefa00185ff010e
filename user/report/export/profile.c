// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/export/profile.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

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

void profile__begin(struct profile *profile, const struct profile_type *types, size_t count)
{
	proto__text(&profile->message, PROFILE_STRING, "");
	for (size_t i = 0; i < count; i++) {
		struct proto type = { 0 };

		proto__number(&type, TYPE_TYPE, string(profile, types[i].name));
		proto__number(&type, TYPE_UNIT, string(profile, types[i].unit));
		proto__part(&profile->message, PROFILE_SAMPLE_TYPE, &type);
	}
	proto__number(&profile->message, PROFILE_DEFAULT_TYPE, string(profile, types[0].name));
}

uint64_t profile__file(struct profile *profile, const char *path)
{
	struct proto message = { 0 };
	uint64_t number;
	bool is_new;

	if (*path == '[')
		return 0;
	number = number_of(&profile->files, path, &is_new);
	if (!is_new)
		return number;
	proto__number(&message, MAPPING_ID, number);
	proto__number(&message, MAPPING_FILE, string(profile, path));
	proto__number(&message, MAPPING_HAS_FUNCTIONS, 1);
	proto__part(&profile->message, PROFILE_MAPPING, &message);
	return number;
}

/* A location with one function. (pprof gives functions that it adds the next number after their count.) */
uint64_t profile__frame(struct profile *profile, const char *name, const char *path)
{
	struct proto function = { 0 }, location = { 0 }, line = { 0 };
	autofree char *both = text__of("%s\n%s", path, name);
	uint64_t number;
	bool is_new;

	number = number_of(&profile->frames, both, &is_new);
	if (!is_new)
		return number;
	proto__number(&function, FUNCTION_ID, ++profile->functions);
	proto__number(&function, FUNCTION_NAME, string(profile, name));
	proto__number(&function, FUNCTION_SYSTEM_NAME, string(profile, name));
	proto__number(&function, FUNCTION_FILE, string(profile, path));
	proto__part(&profile->message, PROFILE_FUNCTION, &function);
	proto__number(&line, LINE_FUNCTION, profile->functions);
	proto__number(&location, LOCATION_ID, number);
	proto__number(&location, LOCATION_MAPPING, profile__file(profile, path));
	proto__part(&location, LOCATION_LINE, &line);
	proto__part(&profile->message, PROFILE_LOCATION, &location);
	return number;
}

void profile__values(struct proto *sample, const uint64_t *locations, size_t count, const uint64_t *values,
		     size_t types)
{
	proto__packed(sample, SAMPLE_LOCATION, locations, count);
	proto__packed(sample, SAMPLE_VALUE, values, types);
}

void profile__label(struct profile *profile, struct proto *sample, const char *key, const char *text)
{
	struct proto message = { 0 };

	proto__number(&message, LABEL_KEY, string(profile, key));
	proto__number(&message, LABEL_TEXT, string(profile, text));
	proto__part(sample, SAMPLE_LABEL, &message);
}

void profile__add(struct profile *profile, struct proto *sample)
{
	proto__part(&profile->message, PROFILE_SAMPLE, sample);
}

void profile__comment(struct profile *profile, const char *text)
{
	proto__number(&profile->message, PROFILE_COMMENT, string(profile, text));
}

void profile__began(struct profile *profile, uint64_t ns)
{
	proto__number(&profile->message, PROFILE_TIME, ns);
}

void profile__took(struct profile *profile, uint64_t ns)
{
	proto__number(&profile->message, PROFILE_DURATION, ns);
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

void profile__finish(struct profile *profile, FILE *stream)
{
	write_compressed(&profile->message, stream);
	proto__free(&profile->message);
	texts__release(&profile->strings);
	texts__release(&profile->files);
	texts__release(&profile->frames);
}
