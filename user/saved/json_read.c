// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/json_read.h"

#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reader__fail(struct reader *reader, const char *format, ...)
{
	va_list arguments;
	char *detail;
	int length;

	if (reader->reason)
		return;
	va_start(arguments, format);
	length = vasprintf(&detail, format, arguments);
	va_end(arguments);
	if (length < 0)
		err(125, "cannot read a run");
	if (reader->list) {
		if (asprintf(&reader->reason, "%s[%zu]: %s", reader->list, reader->index, detail) < 0)
			err(125, "cannot read a run");
		free(detail);
	} else {
		reader->reason = detail;
	}
}

/* The value of a key that must be there and of that type, or null if allowed. */
static struct json_object *value(struct reader *reader, struct json_object *in, const char *key,
				 enum json_type type, bool nullable)
{
	struct json_object *found;

	if (reader->reason || !in)
		return NULL;
	if (!json_object_object_get_ex(in, key, &found))
		reader__fail(reader, "\"%s\" is missing", key);
	else if (json_object_is_type(found, type))
		return found;
	else if (found || !nullable)
		reader__fail(reader, "\"%s\" is a %s where a %s is needed", key,
			     json_type_to_name(json_object_get_type(found)),
			     json_type_to_name(type));
	return NULL;
}

struct json_object *reader__object(struct reader *reader, struct json_object *in, const char *key)
{
	return value(reader, in, key, json_type_object, false);
}

struct json_object *reader__array(struct reader *reader, struct json_object *in, const char *key)
{
	return value(reader, in, key, json_type_array, false);
}

int64_t reader__integer(struct reader *reader, struct json_object *in, const char *key, int64_t min,
			int64_t max)
{
	struct json_object *found = value(reader, in, key, json_type_int, false);
	int64_t number = json_object_get_int64(found); /* saturates */

	if (found && (number < min || number > max)) {
		reader__fail(reader, "\"%s\" is %" PRId64 ", not in %" PRId64 "..%" PRId64, key,
			     number, min, max);
		found = NULL;
	}
	return found ? number : 0;
}

/* One less than what a too large number saturates to. */
#define COUNT_MAX (INT64_MAX - 1)

uint64_t reader__count(struct reader *reader, struct json_object *in, const char *key)
{
	return reader__integer(reader, in, key, 0, COUNT_MAX);
}

uint64_t reader__dictionary_count(struct reader *reader, struct json_object *in, const char *key)
{
	if (in && !json_object_object_get_ex(in, key, NULL))
		return 0;
	return reader__count(reader, in, key);
}

uint64_t reader__count_or_absent(struct reader *reader, struct json_object *in, const char *key)
{
	if (!value(reader, in, key, json_type_int, true))
		return ABSENT;
	return reader__count(reader, in, key);
}

uint64_t reader__identity(struct reader *reader, struct json_object *in, const char *key)
{
	struct json_object *found = value(reader, in, key, json_type_int, false);

	if (json_object_get_int64(found) < 0)
		reader__fail(reader, "\"%s\" is negative", key);
	return json_object_get_uint64(found);
}

double reader__number(struct reader *reader, struct json_object *in, const char *key)
{
	struct json_object *found = NULL;
	double number;

	if (in && json_object_object_get_ex(in, key, &found) &&
	    json_object_is_type(found, json_type_int))
		return json_object_get_double(found);
	found = value(reader, in, key, json_type_double, false);
	number = json_object_get_double(found);
	if (isfinite(number))
		return number;
	/* The parser lets NaN pass, and reads 1e999 as infinity. */
	reader__fail(reader, "\"%s\" is no finite number", key);
	return 0;
}

bool reader__is_null(struct json_object *in, const char *key)
{
	struct json_object *found = NULL;

	return in && json_object_object_get_ex(in, key, &found) && !found;
}

uint32_t reader__index(struct reader *reader, struct json_object *in, const char *key, size_t limit,
		       uint32_t none)
{
	if (!value(reader, in, key, json_type_int, true))
		return none;
	return reader__integer(reader, in, key, 0, (int64_t)limit - 1);
}

bool reader__bool(struct reader *reader, struct json_object *in, const char *key)
{
	return json_object_get_boolean(value(reader, in, key, json_type_boolean, false));
}

static char *copy_text(struct reader *reader, struct json_object *string)
{
	const char *text = json_object_get_string(string);
	char *copy;

	if (strlen(text) != (size_t)json_object_get_string_len(string)) {
		reader__fail(reader, "a string contains U+0000");
		return NULL;
	}
	copy = strdup(text);
	if (!copy)
		err(125, "cannot read a run");
	return copy;
}

char *reader__text(struct reader *reader, struct json_object *in, const char *key)
{
	struct json_object *found = value(reader, in, key, json_type_string, true);

	return found ? copy_text(reader, found) : NULL;
}

char *reader__needed_text(struct reader *reader, struct json_object *in, const char *key)
{
	struct json_object *found = value(reader, in, key, json_type_string, false);

	return found ? copy_text(reader, found) : NULL;
}

char *reader__element_text(struct reader *reader, struct json_object *array, size_t index)
{
	struct json_object *found = json_object_array_get_idx(array, index);

	if (json_object_is_type(found, json_type_string))
		return copy_text(reader, found);
	reader__fail(reader, "element %zu of a list of strings is no string", index);
	return NULL;
}

unsigned int reader__counter(struct reader *reader, struct json_object *in, const char *key,
			     const struct counter *counters, unsigned int count)
{
	struct json_object *found = value(reader, in, key, json_type_string, false);
	const char *text = found ? json_object_get_string(found) : "";

	for (unsigned int i = 0; i < count; i++)
		if (!strcmp(text, counters[i].key))
			return i;
	reader__fail(reader, "\"%s\" has a value that forktax does not know", key);
	return 0;
}

unsigned int reader__key(struct reader *reader, struct json_object *in, const char *key,
			 const char *const *keys, unsigned int count)
{
	struct json_object *found = value(reader, in, key, json_type_string, false);
	const char *text = found ? json_object_get_string(found) : "";

	for (unsigned int i = 0; i < count; i++)
		if (!strcmp(text, keys[i]))
			return i;
	reader__fail(reader, "\"%s\" has a value that forktax does not know", key);
	return 0;
}

bool reader__origin(struct reader *reader, struct json_object *in, const char *key)
{
	static const char *const origins[] = { "counted", "not counted", "not supported" };

	return reader__key(reader, in, key, origins, 3) == 0 && !reader->reason;
}

void reader__exit(struct reader *reader, struct json_object *in, int32_t *status, int32_t *signal)
{
	struct json_object *object = reader__object(reader, in, "exit");

	*status = reader__index(reader, object, "status", 256, UINT32_MAX);
	*signal = reader__index(reader, object, "signal", 128, 0);
	if (*status >= 0 && *signal)
		reader__fail(reader, "\"exit\" has both a status and a signal");
}

bool json__is_of_family(struct json_object *root, const char *family)
{
	const char *schema;

	if (!json_object_is_type(root, json_type_object))
		return false;
	schema = json_object_get_string(json_object_object_get(root, "schema"));
	return schema && !strncmp(schema, family, strlen(family));
}
