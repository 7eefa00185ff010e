// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/json_write.h"

#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static struct json_object *checked(struct json_object *object)
{
	if (!object)
		err(125, "cannot save a run");
	return object;
}

void json__add(struct json_object *object, const char *key, struct json_object *value)
{
	const unsigned int how = JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY;

	if (json_object_object_add_ex(object, key, value, how) < 0)
		err(125, "cannot save a run");
}

void json__append(struct json_object *array, struct json_object *value)
{
	if (json_object_array_add(array, value) < 0)
		err(125, "cannot save a run");
}

struct json_object *json__object(void)
{
	return checked(json_object_new_object());
}

struct json_object *json__array(void)
{
	return checked(json_object_new_array());
}

struct json_object *json__bool(bool value)
{
	return checked(json_object_new_boolean(value));
}

struct json_object *json__integer(int64_t value)
{
	return checked(json_object_new_int64(value));
}

struct json_object *json__count(uint64_t count)
{
	return count == ABSENT ? NULL : checked(json_object_new_uint64(count));
}

struct json_object *json__index(uint32_t index)
{
	return index == UINT32_MAX ? NULL : json__integer(index);
}

/* As few digits as give the same number again; json-c writes 17. */
struct json_object *json__number(double number)
{
	char digits[32];

	if (!isfinite(number))
		return NULL;
	number += 0.0; /* -0 becomes 0: read again it would be an integer, without a sign */
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, number);
		if (strtod(digits, NULL) == number)
			break;
	}
	return checked(json_object_new_double_s(number, digits));
}

struct json_object *json__text(const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
	struct json_object *object;
	char *valid, *end;

	if (!text)
		return NULL;
	valid = end = malloc(strlen(text) * strlen(replacement) + 1);
	if (!valid)
		err(125, "cannot save a run");
	while (*text) {
		uint32_t code;
		size_t length = utf8__decode(text, &code);

		if (length)
			end = mempcpy(end, text, length);
		else
			end = mempcpy(end, replacement, strlen(replacement));
		text += length ? length : 1;
	}
	object = checked(json_object_new_string_len(valid, end - valid));
	free(valid);
	return object;
}

struct json_object *json__exit(int32_t status, int32_t signal)
{
	struct json_object *object = json__object();

	json__add(object, "status", status < 0 ? NULL : json__integer(status));
	json__add(object, "signal", signal <= 0 ? NULL : json__integer(signal));
	return object;
}

struct json_object *json__texts(char *const *texts, size_t count)
{
	struct json_object *array = json__array();

	for (size_t i = 0; i < count; i++)
		json__append(array, json__text(texts[i]));
	return array;
}
